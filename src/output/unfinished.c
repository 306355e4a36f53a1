// SPDX-License-Identifier: MIT
#include "output/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "output/note.h"
#include "output/output.h"
#include "output/movie/remux.h"

#define MP4_ENDING ".mp4"
#define MAX_NUMBER 1000

OdlUnfinished *
odl_unfinished_copy (const OdlUnfinished *unfinished)
{
  OdlUnfinished *copy = g_new (OdlUnfinished, 1);

  *copy = (OdlUnfinished){ g_strdup (unfinished->note), g_strdup (unfinished->part),
                           g_strdup (unfinished->target), unfinished->bytes };
  return copy;
}

void
odl_unfinished_free (OdlUnfinished *unfinished)
{
  if (unfinished == NULL)
    return;
  g_free (unfinished->note);
  g_free (unfinished->part);
  g_free (unfinished->target);
  g_free (unfinished);
}

static char *
get_path (GKeyFile *file, const char *key)
{
  g_autofree char *uri = g_key_file_get_string (file, ODL_NOTE_GROUP, key, NULL);

  return uri != NULL ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

// Opens and locks the part; −1 if it is missing (*gone) or locked by another program.
static int
open_part (const char *path, bool *gone)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

  *gone = fd < 0 && errno == ENOENT;
  if (fd < 0)
    return -1;
  if (flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close (fd);
    return -1;
  }
  return fd;
}

static OdlUnfinished *
read_note (const char *path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (OdlUnfinished) unfinished = g_new0 (OdlUnfinished, 1);
  GStatBuf status;
  bool gone = false;

  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  unfinished->note = g_strdup (path);
  unfinished->part = get_path (file, ODL_NOTE_PART);
  unfinished->target = get_path (file, ODL_NOTE_TARGET);
  const int fd = unfinished->part != NULL && unfinished->target != NULL
                     ? open_part (unfinished->part, &gone)
                     : -1;
  if (gone)
    g_unlink (path);
  if (fd < 0)
    return NULL;
  const bool known = fstat (fd, &status) == 0;
  unfinished->bytes = known ? status.st_size : 0;
  const bool empty = known && unfinished->bytes == 0;
  if (empty)
    odl_unfinished_discard (unfinished);
  close (fd);
  return empty ? NULL : g_steal_pointer (&unfinished);
}

GPtrArray *
odl_unfinished_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_unfinished_free);
  g_autofree char *folder = odl_note_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    OdlUnfinished *unfinished = read_note (path);
    if (unfinished != NULL)
      g_ptr_array_add (list, unfinished);
  }
  return list;
}

// "NAME.mkv", then "NAME-2.mkv", …
static char *
unused_target (const char *target)
{
  const char *slash = strrchr (target, '/');
  const char *dot = strrchr (slash != NULL ? slash : target, '.');
  const size_t stem = dot != NULL ? (size_t) (dot - target) : strlen (target);

  for (int i = 2; i < MAX_NUMBER && !odl_output_is_free (target); i++) {
    char *path = g_strdup_printf ("%.*s-%d%s", (int) stem, target, i, target + stem);
    if (odl_output_is_free (path))
      return path;
    g_free (path);
  }
  return g_strdup (target);
}

char *
odl_unfinished_finish (const OdlUnfinished *unfinished, GError **error)
{
  g_autofree char *target = unused_target (unfinished->target);
  OdlOutput output;
  bool gone;

  if (!odl_output_open_new (NULL, target, &output, error))
    return NULL;
  const int fd = open_part (unfinished->part, &gone);
  if (fd < 0)
    odl_output_set_error (&output, gone ? ENOENT : EBUSY, error);
  g_autofree char *lower = g_ascii_strdown (target, -1);
  const OdlContainer container
      = g_str_has_suffix (lower, MP4_ENDING) ? ODL_CONTAINER_MP4 : ODL_CONTAINER_MATROSKA;
  const bool done = fd >= 0 && odl_remux (fd, container, NULL, &output, error);
  if (!odl_output_end (&output, done, error))
    g_clear_pointer (&target, g_free);
  if (fd >= 0)
    close (fd);
  if (target != NULL)
    odl_unfinished_discard (unfinished);
  return g_steal_pointer (&target);
}

void
odl_unfinished_discard (const OdlUnfinished *unfinished)
{
  g_unlink (unfinished->part);
  g_unlink (unfinished->note);
}
