// SPDX-License-Identifier: MIT
// NIfTI files: pictures, volumes and volumes over time, decoded by the helper.
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "source/helper/client.h"
#include "source/source_file.h"

extern const OdlSourceClass odl_nifti_source;

// The headers of both versions start with their size, in either byte order. ANALYZE files
// do as well and are refused with a sentence.
static bool
is_header (const uint8_t *head, size_t n_head)
{
  static const char starts[][4]
      = { "\x5c\x01\0\0", "\0\0\x01\x5c", "\x1c\x02\0\0", "\0\0\x02\x1c" };

  for (size_t i = 0; n_head >= 4 && i < G_N_ELEMENTS (starts); i++)
    if (memcmp (head, starts[i], 4) == 0)
      return true;
  return false;
}

// NULL: `location` does not hold the samples of a header beside it. Transfer full.
static char *
header_of (const char *location)
{
  g_autofree char *name = g_ascii_strdown (location, -1);
  const bool packed = g_str_has_suffix (name, ".img.gz");

  return packed || g_str_has_suffix (name, ".img")
             ? odl_source_file_with_ending (location, packed ? ".hdr.gz" : ".hdr")
             : NULL;
}

// Packed files are unpacked by the helper alone, which says what they are.
static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_ascii_strdown (location, -1);
  g_autofree char *header = header_of (location);
  const bool packed = n_head >= 2 && head[0] == 0x1f && head[1] == 0x8b;

  if (is_header (head, n_head) || (packed && header == NULL)
      || (n_head > 0 && g_str_has_suffix (name, ".nii")))
    return true;
  return n_head > 0 && header != NULL && g_file_test (header, G_FILE_TEST_IS_REGULAR);
}

// The file of the samples if `header` may be one of two files. Transfer full.
static char *
samples_of (const char *header)
{
  g_autofree char *name = g_ascii_strdown (header, -1);
  const bool packed = g_str_has_suffix (name, ".hdr.gz");

  return packed || g_str_has_suffix (name, ".hdr")
             ? odl_source_file_with_ending (header, packed ? ".img.gz" : ".img")
             : NULL;
}

static OdlSource *
open_nifti (const char *location, GCancellable *cancellable, GError **error)
{
  g_autofree char *header = header_of (location);
  g_autofree char *samples = samples_of (header != NULL ? header : location);
  OdlDecoderRequest request
      = { .location = header != NULL ? header : location, .format = "nifti" };
  struct stat status;

  if (samples != NULL && stat (samples, &status) == 0)
    request.beside_bytes = (uint64_t) MAX (status.st_size, 0);
  return odl_decoded_source_open (&odl_nifti_source, &request, cancellable, error);
}

static GStrv
list_files (const char *location)
{
  g_autofree char *header = header_of (location);
  g_autofree char *samples = samples_of (header != NULL ? header : location);
  const char *const files[] = { samples, header, NULL };

  return samples != NULL ? g_strdupv ((char **) files) : NULL;
}

static const char *const examples[] = { "*.nii", "*.nii.gz", "*.hdr", "*.hdr.gz", NULL };

const OdlSourceClass odl_nifti_source = {
  .name = "nifti",
  .description = N_ ("NIfTI: volume, or volumes over time"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_nifti,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
