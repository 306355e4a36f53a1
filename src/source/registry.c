// SPDX-License-Identifier: MIT
// The registry of sources: their order, and how a location finds its source.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/metaimage.h"
#include "source/layer.h"
#include "source/pages.h"
#include "source/dicom/series.h"
#include "source/sequence.h"
#include "source/source_file.h"
#include "source/still.h"
#include "source/video/video.h"
#include "source/volume.h"

extern const OdlSourceClass odl_array_source;
extern const OdlSourceClass odl_camera_source;
extern const OdlSourceClass odl_painting_source;
extern const OdlSourceClass odl_phantom_source;
extern const OdlSourceClass odl_volume_phantom_source;
extern const OdlSourceClass odl_xray_source;
extern const OdlSourceClass odl_beams_source;
extern const OdlSourceClass odl_face_source;
extern const OdlSourceClass odl_grid_source;
extern const OdlSourceClass odl_hdf5_source;
extern const OdlSourceClass odl_nifti_source;
extern const OdlSourceClass odl_nrrd_source;

static const OdlSourceClass *const classes[] = {
  // Before the other phantom, whose prefix they have.
  &odl_painting_source,
  &odl_xray_source,
  &odl_beams_source,
  &odl_face_source,
  &odl_volume_phantom_source,
  &odl_phantom_source,
  &odl_array_source,
  &odl_camera_source,
  &odl_layer_source,
  &odl_pages_source,
  &odl_sequence_source,
  &odl_series_source,
  // Before stills: a DICOM preamble may contain a TIFF header.
  &odl_dicom_source,
  &odl_metaimage_source,
  &odl_nifti_source,
  &odl_nrrd_source,
  &odl_hdf5_source,
  &odl_grid_source,
  // Before stills: a motion JPEG stream starts like a JPEG file.
  &odl_video_source,
  &odl_still_source,
};

// Known unsupported formats, for a specific error message.
static const struct {
  size_t offset;
  const char *bytes;
  size_t n_bytes;
  const char *name;
} unsupported[] = {
  { 4, "ftyphei", 7, N_ ("a HEIF image") },
  { 4, "ftypmif1", 8, N_ ("a HEIF image") },
  { 4, "ftypmiaf", 8, N_ ("a HEIF image") },
  { 4, "ftypmsf1", 8, N_ ("a HEIF image") },
  { 0, "8BPS", 4, N_ ("a Photoshop document") },
  { 0, "MATLAB 5.0 MAT", 14, N_ ("a MATLAB file of before 7.3 (save it with -v7.3)") },
  { 0, "%PDF", 4, N_ ("a PDF document") },
  { 0, "PK\x03\x04", 4, N_ ("a ZIP archive") },
  { 0,
    "\x7f"
    "ELF",
    4, N_ ("a program") },
};

size_t
odl_source_count (void)
{
  return G_N_ELEMENTS (classes);
}

const OdlSourceClass *
odl_source_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (classes), NULL);
  return classes[index];
}

// NULL: unknown.
static const char *
unsupported_format (const uint8_t *head, size_t n_head)
{
  for (size_t i = 0; i < G_N_ELEMENTS (unsupported); i++)
    if (n_head >= unsupported[i].offset + unsupported[i].n_bytes
        && memcmp (head + unsupported[i].offset, unsupported[i].bytes,
                   unsupported[i].n_bytes)
               == 0)
      return unsupported[i].name;
  return NULL;
}

// Of NIfTI and ANALYZE in two files. Transfer full; NULL: `location` is no half of them.
static char *
missing_header (const char *location)
{
  g_autofree char *name = g_ascii_strdown (location, -1);
  const bool packed = g_str_has_suffix (name, ".img.gz");
  g_autofree char *header
      = packed || g_str_has_suffix (name, ".img")
            ? odl_source_file_with_ending (location, packed ? ".hdr.gz" : ".hdr")
            : NULL;

  return header != NULL && !g_file_test (header, G_FILE_TEST_EXISTS)
             ? odl_source_file_display_name (header)
             : NULL;
}

static void
set_unknown_error (const char *location, const char *format, GError **error)
{
  g_autofree char *header = format == NULL ? missing_header (location) : NULL;

  if (format != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("it is %s, which is not supported"), _ (format));
  else if (header != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("%s, the header that says what its samples are, is not in its "
                    "folder: put it there"),
                 header);
  else
    g_set_error_literal (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("it is not an image of a known format (PNG, JPEG, JPEG 2000, GIF, BMP, TIFF, "
           "WebP, AVIF, TGA, PNM, NPY, OpenEXR, DICOM, MetaImage, NIfTI, NRRD, HDF5, "
           "OBJ, video)"));
}

// "volume:LOCATION"; of a folder its largest series.
static OdlSource *
open_as_volume (const char *location, GCancellable *cancellable, GError **error)
{
  const char *path = location + strlen (ODL_VOLUME_PREFIX);
  g_autofree char *pictures = g_file_test (path, G_FILE_TEST_IS_DIR)
                                  ? odl_series_location (path)
                                  : g_strdup (path);
  g_autoptr (OdlSource) source
      = odl_series_path (pictures) != NULL
            ? odl_series_open_filled (pictures, cancellable, error)
            : odl_source_open (pictures, cancellable, error);

  if (source == NULL || !odl_source_become_volume (source, cancellable, error))
    return NULL;
  g_free (source->info.location);
  source->info.location = g_strdup (location);
  return g_steal_pointer (&source);
}

OdlSource *
odl_source_open (const char *location, GCancellable *cancellable, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;
  g_autoptr (GError) unreadable = NULL;

  g_return_val_if_fail (location != NULL, NULL);
  if (g_cancellable_is_cancelled (cancellable))
    return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
  if (g_str_has_prefix (location, ODL_VOLUME_PREFIX))
    return open_as_volume (location, cancellable, error);
  odl_source_file_read_head (location, head, &n_head, &unreadable);
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i]->probe (location, head, n_head))
      return classes[i]->open (location, cancellable, error);

  if (g_file_test (location, G_FILE_TEST_IS_DIR)) {
    g_autofree char *shown = odl_source_file_display_path (location);
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("it is a folder. Name a picture in it, or series:%s for the DICOM "
                    "series in it"),
                 shown);
    odl_source_file_name_error (location, error);
    return NULL;
  }
  if (unreadable != NULL) {
    g_propagate_error (error, g_steal_pointer (&unreadable));
    return NULL;
  }
  const char *name = unsupported_format (head, n_head);
  for (size_t i = 0; name == NULL && i < G_N_ELEMENTS (classes); i++)
    if (classes[i]->recognise != NULL && classes[i]->recognise (location, cancellable))
      return classes[i]->open (location, cancellable, error);
  if (g_cancellable_is_cancelled (cancellable))
    return odl_error_null (error, ODL_ERROR_CANCELLED, "%s", _ ("cancelled"));
  set_unknown_error (location, name, error);
  odl_source_file_name_error (location, error);
  return NULL;
}

char *
odl_source_preview (const char *location)
{
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i]->preview != NULL && classes[i]->probe (location, NULL, 0))
      return classes[i]->preview (location);
  return NULL;
}

bool
odl_source_looks_like_video (const char *path)
{
  return odl_source_class_knows_name (&odl_video_source, path);
}

bool
odl_source_is_candidate (const char *path)
{
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (odl_source_class_knows_name (classes[i], path))
      return true;
  return odl_dicom_is_candidate (path);
}
