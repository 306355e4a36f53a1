// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/source.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "image/damaged.h"
#include "source/camera/camera.h"
#include "source/dicom.h"
#include "source/metaimage.h"
#include "source/sequence.h"
#include "source/source_file.h"
#include "source/still.h"
#include "source/video/video.h"

extern const OdlSourceClass odl_phantom_source;

static const OdlSourceClass *const classes[] = {
  &odl_phantom_source,
  &odl_camera_source,
  &odl_sequence_source,
  // Before stills: a DICOM preamble may contain a TIFF header.
  &odl_dicom_source,
  &odl_metaimage_source,
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
} strangers[] = {
  { 0, "\xff\x4f\xff\x51", 4, N_ ("a JPEG 2000 image") },
  { 4, "jP  \r\n", 6, N_ ("a JPEG 2000 image") },
  { 4, "ftypavif", 8, N_ ("an AVIF image") },
  { 4, "ftyphei", 7, N_ ("a HEIF image") },
  { 8, "WEBP", 4, N_ ("a WebP image") },
  { 0, "8BPS", 4, N_ ("a Photoshop document") },
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
stranger (const uint8_t *head, size_t n_head)
{
  for (size_t i = 0; i < G_N_ELEMENTS (strangers); i++)
    if (n_head >= strangers[i].offset + strangers[i].n_bytes
        && memcmp (head + strangers[i].offset, strangers[i].bytes, strangers[i].n_bytes)
               == 0)
      return strangers[i].name;
  return NULL;
}

static void
set_unknown_error (const char *stranger_name, GError **error)
{
  if (stranger_name != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("it is %s, which is not supported"), _ (stranger_name));
  else
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         _ ("it is not an image of a known format (PNG, JPEG, GIF, BMP, "
                            "TIFF, DICOM, MetaImage, video)"));
}

OdlSource *
odl_source_open (const char *location, GCancellable *cancellable, GError **error)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;
  g_autoptr (GError) unreadable = NULL;

  g_return_val_if_fail (location != NULL, NULL);
  if (g_cancellable_is_cancelled (cancellable)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
    return NULL;
  }
  odl_source_file_read_head (location, head, &n_head, &unreadable);
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i]->probe (location, head, n_head))
      return classes[i]->open (location, cancellable, error);

  if (unreadable != NULL) {
    g_propagate_error (error, g_steal_pointer (&unreadable));
    return NULL;
  }
  const char *name = stranger (head, n_head);
  for (size_t i = 0; name == NULL && i < G_N_ELEMENTS (classes); i++)
    if (classes[i]->recognise != NULL && classes[i]->recognise (location))
      return classes[i]->open (location, cancellable, error);
  set_unknown_error (name, error);
  odl_source_file_name_error (location, error);
  return NULL;
}

void
odl_source_init (OdlSource *source, const OdlSourceClass *klass, const char *location)
{
  source->klass = klass;
  g_atomic_ref_count_init (&source->ref_count);
  g_mutex_init (&source->pool_mutex);
  source->info = (OdlSourceInfo){
    .name = odl_source_file_display_name (location),
    .location = g_strdup (location),
    .n_frames = 1,
    .declared_frames = 1,
    .details = g_ptr_array_new_with_free_func (g_free),
  };
}

void
odl_source_add_detail (OdlSource *source, const char *key, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (source->info.details, g_strdup (key));
  g_ptr_array_add (source->info.details, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

OdlSource *
odl_source_ref (OdlSource *source)
{
  g_atomic_ref_count_inc (&source->ref_count);
  return source;
}

void
odl_source_unref (OdlSource *source)
{
  if (source == NULL || !g_atomic_ref_count_dec (&source->ref_count))
    return;
  source->klass->close (source);
  g_clear_pointer (&source->like, odl_image_unref);
  g_clear_pointer (&source->pool, odl_image_pool_unref);
  g_mutex_clear (&source->pool_mutex);
  g_free (source->info.name);
  g_free (source->info.location);
  g_free (source->info.format);
  g_free (source->info.warning);
  g_free (source->info.frame_times_ns);
  g_free (source->info.timing);
  g_ptr_array_unref (source->info.details);
  g_free (source);
}

void
odl_source_park (OdlSource *source, bool park)
{
  if (source->klass->park != NULL)
    source->klass->park (source, park);
}

void
odl_source_set_pool (OdlSource *source, OdlImagePool *pool)
{
  OdlImagePool *wanted
      = pool != NULL && source->info.live ? odl_image_pool_ref (pool) : NULL;

  g_mutex_lock (&source->pool_mutex);
  OdlImagePool *before = source->pool;
  source->pool = wanted;
  g_mutex_unlock (&source->pool_mutex);
  odl_image_pool_unref (before);
}

OdlImagePool *
odl_source_ref_pool (OdlSource *source)
{
  g_mutex_lock (&source->pool_mutex);
  OdlImagePool *pool = source->pool != NULL ? odl_image_pool_ref (source->pool) : NULL;
  g_mutex_unlock (&source->pool_mutex);
  return pool;
}

void
odl_source_set_no_frame (const OdlSource *source, int64_t index, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
               _ ("there is no frame %" PRId64 "; the last one is %d"), index + 1,
               MAX (source->info.n_frames, 1));
}

OdlImage *
odl_source_read_frame (OdlSource *source,
                       int64_t index,
                       GCancellable *cancellable,
                       GError **error)
{
  if (index < 0
      || (!source->info.live && source->info.n_frames > 0
          && index >= source->info.n_frames)) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_USAGE,
                 _ ("%s has frames 1 to %d; there is no frame %" PRId64),
                 source->info.name, source->info.n_frames, index + 1);
    return NULL;
  }
  if (g_cancellable_is_cancelled (cancellable)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
    return NULL;
  }
  return source->klass->read_frame (source, index, cancellable, error);
}

OdlImage *
odl_source_read_first (OdlSource *source, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) failure = NULL;
  OdlImage *image = odl_source_read_frame (source, 0, cancellable, &failure);

  if (image == NULL && source->like != NULL
      && g_error_matches (failure, ODL_ERROR, ODL_ERROR_CORRUPT))
    image = odl_damaged_image (source->like);
  if (image == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return image;
}

// DICOM files often have no extension.
static bool
has_dicom_preamble (const char *path)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  return odl_source_file_read_head (path, head, &n_head, NULL) && n_head >= 132
         && memcmp (head + 128, "DICM", 4) == 0;
}

static bool
has_ending_of (const char *name, const OdlSourceClass *klass)
{
  for (const char *const *example = klass->examples; *example != NULL; example++)
    if (**example == '*' && g_str_has_suffix (name, *example + 1))
      return true;
  return false;
}

bool
odl_source_looks_like_video (const char *path)
{
  g_autofree char *name = g_ascii_strdown (path, -1);

  return has_ending_of (name, &odl_video_source);
}

bool
odl_source_is_candidate (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_ascii_strdown (base, -1);

  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (has_ending_of (name, classes[i]))
      return true;
  return strchr (name, '.') == NULL && has_dicom_preamble (path);
}

bool
odl_source_is_moving (const OdlSource *source)
{
  return source->info.live || source->info.n_frames != 1;
}

const char *
odl_source_detail (const OdlSource *source, const char *key)
{
  g_return_val_if_fail (source != NULL && key != NULL, NULL);

  const GPtrArray *details = source->info.details;
  for (guint i = 0; details != NULL && i + 1 < details->len; i += 2)
    if (g_str_equal (details->pdata[i], key))
      return details->pdata[i + 1];
  return NULL;
}
