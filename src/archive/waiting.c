// SPDX-License-Identifier: MIT
#include "archive/waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "archive/queue.h"
#include "base/error.h"
#include "base/text.h"

#define FOLDER "outbox"
#define FOLDER_MODE 0700
#define NOTE_MODE 0600
#define NOTE ".note"
#define GROUP "waiting"
#define DIGITS 16
#define MOST_NOTE_BYTES 65536
#define FIRST_PAUSE_SECONDS 10
#define LAST_PAUSE_SECONDS 600

void
odl_waiting_free (OdlWaiting *self)
{
  if (self == NULL)
    return;
  g_free (self->node);
  g_free (self->folder);
  g_free (self->why);
  g_free (self);
}

static char *
path_of_all (void)
{
  return g_build_filename (g_get_user_state_dir (), "ondelette", FOLDER, NULL);
}

static char *
note_path (const OdlWaiting *self)
{
  return g_strconcat (self->folder, NOTE, NULL);
}

// ---- Reading -------------------------------------------------------------------------

static char *
text_of (GKeyFile *file, const char *key)
{
  g_autofree char *text = g_key_file_get_string (file, GROUP, key, NULL);

  return odl_text_in_one_line (text != NULL ? text : "");
}

// What a note says that is not there, or that is damaged, is not known.
static OdlWaiting *
read_folder (const char *folder)
{
  OdlWaiting *self = g_new0 (OdlWaiting, 1);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) paths = odl_queue_list (folder, NULL, 0);
  g_autofree char *text = NULL;
  gsize n = 0;

  self->folder = g_strdup (folder);
  self->n_files = g_strv_length (paths);
  g_autofree char *path = note_path (self);
  if (g_file_get_contents (path, &text, &n, NULL) && n <= MOST_NOTE_BYTES)
    g_key_file_load_from_data (file, text, n, G_KEY_FILE_NONE, NULL);
  self->node = text_of (file, "node");
  self->why = text_of (file, "why");
  const int n_tries = g_key_file_get_integer (file, GROUP, "tries", NULL);
  self->n_tries = n_tries > 0 ? (guint) n_tries : 0;
  self->tried_s = g_key_file_get_int64 (file, GROUP, "tried", NULL);
  return self;
}

OdlWaiting *
odl_waiting_of (const char *node)
{
  g_autofree char *all = path_of_all ();
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, node, -1);

  digest[DIGITS] = '\0';
  g_autofree char *folder = g_build_filename (all, digest, NULL);
  OdlWaiting *self = read_folder (folder);
  g_free (self->node);
  self->node = g_strdup (node);
  return self;
}

static int
compare_cb (const void *a, const void *b)
{
  const OdlWaiting *const *one = a, *const *other = b;

  return strcmp ((*one)->node, (*other)->node);
}

GPtrArray *
odl_waiting_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (
      (GDestroyNotify) (void (*) (void)) odl_waiting_free);
  g_autofree char *all = path_of_all ();
  g_autoptr (GDir) dir = g_dir_open (all, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *folder = g_build_filename (all, name, NULL);
    if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
      continue;
    OdlWaiting *one = read_folder (folder);
    if (one->n_files > 0)
      g_ptr_array_add (list, one);
    else
      odl_waiting_free (one);
  }
  g_ptr_array_sort (list, compare_cb);
  return list;
}

// ---- Time ----------------------------------------------------------------------------

guint
odl_waiting_pause (guint n_tries)
{
  guint pause = FIRST_PAUSE_SECONDS;

  if (n_tries == 0)
    return 0;
  while (--n_tries > 0 && pause < LAST_PAUSE_SECONDS)
    pause *= 2;
  return MIN (pause, LAST_PAUSE_SECONDS);
}

guint
odl_waiting_is_due_in (const OdlWaiting *self)
{
  const gint64 pause = odl_waiting_pause (self->n_tries);
  const gint64 passed = g_get_real_time () / G_USEC_PER_SEC - self->tried_s;

  // A clock that was set back makes nobody wait.
  return passed >= pause || passed < 0 ? 0 : (guint) (pause - passed);
}

// ---- Writing -------------------------------------------------------------------------

int
odl_waiting_lock (const OdlWaiting *self, GError **error)
{
  const int fd = g_mkdir_with_parents (self->folder, FOLDER_MODE) == 0
                     ? open (self->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                     : -1;

  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  if (fd >= 0 && errno == EWOULDBLOCK)
    odl_error_set (error, ODL_ERROR_BUSY,
                   _ ("another window is sending to this node; wait until it is done"));
  else
    odl_error_set (error, ODL_ERROR_IO, "%s: %s", self->folder, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

bool
odl_waiting_note (const OdlWaiting *self, const char *why, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = note_path (self);
  g_auto (GStrv) paths = odl_queue_list (self->folder, NULL, 0);
  gsize n;

  if (paths[0] == NULL)
    return g_unlink (path) == 0 || errno == ENOENT
           || odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (errno));
  g_key_file_set_string (file, GROUP, "node", self->node);
  g_key_file_set_integer (file, GROUP, "tries", (int) self->n_tries);
  g_key_file_set_int64 (file, GROUP, "tried", self->tried_s);
  g_key_file_set_string (file, GROUP, "why", why != NULL ? why : "");
  g_autofree char *text = g_key_file_to_data (file, &n, NULL);
  g_autoptr (GError) given = NULL;
  return g_file_set_contents_full (path, text, (gssize) n, G_FILE_SET_CONTENTS_CONSISTENT,
                                   NOTE_MODE, &given)
         || odl_error_set (error, ODL_ERROR_IO, "%s", given->message);
}

bool
odl_waiting_remove (const OdlWaiting *self, GError **error)
{
  const int lock = odl_waiting_lock (self, error);
  g_auto (GStrv) paths = odl_queue_list (self->folder, NULL, 0);
  bool done = lock >= 0;

  for (guint i = 0; done && paths[i] != NULL; i++)
    done = g_unlink (paths[i]) == 0 || errno == ENOENT
           || odl_error_set (error, ODL_ERROR_IO, "%s: %s", paths[i], g_strerror (errno));
  done = done && odl_waiting_note (self, NULL, error);
  if (lock >= 0)
    close (lock);
  return done;
}
