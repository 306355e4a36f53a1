// SPDX-License-Identifier: MIT
#include "source/source_files.h"

#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "source/source.h"
#include "source/source_file.h"
#include "source/volume.h"

GHashTable *
odl_source_files_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

// Device and inode as text, independent of names; NULL if there is no file.
static char *
identity_of (const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return NULL;
  return g_strdup_printf ("%" PRIu64 ":%" PRIu64, (uint64_t) status.st_dev,
                          (uint64_t) status.st_ino);
}

void
odl_source_files_add_path (GHashTable *files, const char *path)
{
  char *identity = identity_of (path);

  if (identity != NULL)
    g_hash_table_add (files, identity);
}

void
odl_source_files_add (GHashTable *files, const char *location)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  // Its frames are read as those of the location behind it.
  if (g_str_has_prefix (location, ODL_VOLUME_PREFIX))
    location += strlen (ODL_VOLUME_PREFIX);
  odl_source_files_add_path (files, location);
  odl_source_file_read_head (location, head, &n_head, NULL);
  for (size_t i = 0; i < odl_source_count (); i++) {
    const OdlSourceClass *klass = odl_source_at (i);
    if (!klass->probe (location, head, n_head))
      continue;
    g_auto (GStrv) others = klass->files != NULL ? klass->files (location) : NULL;
    for (gsize k = 0; others != NULL && others[k] != NULL; k++)
      odl_source_files_add_path (files, others[k]);
    return;
  }
}

bool
odl_source_files_have (GHashTable *files, const char *path)
{
  g_autofree char *identity = identity_of (path);

  return identity != NULL && g_hash_table_contains (files, identity);
}
