// SPDX-License-Identifier: MIT
// Pictures, recognised by their first bytes and decoded by the helper.
#include "source/still.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "source/helper/client.h"
#include "source/source_file.h"

static const struct {
  const char *format;
  size_t offset;
  const char *bytes;
  size_t n_bytes;
} signatures[] = {
  { "png", 0, "\x89PNG\r\n\x1a\n", 8 },
  { "jpeg", 0, "\xff\xd8\xff", 3 },
  { "gif", 0, "GIF87a", 6 },
  { "gif", 0, "GIF89a", 6 },
  { "tiff", 0, "II*\0", 4 },
  { "tiff", 0, "MM\0*", 4 },
  { "tiff", 0, "II+\0\x08\0\0\0", 8 },
  { "tiff", 0, "MM\0+\0\x08\0\0", 8 },
  { "bmp", 0, "BM", 2 },
  { "webp", 8, "WEBP", 4 },
  { "jpeg2000", 0, "\xff\x4f\xff\x51", 4 },
  { "jpeg2000", 4, "jP  \r\n\x87\n", 8 },
  { "npy", 0, "\x93NUMPY", 6 },
  { "exr", 0, "v/1\x01", 4 },
};

// AVIF is what has its brand among the compatible ones (AVIF 1.1, 6), whatever the major
// one is. The box begins with its length; behind the major brand stands a version.
static bool
is_avif (const uint8_t *head, size_t n_head)
{
  if (n_head < 12 || memcmp (head + 4, "ftyp", 4) != 0)
    return false;
  const size_t length
      = (size_t) head[0] << 24 | (size_t) head[1] << 16 | (size_t) head[2] << 8 | head[3];
  for (size_t at = 8; at + 4 <= MIN (length, n_head); at += 4)
    if (at != 12
        && (memcmp (head + at, "avif", 4) == 0 || memcmp (head + at, "avis", 4) == 0))
      return true;
  return false;
}

const char *
odl_still_format (const uint8_t *head, size_t n_head)
{
  for (size_t i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (n_head >= signatures[i].offset + signatures[i].n_bytes
        && memcmp (head + signatures[i].offset, signatures[i].bytes,
                   signatures[i].n_bytes)
               == 0)
      return signatures[i].format;
  if (is_avif (head, n_head))
    return "avif";
  // Netpbm's letter and digit alone begin many texts.
  return n_head >= 3 && head[0] == 'P' && strchr ("123456fF", head[1]) != NULL
                 && head[1] != '\0' && g_ascii_isspace (head[2])
             ? "pnm"
             : NULL;
}

// TGA files begin with no words of their own: the name says it, and the header must suit.
// What comes by standard input has no name; without a colour map, whose description then
// is zeros, it has enough of a header to be known.
static bool
is_tga (const char *location, const uint8_t *head, size_t n_head)
{
  static const uint8_t none[5] = { 0 };
  g_autofree char *name = g_ascii_strdown (location, -1);

  if (n_head < 18 || head[1] > 1 || (head[2] & ~8) < 1 || (head[2] & ~8) > 3
      || memchr ("\x08\x0f\x10\x18\x20", head[16], 5) == NULL)
    return false;
  return g_str_has_suffix (name, ".tga")
         || (odl_source_file_is_standard_input (location)
             && memcmp (head + 3, none, sizeof none) == 0);
}

static const char *
format_of (const char *location, const uint8_t *head, size_t n_head)
{
  const char *format = odl_still_format (head, n_head);

  return format == NULL && is_tga (location, head, n_head) ? "tga" : format;
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return format_of (location, head, n_head) != NULL;
}

// ---- Sets of files ----

static bool
is_ome (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".ome.tif") || g_str_has_suffix (lower, ".ome.tiff");
}

// Those that an OME-TIFF file may have pages in: all of such names in its folder. NULL:
// it is another file.
static GStrv
list_files (const char *location)
{
  g_autofree char *folder = g_path_get_dirname (location);
  g_autoptr (GDir) dir = is_ome (location) ? g_dir_open (folder, 0, NULL) : NULL;
  GPtrArray *files = g_ptr_array_new ();
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_ome (name))
      g_ptr_array_add (files, g_build_filename (folder, name, NULL));
  g_ptr_array_add (files, NULL);
  return (GStrv) g_ptr_array_free (files, FALSE);
}

// Bytes of the largest of them, since one is mapped at a time.
static uint64_t
bytes_beside (const char *location)
{
  g_auto (GStrv) files = list_files (location);
  uint64_t most = 0;
  GStatBuf status;

  for (char **file = files; *file != NULL; file++)
    if (g_stat (*file, &status) == 0 && S_ISREG (status.st_mode))
      most = MAX (most, (uint64_t) MAX (status.st_size, 0));
  return most;
}

static OdlSource *
open_still (const char *location, GCancellable *cancellable, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (!odl_source_file_read_head (location, head, &n_head, error))
    return NULL;

  OdlDecoderRequest request = { .location = location,
                                .format = format_of (location, head, n_head),
                                .beside_bytes = bytes_beside (location) };
  g_return_val_if_fail (request.format != NULL, NULL);
  return odl_decoded_source_open (&odl_still_source, &request, cancellable, error);
}

static const char *const examples[]
    = { "*.png", "*.jpg", "*.jpeg", "*.gif",  "*.bmp",  "*.tif", "*.tiff", "*.jp2",
        "*.j2k", "*.j2c", "*.jpc",  "*.webp", "*.avif", "*.tga", "*.npy",  "*.exr",
        "*.pbm", "*.pgm", "*.ppm",  "*.pnm",  "*.pfm",  NULL };

const OdlSourceClass odl_still_source = {
  .name = "still",
  .description = N_ ("Still picture: PNG, JPEG, JPEG 2000, GIF, BMP, TIFF, WebP, AVIF, "
                     "TGA, PNM, NPY or OpenEXR"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_still,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
