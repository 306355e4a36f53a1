// SPDX-License-Identifier: MIT
#include "source/beside.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "image/annotation/kept.h"
#include "source/source_file.h"
#include "source/volume.h"

// Of a file without a UID: so much of its beginning and of its end. Pictures of one size
// that agree in both are one picture, or copies of it.
#define END_BYTES (1 << 20)

static const char *
file_of (const OdlSource *source)
{
  const OdlSourceInfo *info = &source->info;

  if (info->capture)
    return NULL;
  for (int i = 0; info->files && i < info->n_frames; i++)
    if (!odl_source_lacks_frame (source, i))
      return info->files[i];
  return g_file_test (info->location, G_FILE_TEST_IS_REGULAR) ? info->location : NULL;
}

char *
odl_beside_path (const OdlSource *source)
{
  const char *file = file_of (source);

  return file ? g_strconcat (file, source->info.files ? ".series" : "", ODL_BESIDE_ENDING,
                             NULL)
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
odl_beside_identity (const OdlSource *source)
{
  const char *file = file_of (source);
  const char *uid = odl_source_detail (source, "sop-instance");

  if (!file)
    return NULL;
  return uid && *uid ? g_strconcat ("dicom ", uid, NULL) : digest_of (file);
}

OdlAnnotations *
odl_beside_load (const OdlSource *source)
{
  g_autofree char *path = odl_beside_path (source);
  OdlAnnotations *annotations = NULL;

  // Most have none; their contents are not read then.
  if (!path || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return NULL;
  g_autofree char *identity = odl_beside_identity (source);
  if (identity)
    odl_annotations_read_file (path, identity, &annotations);
  return annotations;
}
