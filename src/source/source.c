// SPDX-License-Identifier: MIT
#include "source/source.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"
#include "image/damaged.h"
#include "source/source_file.h"

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
          && index >= source->info.n_frames))
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("%s has frames 1 to %d; there is no frame %" PRId64),
                           source->info.name, source->info.n_frames, index + 1);
  if (g_cancellable_is_cancelled (cancellable))
    return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
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

bool
odl_source_has_beams (const OdlSource *source)
{
  return odl_source_detail (source, "beam-data") != NULL;
}

bool
odl_source_class_knows_name (const OdlSourceClass *klass, const char *path)
{
  g_autofree char *name = g_ascii_strdown (path, -1);

  for (const char *const *example = klass->examples; *example != NULL; example++)
    if (**example == '*' && g_str_has_suffix (name, *example + 1))
      return true;
  return false;
}
