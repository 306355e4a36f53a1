// SPDX-License-Identifier: MIT
#include "archive/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "archive/instances.h"
#include "archive/keep_file.h"
#include "base/error.h"

#define MOST_TRIES 1000
#define MOST_NAME 100 // bytes of a file's name that are kept for people

// A name after those that are there.
static char *
new_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *cut = g_strndup (base, MOST_NAME);

  return g_strdup_printf ("%016" G_GINT64_FORMAT "-%s", g_get_real_time (), cut);
}

static bool
put (OdlInstances *queue, int from, const char *path, GError **error)
{
  const int to = odl_instances_new_file (queue, error);
  bool done = to >= 0 && odl_copy_file (from, to, error);
  bool there = done;

  for (int i = 0; done && there && i < MOST_TRIES; i++) {
    g_autofree char *name = new_name (path);
    done = odl_instances_keep_as (queue, to, name, &there, error);
  }
  if (to >= 0)
    close (to);
  return done
         && (!there
             || odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (EEXIST)));
}

bool
odl_queue_put (const char *folder, const char *path, GError **error)
{
  const int from = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

  if (from < 0 || !g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    odl_error_set (error, ODL_ERROR_IO, "%s: %s", path,
                   from < 0 ? g_strerror (errno) : _ ("this is no file"));
    if (from >= 0)
      close (from);
    return false;
  }
  OdlInstances *queue = odl_instances_open (folder, true, error);
  const bool done = queue != NULL && put (queue, from, path, error);
  odl_instances_close (queue);
  close (from);
  return done;
}

static int
compare_cb (const void *a, const void *b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

char **
odl_queue_list (const char *folder, const char *ending, guint most)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (ending == NULL || g_str_has_suffix (name, ending))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_cb);
  if (most > 0 && paths->len > most)
    g_ptr_array_set_size (paths, (int) most);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}
