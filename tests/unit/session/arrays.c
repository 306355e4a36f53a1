// SPDX-License-Identifier: MIT
// Arrays of other programs: messages whole and damaged, files that are none, everybody
// who may connect, and what is shown and comes back.
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "session/arrays/ask.h"
#include "session/arrays/file.h"
#include "session/arrays/server.h"

#define SHOW "ondelette 1 show 7\nname a\ntype f32\naxes yx\nshape 3 4\n"
#define SAMPLES 12
#define NOBODY 65534

// ---- messages ------------------------------------------------------------------------

static void
assert_refused (const char *text, size_t n, int code)
{
  g_autoptr (GError) error = NULL;
  g_auto (OdlAsk) ask = { 0 };

  if (odl_ask_parse (&ask, text, n, &error))
    g_error ("taken: %.*s", (int) n, text);
  g_assert_error (error, ODL_ERROR, code);
  g_assert_cmpstr (error->message, !=, "");
}

static void
test_message (void)
{
  static const char text[]
      = "ondelette 1 show 999999999\nname Fant\xc3\xb4me 1\ntype u16\naxes tzyxc\n"
        "shape 2 5 3 4 3\nspacing 0.5 0.25 2\nrange -1 2.5\ntimes 0 0.5\n";
  g_auto (OdlAsk) ask = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (odl_ask_parse (&ask, text, sizeof text - 1, &error));
  g_assert_no_error (error);
  g_assert_cmpint (ask.kind, ==, ODL_ASK_SHOW);
  g_assert_cmpuint (ask.number, ==, 999999999);
  g_assert_cmpstr (ask.name, ==, "Fant\xc3\xb4me 1");
  g_assert_cmpint (ask.shape.type, ==, ODL_SAMPLE_U16);
  g_assert_cmpint (ask.shape.frames, ==, 2);
  g_assert_cmpint (ask.shape.slices, ==, 5);
  g_assert_cmpint (ask.shape.height, ==, 3);
  g_assert_cmpint (ask.shape.width, ==, 4);
  g_assert_cmpint (ask.shape.channels, ==, 3);
  g_assert_cmpfloat (ask.shape.spacing_mm[2], ==, 2);
  g_assert_cmpfloat (ask.shape.minimum, ==, -1);
  g_assert_cmpfloat (ask.shape.maximum, ==, 2.5);
  g_assert_cmpfloat (ask.shape.times_s[1], ==, 0.5);
}

static void
test_wrong_messages (void)
{
  static const char *const wrong[] = {
    "",
    "\n",
    "ondelette",
    "ondelette 1",
    "ondelette 1 show",
    "ondelette 1 show 0",
    "ondelette 1 show -1",
    "ondelette 1 show 1e3",
    "ondelette 1 show 10000000000000000000000",
    "ondelette 1 erase 1",
    "ondelette 1 watch 1 more",
    "Ondelette 1 watch 1",
    "ondelette 1 watch 1\nshape 3 4",
    "ondelette 1 watch 1\nname a\nname a",
    "ondelette 1 watch 1\nname",
    "ondelette 1 watch 1\nname a/b",
    "ondelette 1 watch 1\nname a\tb",
    "ondelette 1 show 1\nname a\naxes yx\nshape 3 4",
    "ondelette 1 show 1\nname a\ntype f64\naxes yx\nshape 3 4",
    "ondelette 1 show 1\nname a\ntype f32\naxes xy\nshape 3 4",
    "ondelette 1 show 1\nname a\ntype f32\naxes yxx\nshape 3 4 5",
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape 3",
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape 3 4 5",
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape 3  4",
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape 0 4",
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape -3 4",
    "ondelette 1 show 1\nname a\ntype f32\naxes yxc\nshape 3 4 2",
    "ondelette 1 show 1\nname a\ntype f32\naxes zyx\nshape 0 3 4",
    SHOW "range 1 1\n",
    SHOW "range nan 1\n",
    SHOW "range 0 1e39\n",
    SHOW "range 1\n",
    SHOW "spacing 0 1\n",
    SHOW "spacing 1\n",
    SHOW "spacing 1 1 1 1\n",
    SHOW "times 0 1\n",
    SHOW "times \n",
    SHOW "rate inf\n",
    SHOW "recipe median\n",
    SHOW "colour red\n",
    "ondelette 1 show 1\nname a\ntype f32\naxes tyx\nshape 2 3 4\ntimes 1 0\n",
    "ondelette 1 show 1\nname a\ntype f32\naxes tyx\nshape 2 3 4\ntimes 0 0\n",
  };
  static const char *const large[] = {
    "ondelette 1 show 1\nname a\ntype f32\naxes yx\nshape 1048576 1048576",
    "ondelette 1 show 1\nname a\ntype u8\naxes zyx\nshape 65536 65536 1048576",
    "ondelette 1 show 1\nname a\ntype u8\naxes tzyx\nshape 1048576 1048576 1 1",
  };
  static const char *const versions[]
      = { "ondelette 0 watch 1", "ondelette 2 watch 1", "ondelette 999999999 x" };

  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++)
    assert_refused (wrong[i], strlen (wrong[i]), ODL_ERROR_USAGE);
  for (size_t i = 0; i < G_N_ELEMENTS (large); i++)
    assert_refused (large[i], strlen (large[i]), ODL_ERROR_TOO_LARGE);
  for (size_t i = 0; i < G_N_ELEMENTS (versions); i++)
    assert_refused (versions[i], strlen (versions[i]), ODL_ERROR_UNSUPPORTED);
  assert_refused ("ondelette 1 watch 1\nname a\0b", 28, ODL_ERROR_USAGE);
  assert_refused ("ondelette 1 watch 1\nname \xff", 26, ODL_ERROR_USAGE);
  g_autofree char *name = g_strnfill (ODL_ASK_MOST_NAME + 1, 'a');
  g_autofree char *named = g_strconcat ("ondelette 1 watch 1\nname ", name, NULL);
  assert_refused (named, strlen (named), ODL_ERROR_USAGE);
  g_autofree char *long_one = g_strnfill (ODL_ASK_MOST_BYTES + 1, '\n');
  memcpy (long_one, "ondelette 1 watch 1", 19);
  assert_refused (long_one, ODL_ASK_MOST_BYTES + 1, ODL_ERROR_USAGE);
}

// What is taken of a message that was changed is within the bounds that the rest of the
// program relies on.
static void
take (const char *text, size_t n)
{
  g_auto (OdlAsk) ask = { 0 };
  size_t bytes = 0;

  if (!odl_ask_parse (&ask, text, n, NULL) || ask.kind != ODL_ASK_SHOW)
    return;
  g_assert_nonnull (ask.name);
  g_assert_true (odl_array_shape_bytes (&ask.shape, &bytes, NULL));
  g_assert_cmpuint (bytes, >, 0);
  g_assert_cmpuint (bytes, <=, 4 * ODL_IMAGE_MAX_SAMPLES);
}

static void
test_damaged_messages (void)
{
  static const char text[] = "ondelette 1 show 12\nname a b\ntype f32\naxes tzyxc\nshape "
                             "3 5 3 4 3\nspacing 0.5 0.25 2\nrange -1 2.5\ntimes 0 1 2\n";
  const size_t n = sizeof text - 1;

  for (size_t length = 0; length <= n; length++) {
    g_autofree char *exact = g_memdup2 (text, length); // nothing behind it may be read
    take (exact, length);
  }
  for (int i = 0; i < 30000; i++) {
    g_autofree char *changed = g_memdup2 (text, n);
    for (int k = g_test_rand_int_range (1, 5); k > 0; k--)
      changed[g_test_rand_int_range (0, (int) n)] = (char) g_test_rand_int_range (0, 256);
    take (changed, n);
  }
}

// ---- files ---------------------------------------------------------------------------

// With the bytes given, and these seals.
static int
make_file (const void *bytes, size_t n, int seals)
{
  const int fd = memfd_create ("array", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, n), ==, (ssize_t) n);
  if (seals != 0)
    g_assert_cmpint (fcntl (fd, F_ADD_SEALS, seals), ==, 0);
  return fd;
}

static void
assert_no_file (int fd, size_t bytes)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (odl_array_file_check (fd, bytes, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_USAGE);
  if (fd >= 0)
    close (fd);
}

static void
test_files (void)
{
  static const float samples[SAMPLES] = { 0 };
  int ends[2];
  const int good = make_file (samples, sizeof samples, F_SEAL_SHRINK);

  g_assert_true (odl_array_file_check (good, sizeof samples, NULL));
  assert_no_file (good, sizeof samples + 1);
  assert_no_file (-1, 1);
  assert_no_file (make_file (samples, sizeof samples, 0), sizeof samples);
  assert_no_file (make_file (samples, sizeof samples, F_SEAL_GROW | F_SEAL_WRITE),
                  sizeof samples);
  assert_no_file (open ("/dev/zero", O_RDONLY | O_CLOEXEC), 1);
  assert_no_file (open ("/proc/self/exe", O_RDONLY | O_CLOEXEC), 1);
  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  assert_no_file (ends[0], 1);
  close (ends[1]);
}

// ---- a server and its session --------------------------------------------------------

typedef struct {
  char *folder; // XDG_RUNTIME_DIR
  OdlSession *session; // NULL: no window is open
  OdlArrayServer *server;
} Fixture;

static OdlSession *
find_cb (const char *location, void *data)
{
  Fixture *fixture = data;

  if (fixture->session == NULL || location == NULL)
    return fixture->session;
  return g_strcmp0 (odl_session_info (fixture->session)->location, location) == 0
                 || g_strcmp0 (odl_session_opening (fixture->session), location) == 0
             ? fixture->session
             : NULL;
}

static bool
open_cb (const char *location, void *data)
{
  Fixture *fixture = data;

  if (fixture->session != NULL)
    odl_session_open (fixture->session, location, NULL);
  return fixture->session != NULL;
}

static const OdlArrayServerClass klass = { find_cb, open_cb };

static void
set_up (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", fixture->folder, TRUE);
  fixture->session = odl_session_new ();
  odl_session_set_engine (fixture->session, "cpu");
  odl_session_set_canvas (fixture->session, ODL_GL_NONE, 0, false);
  fixture->server = odl_array_server_new (&klass, fixture, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, const void *data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "ondelette", NULL);

  odl_array_server_free (fixture->server);
  g_clear_object (&fixture->session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (g_rmdir (folder), ==, 0); // nothing is left in it
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static int
connect_to (const char *path)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  while (connect (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    g_assert_cmpint (errno, ==, EAGAIN); // as many wait as may
    g_main_context_iteration (NULL, FALSE);
  }
  return fd;
}

static void
send_with (int link, const char *text, size_t n, const int *files, size_t n_files)
{
  union {
    char room[CMSG_SPACE (8 * sizeof (int))];
    struct cmsghdr align;
  } control;
  struct iovec part = { (char *) text, n };
  struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };

  if (n_files > 0) {
    header.msg_control = control.room;
    header.msg_controllen = CMSG_SPACE (n_files * sizeof (int));
    struct cmsghdr *at = CMSG_FIRSTHDR (&header);
    at->cmsg_level = SOL_SOCKET;
    at->cmsg_type = SCM_RIGHTS;
    at->cmsg_len = CMSG_LEN (n_files * sizeof (int));
    memcpy (CMSG_DATA (at), files, n_files * sizeof (int));
  }
  g_assert_cmpint (sendmsg (link, &header, MSG_NOSIGNAL), ==, (ssize_t) n);
}

// The next message, or "" at the end of the connection. Transfer full.
static char *
receive (int link)
{
  g_autofree char *text = g_malloc0 (ODL_ASK_MOST_BYTES + 1);
  ssize_t n;

  // After a reset what was said before it is still there.
  while ((n = recv (link, text, ODL_ASK_MOST_BYTES, 0)) < 0
         && (errno == EAGAIN || errno == ECONNRESET)) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (100);
  }
  return n > 0 ? g_steal_pointer (&text) : g_strdup ("");
}

static char *
ask (int link, const char *text, int file)
{
  send_with (link, text, strlen (text), &file, file >= 0 ? 1 : 0);
  if (file >= 0)
    close (file);
  return receive (link);
}

static void
assert_has (const char *answer, const char *part)
{
  if (strstr (answer, part) == NULL)
    g_error ("“%s” is not in “%s”", part, answer);
}

static void
assert_ended (int link)
{
  g_autofree char *rest = receive (link);

  g_assert_cmpstr (rest, ==, "");
  close (link);
}

// ---- who connects --------------------------------------------------------------------

static void
test_place (Fixture *fixture, const void *data)
{
  const char *path = odl_array_server_path (fixture->server);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *link = g_build_filename (folder, "latest", NULL);
  g_autofree char *target = g_file_read_link (link, NULL);
  GStatBuf status;

  g_assert_cmpint (g_lstat (path, &status), ==, 0);
  g_assert_true (S_ISSOCK (status.st_mode));
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  g_assert_cmpint (g_lstat (folder, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  g_assert_cmpstr (target, ==, name);
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (symlink ("another.socket", link), ==, 0);
  odl_array_server_point (fixture->server);
  g_autofree char *again = g_file_read_link (link, NULL);
  g_assert_cmpstr (again, ==, name);
}

static void
assert_no_server (const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (odl_array_server_new (&klass, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  assert_has (error->message, word);
}

static void
test_no_place (void)
{
  g_autofree char *root = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (root, "ondelette", NULL);

  g_unsetenv ("XDG_RUNTIME_DIR");
  assert_no_server ("XDG_RUNTIME_DIR");
  g_setenv ("XDG_RUNTIME_DIR", "relative", TRUE);
  assert_no_server ("XDG_RUNTIME_DIR");
  g_setenv ("XDG_RUNTIME_DIR", "/nowhere", TRUE);
  assert_no_server ("XDG_RUNTIME_DIR");
  g_setenv ("XDG_RUNTIME_DIR", "/tmp", TRUE); // anybody may write there
  assert_no_server ("XDG_RUNTIME_DIR");
  g_setenv ("XDG_RUNTIME_DIR", root, TRUE);
  g_assert_cmpint (symlink ("/", folder), ==, 0);
  assert_no_server ("ondelette");
  g_assert_cmpint (g_unlink (folder), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0777), ==, 0);
  assert_no_server ("ondelette");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_autofree char *name = g_strnfill (120, 'a');
  g_autofree char *deep = g_build_filename (root, name, NULL);
  g_autofree char *inner = g_build_filename (deep, "ondelette", NULL);
  g_assert_cmpint (g_mkdir (deep, 0700), ==, 0);
  g_setenv ("XDG_RUNTIME_DIR", deep, TRUE);
  assert_no_server ("too long");
  g_assert_cmpint (g_rmdir (inner), ==, 0);
  g_assert_cmpint (g_rmdir (deep), ==, 0);
  g_assert_cmpint (g_rmdir (root), ==, 0);
}

// Connects as somebody else, who found a way to the socket in the folder, whatever lies
// above it, and says what came back by its exit status: 0 if that was a refusal.
static void
connect_as_nobody (const char *folder, const char *name)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int link = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  char text[1024] = "";

  g_strlcpy (address.sun_path, name, sizeof address.sun_path);
  if (chdir (folder) != 0 || setresuid (NOBODY, NOBODY, NOBODY) != 0
      || connect (link, (struct sockaddr *) &address, sizeof address) != 0)
    _exit (2);
  send (link, "ondelette 1 recipe 1\n", 21, MSG_NOSIGNAL);
  if (recv (link, text, sizeof text - 1, 0) <= 0 || strstr (text, "another user") == NULL)
    _exit (3);
  _exit (recv (link, text, sizeof text, 0) <= 0 ? 0 : 4);
}

static void
test_other_user (Fixture *fixture, const void *data)
{
  const char *path = odl_array_server_path (fixture->server);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  int status = 0;

  if (geteuid () != 0) {
    g_test_skip ("only root can become another user");
    return;
  }
  g_chmod (fixture->folder, 0711);
  g_chmod (folder, 0711);
  g_chmod (path, 0666);
  const pid_t child = fork ();
  if (child == 0)
    connect_as_nobody (folder, name);
  while (waitpid (child, &status, WNOHANG) == 0) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (100);
  }
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

static int
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

// They come and go, or come and say nothing, and keep nobody out who speaks.
static void
test_ten_thousand (Fixture *fixture, const void *data)
{
  const char *path = odl_array_server_path (fixture->server);
  const int speaks = connect_to (path), before = count_files ();
  g_autofree char *first = ask (speaks, "ondelette 1 recipe 1\n", -1);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (int));

  assert_has (first, "ondelette 1 done 1\n");
  for (int i = 0; i < 10000; i++) {
    const int link = connect_to (path);
    g_array_append_val (links, link);
    if (links->len == 100) {
      for (guint k = 0; k < links->len; k++)
        close (g_array_index (links, int, k));
      g_array_set_size (links, 0);
    }
    if (i % 10 == 0)
      g_main_context_iteration (NULL, FALSE);
  }
  g_autofree char *answer = ask (speaks, "ondelette 1 recipe 2\n", -1);
  assert_has (answer, "ondelette 1 done 2\n");
  g_assert_cmpint (count_files (), <=, before + 40); // those that wait, too
  close (speaks);
}

// Where all places are taken by programs that speak, the next one is told.
static void
test_too_many (Fixture *fixture, const void *data)
{
  const char *path = odl_array_server_path (fixture->server);
  int links[16];

  for (size_t i = 0; i < G_N_ELEMENTS (links); i++) {
    links[i] = connect_to (path);
    g_autofree char *answer = ask (links[i], "ondelette 1 recipe 1\n", -1);
    assert_has (answer, "done 1");
  }
  const int late = connect_to (path);
  g_autofree char *answer = receive (late);
  assert_has (answer, "ondelette 1 failed 0\nwhy too many");
  assert_ended (late);
  for (size_t i = 0; i < G_N_ELEMENTS (links); i++)
    close (links[i]);
}

static void
test_hostile (Fixture *fixture, const void *data)
{
  static const char *const texts[] = { "x", "ondelette 9 show 1\n", "ondelette 1 rm 1\n",
                                       "\xff\xfe", "ondelette 1 show 5\nshape 1e9\n" };
  static const float samples[SAMPLES] = { 0 };
  const char *path = odl_array_server_path (fixture->server);
  int files[8];

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    const int link = connect_to (path);
    g_autofree char *answer = ask (link, texts[i], -1);
    assert_has (answer, "ondelette 1 failed ");
    assert_has (answer, "\nwhy ");
    assert_ended (link);
  }
  // What fits of it would be a message.
  g_autofree char *large = g_strnfill (ODL_ASK_MOST_BYTES + 1, '\n');
  memcpy (large, "ondelette 1 recipe 1", 20);
  const int long_winded = connect_to (path);
  send_with (long_winded, large, ODL_ASK_MOST_BYTES + 1, NULL, 0);
  g_autofree char *answer = receive (long_winded);
  assert_has (answer, "failed 0");
  assert_ended (long_winded);
  // More files than one, and more than there is room for: all are closed.
  const int before = count_files ();
  for (size_t n = 2; n <= G_N_ELEMENTS (files); n += 6) {
    const int link = connect_to (path);
    for (size_t i = 0; i < n; i++)
      files[i] = make_file (samples, sizeof samples, F_SEAL_SHRINK);
    send_with (link, SHOW, strlen (SHOW), files, n);
    for (size_t i = 0; i < n; i++)
      close (files[i]);
    g_autofree char *refused = receive (link);
    assert_has (refused, "failed 0");
    assert_ended (link);
  }
  g_assert_cmpint (count_files (), ==, before);
  // Who asks and does not wait.
  for (int i = 0; i < 50; i++) {
    const int link = connect_to (path);
    const int file = make_file (samples, sizeof samples, F_SEAL_SHRINK);
    send_with (link, SHOW, strlen (SHOW), &file, 1);
    close (file);
    close (link);
  }
  const int last = connect_to (path);
  g_autofree char *done
      = ask (last, SHOW, make_file (samples, sizeof samples, F_SEAL_SHRINK));
  assert_has (done, "ondelette 1 done 7\n");
  close (last);
}

// ---- what is shown -------------------------------------------------------------------

static char *
ask_for_result (int link, float *samples, size_t n)
{
  const int file = memfd_create ("result", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const int copy = fcntl (file, F_DUPFD_CLOEXEC, 0);

  g_assert_cmpint (ftruncate (file, (off_t) (n * sizeof *samples)), ==, 0);
  g_assert_cmpint (fcntl (file, F_ADD_SEALS, F_SEAL_SHRINK), ==, 0);
  char *answer = ask (link, "ondelette 1 result 3\nname a\n", file);
  g_assert_cmpint (pread (copy, samples, n * sizeof *samples, 0), ==,
                   (ssize_t) (n * sizeof *samples));
  close (copy);
  return answer;
}

static void
test_there_and_back (Fixture *fixture, const void *data)
{
  const int link = connect_to (odl_array_server_path (fixture->server));
  float samples[SAMPLES], made[SAMPLES];

  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < SAMPLES; i++)
      samples[i] = (float) ((i * 7 + round) % 13) * 100 - 500; // beyond 0 … 1
    const int file = make_file (samples, sizeof samples, F_SEAL_SHRINK | F_SEAL_WRITE);
    g_autofree char *shown = ask (link, SHOW, file);
    assert_has (shown, "ondelette 1 done 7\n");
    g_autofree char *answer = ask_for_result (link, made, SAMPLES);
    assert_has (answer, "type f32\naxes yx\nshape 3 4\nbytes 48\n");
    for (int i = 0; i < SAMPLES; i++)
      g_assert_cmpfloat_with_epsilon (made[i], samples[i], 1e-3F);
  }
  // Filters stay when another array comes, and its result is theirs.
  g_autofree char *set
      = ask (link, "ondelette 1 recipe 2\nname a\nrecipe box:size=3\n", -1);
  assert_has (set, "name a\nrecipe box:size=3");
  for (int i = 0; i < SAMPLES; i++)
    samples[i] = i < 6 ? 0.25F : 0.75F;
  g_autofree char *shown
      = ask (link, SHOW, make_file (samples, sizeof samples, F_SEAL_SHRINK));
  g_autofree char *answer = ask_for_result (link, made, SAMPLES);
  // Mirrored borders: rows of 0.25, of both, and of 0.75.
  g_assert_cmpfloat_with_epsilon (made[0], 0.25F + 0.5F / 3, 0.2F);
  g_assert_cmpfloat (made[0], <, made[11]);
  g_assert_cmpfloat (fabsf (made[4] - samples[4]), >, 0.05F);
  // Another shape is opened with them.
  static const guint8 bytes[8] = { 0, 10, 20, 30, 40, 50, 60, 255 };
  g_autofree char *other
      = ask (link,
             "ondelette 1 show 8\nname a\ntype u8\naxes zyx\nshape 2 2 "
             "2\nspacing 1 1 3\n",
             make_file (bytes, 8, F_SEAL_SHRINK));
  assert_has (other, "done 8");
  g_assert_cmpint (odl_session_info (fixture->session)->n_slices, ==, 2);
  g_autofree char *kept = ask (link, "ondelette 1 recipe 2\n", -1);
  assert_has (kept, "recipe box:size=3");
  g_autofree char *none = ask (link, "ondelette 1 recipe 3\nrecipe pass-through\n", -1);
  g_autofree char *volume = ask_for_result (link, made, 8);
  assert_has (volume, "axes zyx\nshape 2 2 2\nbytes 32\n");
  for (int i = 0; i < 8; i++)
    g_assert_cmpfloat_with_epsilon (made[i], bytes[i], 1e-3F);
  // A file that is too short is left alone, and the answer says how long it has to be.
  g_autofree char *brief = ask_for_result (link, made, 2);
  assert_has (brief, "done 3");
  g_assert_cmpfloat (made[0], ==, 0);
  close (link);
}

// An array is there as long as somebody looks at it.
static void
test_given_up (Fixture *fixture, const void *data)
{
  static const float samples[SAMPLES] = { 0 };
  const int link = connect_to (odl_array_server_path (fixture->server));
  const char *other = "ondelette 1 show 8\nname b\ntype f32\naxes yx\nshape 4 3\n";
  g_autofree char *first
      = ask (link, SHOW, make_file (samples, sizeof samples, F_SEAL_SHRINK));
  g_autofree char *second
      = ask (link, other, make_file (samples, sizeof samples, F_SEAL_SHRINK));
  g_autofree char *third
      = ask (link, other, make_file (samples, sizeof samples, F_SEAL_SHRINK));
  g_autoptr (GError) error = NULL;

  assert_has (first, "done 7");
  assert_has (second, "done 8");
  assert_has (third, "done 8");
  g_assert_null (odl_source_open ("array:a", NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_IO);
  g_autoptr (OdlSource) source = odl_source_open ("array:b", NULL, NULL);
  g_assert_nonnull (source);
  g_assert_cmpint (source->info.n_frames, ==, 1);
  close (link);
}

static void
test_refused (Fixture *fixture, const void *data)
{
  static const struct {
    const char *text, *why;
  } rows[] = {
    { "ondelette 1 result 1\nname b\n", "show it first" },
    { "ondelette 1 recipe 1\nrecipe nonsense\n", "nonsense" },
    { "ondelette 1 recipe 1\nrecipe mix:with=/etc/passwd\n", "cannot name files" },
    { "ondelette 1 recipe 1\nrecipe glsl:file=/nowhere/code.glsl\n", "cannot name code" },
    { "ondelette 1 recipe 1\nrecipe median glsl:file=/nowhere/code.glsl\n",
      "cannot name code" },
    { SHOW, "the samples are missing" },
  };
  const int link = connect_to (odl_array_server_path (fixture->server));

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *answer = ask (link, rows[i].text, -1);
    assert_has (answer, "failed");
    assert_has (answer, rows[i].why);
  }
  g_assert_cmpint (odl_session_recipe (fixture->session)->n_items, ==, 0);
  g_clear_object (&fixture->session);
  g_autofree char *answer = ask (link, "ondelette 1 recipe 1\n", -1);
  assert_has (answer, "no window of Ondelette is open");
  close (link);
}

static void
test_watch (Fixture *fixture, const void *data)
{
  const int watches = connect_to (odl_array_server_path (fixture->server));
  g_autofree char *begun = ask (watches, "ondelette 1 watch 1\n", -1);
  OdlRecipe recipe;

  assert_has (begun, "done 1\nrecipe ");
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "median:size=5", NULL));
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  g_autofree char *told = receive (watches);
  assert_has (told, "ondelette 1 changed 0\nrecipe median:size=5");
  // The session goes first, and a change on its way is nobody's any more.
  odl_session_undo (fixture->session);
  g_clear_object (&fixture->session);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  close (watches);
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrays/a-message-is-read", test_message);
  g_test_add_func ("/arrays/wrong-messages-are-sentences", test_wrong_messages);
  g_test_add_func ("/arrays/damaged-messages-stay-within-bounds", test_damaged_messages);
  g_test_add_func ("/arrays/files-are-sealed-and-long-enough", test_files);
  g_test_add_func ("/arrays/without-a-folder-there-is-a-sentence", test_no_place);
  ADD ("/arrays/the-socket-is-the-users-alone", test_place);
  ADD ("/arrays/other-users-are-refused", test_other_user);
  ADD ("/arrays/ten-thousand-connections-keep-nobody-out", test_ten_thousand);
  ADD ("/arrays/one-too-many-is-told", test_too_many);
  ADD ("/arrays/hostile-programs-change-nothing", test_hostile);
  ADD ("/arrays/there-and-back", test_there_and_back);
  ADD ("/arrays/what-nobody-looks-at-is-given-up", test_given_up);
  ADD ("/arrays/refusals-are-sentences", test_refused);
  ADD ("/arrays/changes-are-told", test_watch);
  return g_test_run ();
}
