// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/video_process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "source/sandbox_wish.h"

// Private memory that the helper may add: what the largest frames of ten bits take.
#define MEMORY ((uint64_t) 2 << 30)

// How often the parent looks. So many looks without an answer at which the helper waited
// or was stopped, and so many at all, where it gets no processor: the helper looks
// itself, and gives up sooner. A machine that is paused does not look.
#define LOOK_MS 50
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PATIENCE_LOOKS 1200
#else
#define PATIENCE_LOOKS 240
#endif
#define STARVED_LOOKS (8 * PATIENCE_LOOKS)

struct _OdlVideoProcess {
  pid_t pid; // 0: has ended
  int socket_fd;
  int life_fd; // as long as this end is open, the helper lives
  int looks; // since the last order or answer
  int idle_looks; // of these, when it did nothing
};

// ---- Starting ----

// ODL_VIDEO_DECODER wins, then the build tree (so that nothing need be installed to run),
// then the installed place.
static char *
find_program (void)
{
  const char *chosen = g_getenv ("ODL_VIDEO_DECODER");
  if (chosen != NULL && *chosen != '\0')
    return g_strdup (chosen);

  char *built = g_build_filename (ODL_BUILD_LIBEXEC_DIR, "video_decoder",
                                  "ondelette-video-decoder", NULL);
  if (g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return built;
  g_free (built);
  return g_build_filename (ODL_LIBEXEC_DIR, "ondelette-video-decoder", NULL);
}

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

static int
spawn (int file, int far, int life, char **argv, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  // Out of the way of the numbers that they get in the helper.
  const int file_fd = fcntl (file, F_DUPFD_CLOEXEC, 16);
  const int far_fd = fcntl (far, F_DUPFD_CLOEXEC, 16);
  const int life_fd = fcntl (life, F_DUPFD_CLOEXEC, 16);

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawnattr_init (&attributes);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen (&actions, 1, "/dev/null", O_WRONLY, 0);
  if (g_getenv ("ODL_DEBUG") == NULL)
    posix_spawn_file_actions_addopen (&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, file_fd, ODL_VIDEO_FILE_FD);
  posix_spawn_file_actions_adddup2 (&actions, far_fd, ODL_VIDEO_SOCKET_FD);
  posix_spawn_file_actions_adddup2 (&actions, life_fd, ODL_VIDEO_LIFE_FD);
  posix_spawn_file_actions_addclosefrom_np (&actions, ODL_VIDEO_LIFE_FD + 1);

  const int result
      = file_fd < 0 || far_fd < 0 || life_fd < 0
            ? EMFILE
            : posix_spawn (pid, argv[0], &actions, &attributes, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  posix_spawnattr_destroy (&attributes);
  close_fd (file_fd);
  close_fd (far_fd);
  close_fd (life_fd);
  return result;
}

OdlVideoProcess *
odl_video_process_start (const char *mode, int file_fd, GError **error)
{
  g_autofree char *program = find_program ();
  g_autofree char *memory = g_strdup_printf ("%" G_GUINT64_FORMAT, MEMORY);
  const char *sandbox = odl_sandbox_is_optional () ? ODL_VIDEO_SANDBOX_OPTIONAL
                                                   : ODL_VIDEO_SANDBOX_REQUIRED;
  char *argv[] = { program, (char *) mode, memory, (char *) sandbox, NULL };
  int sockets[2] = { -1, -1 }, life[2] = { -1, -1 };
  pid_t pid = 0;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0
      || pipe2 (life, O_CLOEXEC) < 0) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("no connection to the decoder: %s"),
                 g_strerror (errno));
    close_fd (sockets[0]);
    close_fd (sockets[1]);
    return NULL;
  }
  const int result = spawn (file_fd, sockets[1], life[0], argv, &pid);
  close (sockets[1]);
  close (life[0]);
  if (result != 0) {
    close (sockets[0]);
    close (life[1]);
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("the decoder %s does not start (%s); install Ondelette again"),
                 program, g_strerror (result));
    return NULL;
  }
  OdlVideoProcess *self = g_new0 (OdlVideoProcess, 1);
  self->pid = pid;
  self->socket_fd = sockets[0];
  self->life_fd = life[1];
  return self;
}

// ---- Ending ----

// How a helper ends that has said nothing.
static const struct {
  int signal;
  OdlErrorCode code;
  const char *message;
} deaths[] = {
  { SIGKILL, ODL_ERROR_TOO_LARGE,
    N_ ("the decoder was stopped from outside; the machine may be short of memory") },
  { SIGTRAP, ODL_ERROR_TOO_LARGE, N_ ("decoding it needs more memory than it may take") },
};

static void
explain_end (int status, GError **error)
{
  if (WIFSIGNALED (status)) {
    for (size_t i = 0; i < G_N_ELEMENTS (deaths); i++)
      if (deaths[i].signal == WTERMSIG (status)) {
        g_set_error_literal (error, ODL_ERROR, deaths[i].code, _ (deaths[i].message));
        return;
      }
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("the decoder crashed on it (%s); the file is probably damaged"),
                 g_strsignal (WTERMSIG (status)));
    return;
  }
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
               _ ("the decoder gave up without an answer (status %d)"),
               WIFEXITED (status) ? WEXITSTATUS (status) : -1);
}

// Waits for the end of a helper that closed its socket; gives it little time.
static void
reap (OdlVideoProcess *self, bool at_once, GError **error)
{
  int status = 0;
  pid_t result = 0;

  for (int tries = 0; !at_once && result == 0 && tries < 40; tries++) {
    result = waitpid (self->pid, &status, WNOHANG);
    if (result == 0)
      g_usleep (tries < 10 ? 500 : 5000);
  }
  if (result == 0) {
    kill (self->pid, SIGKILL);
    while (waitpid (self->pid, &status, 0) < 0 && errno == EINTR)
      ;
  }
  self->pid = 0;
  if (error != NULL && *error == NULL)
    explain_end (status, error);
}

void
odl_video_process_end (OdlVideoProcess *self)
{
  if (self == NULL)
    return;
  close (self->socket_fd);
  close (self->life_fd);
  if (self->pid != 0)
    reap (self, true, NULL);
  g_free (self);
}

// ---- Orders and answers ----

bool
odl_video_process_order (OdlVideoProcess *self,
                         OdlVideoOrder *order,
                         int fd,
                         GError **error)
{
  struct iovec part = { order, sizeof *order };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

  order->magic = ODL_VIDEO_MAGIC;
  order->version = ODL_VIDEO_VERSION;
  if (fd >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header = (struct cmsghdr){ CMSG_LEN (sizeof (int)), SOL_SOCKET, SCM_RIGHTS };
    memcpy (CMSG_DATA (&control.header), &fd, sizeof fd);
  }
  self->looks = self->idle_looks = 0;
  if (self->pid != 0
      && sendmsg (self->socket_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT)
             == sizeof *order)
    return true;
  GError *cause = NULL;
  if (self->pid != 0)
    reap (self, false, &cause);
  else
    g_set_error_literal (&cause, ODL_ERROR, ODL_ERROR_IO, _ ("the decoder has ended"));
  g_propagate_error (error, cause);
  return false;
}

// True when the helper is running or reading from a disk, as opposed to waiting.
static bool
is_working (const OdlVideoProcess *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) self->pid);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return false;
  const char *after_name = strrchr (text, ')');
  return after_name != NULL && strlen (after_name) > 2
         && strchr ("RD", after_name[2]) != NULL;
}

static bool
is_late (OdlVideoProcess *self)
{
  self->looks++;
  self->idle_looks += !is_working (self);
  return self->idle_looks >= PATIENCE_LOOKS || self->looks >= STARVED_LOOKS;
}

// Waits until the helper has written or is gone.
static bool
wait_for_message (OdlVideoProcess *self, GCancellable *cancellable, GError **error)
{
  GPollFD cancelled = { .fd = -1 };
  const bool watched = g_cancellable_make_pollfd (cancellable, &cancelled);
  bool done = false;

  while (!done) {
    struct pollfd fds[] = {
      { .fd = self->socket_fd, .events = POLLIN },
      { .fd = cancelled.fd, .events = POLLIN },
    };

    if (g_cancellable_is_cancelled (cancellable)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
      break;
    }
    const int n = poll (fds, watched ? 2 : 1, LOOK_MS);
    // What it has said in the meantime counts, however late it is looked at.
    done = n > 0 && fds[0].revents != 0;
    if (n == 0 && is_late (self)) {
      g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                           _ ("decoding it takes too long and was stopped"));
      break;
    }
  }
  if (watched)
    g_cancellable_release_fd (cancellable);
  return done;
}

// Descriptors that came with it are closed: none should.
static void
close_descriptors (struct msghdr *message)
{
  for (struct cmsghdr *part = CMSG_FIRSTHDR (message); part != NULL;
       part = CMSG_NXTHDR (message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
      continue;
    const size_t n = (part->cmsg_len - CMSG_LEN (0)) / sizeof (int);
    for (size_t i = 0; i < n; i++) {
      int fd;
      memcpy (&fd, CMSG_DATA (part) + i * sizeof fd, sizeof fd);
      close (fd);
    }
  }
}

// Bytes; 0: it is gone.
static size_t
read_message (OdlVideoProcess *self, OdlVideoAnswer *answer)
{
  struct iovec parts[] = { { &answer->reply, sizeof answer->reply },
                           { answer->text, ODL_VIDEO_MAX_TEXT } };
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (sizeof (int) * 4)];
  } control;
  struct msghdr message = {
    .msg_iov = parts,
    .msg_iovlen = G_N_ELEMENTS (parts),
    .msg_control = &control,
    .msg_controllen = sizeof control,
  };
  const ssize_t n = recvmsg (self->socket_fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

  if (n <= 0)
    return 0;
  close_descriptors (&message);
  return (size_t) n;
}

static bool
is_sane (OdlVideoAnswer *answer, size_t n_bytes)
{
  const OdlVideoReply *reply = &answer->reply;

  if (n_bytes < sizeof *reply || reply->magic != ODL_VIDEO_MAGIC
      || reply->version != ODL_VIDEO_VERSION
      || reply->text_bytes != n_bytes - sizeof *reply || reply->status < ODL_VIDEO_NO
      || reply->status > ODL_ERROR_END)
    return false;
  const char *at = answer->text;
  const char *end = at + reply->text_bytes;
  for (int i = 0; i < ODL_VIDEO_N_TEXTS; i++) {
    const char *stop = at < end ? memchr (at, '\0', (size_t) (end - at)) : NULL;
    if (stop == NULL || !g_utf8_validate (at, stop - at, NULL))
      return false;
    answer->texts[i] = at;
    at = stop + 1;
  }
  return at == end;
}

bool
odl_video_process_receive (OdlVideoProcess *self,
                           GCancellable *cancellable,
                           OdlVideoAnswer *answer,
                           GError **error)
{
  GError *cause = NULL;
  const bool waited = wait_for_message (self, cancellable, &cause);

  if (!waited && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED)) {
    g_propagate_error (error, cause);
    return false;
  }
  const size_t n = waited ? read_message (self, answer) : 0;
  self->looks = self->idle_looks = 0;
  if (n > 0 && is_sane (answer, n))
    return true;
  if (n > 0)
    g_set_error_literal (&cause, ODL_ERROR, ODL_ERROR_IO,
                         _ ("the decoder gave an answer that makes no sense; the file is "
                            "probably damaged"));
  reap (self, !waited || n > 0, &cause);
  g_propagate_error (error, cause);
  return false;
}
