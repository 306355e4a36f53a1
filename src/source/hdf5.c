// SPDX-License-Identifier: MIT
// HDF5 files: zea, UFF, MATLAB 7.3, and arrays by name ("FILE:/NAME"), decoded by the
// helper.
#include <string.h>

#include "base/text.h"
#include "source/helper/client.h"
#include "source/source_file.h"

extern const OdlSourceClass odl_hdf5_source;

#define SIGNATURE "\x89HDF\r\n\x1a\n"
// What stands before the signature in MATLAB's files.
#define MATLAB "MATLAB 7.3 MAT-file"

// What other programs put before the signature is not known: the ending decides.
static bool
is_hdf5 (const char *path, const uint8_t *head, size_t n_head)
{
  static const char *const beginnings[] = { SIGNATURE, MATLAB };
  static const char *const endings[] = { ".h5", ".hdf5", ".uff" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (size_t i = 0; i < G_N_ELEMENTS (beginnings); i++) {
    const size_t n = strlen (beginnings[i]);
    if (n_head >= n && memcmp (head, beginnings[i], n) == 0)
      return true;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (endings) && n_head > 0; i++)
    if (g_str_has_suffix (lower, endings[i]))
      return true;
  return false;
}

// The file of "FILE:/NAME", and where the name begins. Transfer full; NULL: it is no such
// location.
static char *
split (const char *location, const char **name)
{
  const size_t before = odl_text_before_inner (location);

  if (before == 0 || g_file_test (location, G_FILE_TEST_EXISTS))
    return NULL;
  *name = location + before + 1;
  return g_strndup (location, before);
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  uint8_t inner[ODL_SOURCE_HEAD_BYTES];
  const char *name;
  size_t n = 0;

  if (is_hdf5 (location, head, n_head))
    return true;
  g_autofree char *path = split (location, &name);
  return path != NULL && odl_source_file_read_head (path, inner, &n, NULL)
         && is_hdf5 (path, inner, n);
}

static GStrv
list_files (const char *location)
{
  const char *name;
  g_autofree char *path = split (location, &name);
  const char *const files[] = { path, NULL };

  return g_strdupv ((char **) files);
}

static OdlSource *
open_hdf5 (const char *location, GCancellable *cancellable, GError **error)
{
  const char *name = NULL;
  g_autofree char *path = split (location, &name);
  const OdlDecoderRequest request = {
    .location = path != NULL ? path : location,
    .format = name != NULL ? "hdf5-array" : "hdf5",
    .choice = name,
  };
  OdlSource *source
      = odl_decoded_source_open (&odl_hdf5_source, &request, cancellable, error);

  if (source == NULL || name == NULL)
    return source;
  g_autofree char *file = source->info.name;
  g_autofree char *shown = g_utf8_make_valid (name, -1);
  source->info.name = g_strdup_printf ("%s, %s", file, shown);
  g_free (source->info.location);
  source->info.location = g_strdup (location);
  return source;
}

static const char *const examples[]
    = { "*.h5", "*.hdf5", "*.uff", "FILE.h5:/NAME", NULL };

const OdlSourceClass odl_hdf5_source = {
  .name = "hdf5",
  .description = N_ ("HDF5: zea, UFF, MATLAB 7.3, or an array by its name"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_hdf5,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
