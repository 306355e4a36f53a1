// SPDX-License-Identifier: MIT
#include "source/beside.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "image/annotation/kept.h"
#include "source/helper/client.h"
#include "source/source_file.h"
#include "source/volume.h"

// Of a file without a UID: so much of its beginning and of its end. Pictures of one size
// that agree in both are one picture, or copies of it.
#define END_BYTES (1 << 20)

static const char *
file_of (const OdlSource *source, int64_t holder)
{
  const OdlSourceInfo *info = &source->info;

  if (info->capture)
    return NULL;
  if (holder != ODL_HOLDER_SOURCE)
    return info->files[holder];
  for (int i = 0; info->files && i < info->n_frames; i++)
    if (!odl_source_lacks_frame (source, i))
      return info->files[i];
  return g_file_test (info->location, G_FILE_TEST_IS_REGULAR) ? info->location : NULL;
}

char *
odl_beside_path (const OdlSource *source, int64_t holder)
{
  const char *file = file_of (source, holder);
  const bool is_stack = holder == ODL_HOLDER_SOURCE && source->info.files != NULL;

  return file ? g_strconcat (file, is_stack ? ".series" : "", ODL_BESIDE_ENDING, NULL)
              : NULL;
}

// Adds `n` bytes from `from` on. False: they cannot be read.
static bool
add_bytes (GChecksum *sum, int fd, uint64_t from, size_t n)
{
  g_autofree guchar *bytes = g_malloc (n);

  for (size_t got = 0; got < n;) {
    const ssize_t read = pread (fd, bytes + got, n - got, (off_t) (from + got));
    if (read < 0 && errno == EINTR)
      continue;
    if (read <= 0)
      return false;
    got += (size_t) read;
  }
  g_checksum_update (sum, bytes, (gssize) n);
  return true;
}

static char *
digest_of (const char *path)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  OdlSourceFile file;

  if (!odl_source_file_open (path, &file, NULL))
    return NULL;
  const size_t n = (size_t) MIN (file.size, (uint64_t) END_BYTES);
  const bool done
      = add_bytes (sum, file.fd, 0, n) && add_bytes (sum, file.fd, file.size - n, n);
  close (file.fd);
  return done ? g_strdup_printf ("contents %" PRIu64 " %s", file.size,
                                 g_checksum_get_string (sum))
              : NULL;
}

char *
odl_beside_identity (const OdlSource *source, int64_t holder)
{
  const char *file = file_of (source, holder);
  const char *uid = holder == ODL_HOLDER_SOURCE
                        ? odl_source_detail (source, "sop-instance")
                        : odl_decoded_source_instance (source, holder);

  if (!file)
    return NULL;
  return uid && *uid ? g_strconcat ("dicom ", uid, NULL) : digest_of (file);
}

// Names in a folder that end as those of what is kept beside files. Transfer full.
static GHashTable *
kept_in (const char *folder)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ODL_BESIDE_ENDING))
      g_hash_table_add (names, g_strdup (name));
  return names;
}

GArray *
odl_beside_holders (const OdlSource *source)
{
  const int64_t n = odl_holder_count (source);
  g_autoptr (GHashTable) names = NULL;
  g_autofree char *folder = NULL;
  GArray *holders = g_array_new (FALSE, FALSE, sizeof (int64_t));

  if (n == 0) {
    const int64_t own = ODL_HOLDER_SOURCE;
    g_autofree char *path = odl_beside_path (source, own);
    if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
      g_array_append_val (holders, own);
  }
  for (int64_t holder = ODL_HOLDER_SOURCE; n > 0 && holder < n; holder++) {
    g_autofree char *path = holder < 0 || !odl_source_lacks_frame (source, holder)
                                ? odl_beside_path (source, holder)
                                : NULL;
    if (path == NULL)
      continue;
    g_autofree char *there = g_path_get_dirname (path);
    g_autofree char *name = g_path_get_basename (path);
    if (g_strcmp0 (there, folder) != 0) {
      g_clear_pointer (&names, g_hash_table_unref);
      names = kept_in (there);
      g_free (folder);
      folder = g_steal_pointer (&there);
    }
    if (g_hash_table_contains (names, name))
      g_array_append_val (holders, holder);
  }
  return holders;
}

OdlAnnotations *
odl_beside_load (const OdlSource *source)
{
  g_autoptr (GArray) holders = odl_beside_holders (source);
  OdlAnnotations *all = NULL;

  // Most have none; their contents are not read then.
  for (guint i = 0; i < holders->len; i++) {
    const int64_t holder = g_array_index (holders, int64_t, i);
    g_autofree char *path = odl_beside_path (source, holder);
    g_autofree char *identity = odl_beside_identity (source, holder);
    g_autoptr (OdlAnnotations) held = NULL;
    if (identity && odl_annotations_read_file (path, identity, &held))
      all = odl_held_join (all, held, holder);
  }
  return all;
}
