// SPDX-License-Identifier: MIT
#include "output/note.h"

#include <errno.h>

char *
odl_note_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "ondelette", "unfinished", NULL);
}

// A URI, since file names may hold any bytes.
static void
set_path (GKeyFile *file, const char *key, const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (whole, NULL, NULL);

  g_key_file_set_string (file, ODL_NOTE_GROUP, key, uri != NULL ? uri : "");
}

char *
odl_note_write (const char *part, const char *target)
{
  g_autofree char *folder = odl_note_folder ();
  g_autofree char *name = g_strdup_printf ("%08x%08x", g_random_int (), g_random_int ());
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  set_path (file, ODL_NOTE_PART, part);
  set_path (file, ODL_NOTE_TARGET, target);
  if (g_mkdir_with_parents (folder, 0700) == 0
      && g_key_file_save_to_file (file, path, &error))
    return g_steal_pointer (&path);
  g_debug ("%s: %s", path, error != NULL ? error->message : g_strerror (errno));
  return NULL;
}
