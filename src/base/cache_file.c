// SPDX-License-Identifier: MIT
#include "base/cache_file.h"

#include <glib/gstdio.h>

#include "base/error.h"

#define DIGEST_CHARS 16

char *
odl_cache_file_group (const char *key)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_strndup (digest, DIGEST_CHARS);
}

char *
odl_cache_file_path (const char *name)
{
  return g_build_filename (g_get_user_cache_dir (), "ondelette", name, NULL);
}

GKeyFile *
odl_cache_file_open (const char *path, gsize most_bytes)
{
  GKeyFile *file = g_key_file_new ();
  GStatBuf status;

  if (g_stat (path, &status) == 0 && S_ISREG (status.st_mode)
      && (gsize) status.st_size <= most_bytes)
    g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL);
  return file;
}

bool
odl_cache_file_knows (GKeyFile *file, const char *group, const char *key)
{
  g_autofree char *kept = g_key_file_get_string (file, group, "key", NULL);

  return g_strcmp0 (kept, key) == 0;
}

static const char *
oldest_group (GKeyFile *file, char **groups, const char *keep)
{
  const char *oldest = NULL;
  gint64 oldest_at = G_MAXINT64;

  for (char **group = groups; *group != NULL; group++) {
    const gint64 at = g_key_file_get_int64 (file, *group, "measured", NULL);
    if (!g_str_equal (*group, keep) && g_key_file_has_group (file, *group)
        && at < oldest_at) {
      oldest = *group;
      oldest_at = at;
    }
  }
  return oldest;
}

void
odl_cache_file_begin_group (GKeyFile *file,
                            const char *group,
                            const char *key,
                            gsize most_groups)
{
  gsize n;
  g_auto (GStrv) groups = g_key_file_get_groups (file, &n);
  const char *oldest;

  for (n -= g_key_file_has_group (file, group) ? 1 : 0;
       n >= most_groups && (oldest = oldest_group (file, groups, group)) != NULL; n--)
    g_key_file_remove_group (file, oldest, NULL);
  g_key_file_set_string (file, group, "key", key);
}

bool
odl_cache_file_save (GKeyFile *file,
                     const char *path,
                     const char *failure,
                     GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *shown = g_filename_display_name (path);
  g_autoptr (GError) cause = NULL;

  // The next call reports errors.
  g_mkdir_with_parents (folder, 0700);
  if (g_key_file_save_to_file (file, path, &cause))
    return true;
  return odl_error_set (error, ODL_ERROR_IO, "%s: %s: %s", shown, failure,
                        cause->message);
}
