// SPDX-License-Identifier: MIT
#include "source/kept.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"

typedef struct {
  OdlSource base; // first member
  OdlSource *capture;
  GMutex mutex; // guards what follows, and reading the capture
  int count;
  OdlImage **images; // of frame i: images[i % count]; NULL: none, or it was damaged
  int64_t next; // frame that the capture delivers next
} KeptSource;

static void
kept_close (OdlSource *source)
{
  KeptSource *self = (KeptSource *) source;

  for (int i = 0; i < self->count; i++)
    g_clear_pointer (&self->images[i], odl_image_unref);
  g_free (self->images);
  g_mutex_clear (&self->mutex);
  odl_source_unref (self->capture);
}

// The next frame of the capture. A damaged one counts, and leaves its place empty.
static bool
take_next (KeptSource *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) cause = NULL;
  OdlImage **place = &self->images[self->next % self->count];
  OdlImage *image
      = odl_source_read_frame (self->capture, self->next, cancellable, &cause);

  g_atomic_int_set (&self->base.missed, g_atomic_int_get (&self->capture->missed));
  if (image == NULL && !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return false;
  }
  g_clear_pointer (place, odl_image_unref);
  *place = image;
  self->next++;
  return true;
}

static OdlImage *
find_frame (KeptSource *self, int64_t index, GCancellable *cancellable, GError **error)
{
  while (self->next <= index)
    if (!take_next (self, cancellable, error))
      return NULL;
  if (index < self->next - self->count)
    return odl_error_null (error, ODL_ERROR_IO,
                           _ ("%s: frame %" PRId64 " came too long ago and was not kept"),
                           self->base.info.name, index + 1);
  OdlImage *image = self->images[index % self->count];
  if (image != NULL)
    return odl_image_ref (image);
  return odl_error_null (error, ODL_ERROR_CORRUPT, _ ("%s: frame %" PRId64 " is damaged"),
                         self->base.info.name, index + 1);
}

static OdlImage *
kept_read_frame (OdlSource *source,
                 int64_t index,
                 GCancellable *cancellable,
                 GError **error)
{
  KeptSource *self = (KeptSource *) source;

  g_mutex_lock (&self->mutex);
  OdlImage *image = find_frame (self, index, cancellable, error);
  g_mutex_unlock (&self->mutex);
  return image;
}

static void
kept_park (OdlSource *source, bool park)
{
  odl_source_park (((KeptSource *) source)->capture, park);
}

// In no registry: it is no location to open.
static const OdlSourceClass kept_source = {
  .name = "kept",
  .description = N_ ("Latest frames of a camera"),
  .close = kept_close,
  .read_frame = kept_read_frame,
  .park = kept_park,
};

OdlSource *
odl_kept_source_new (OdlSource *capture, int count)
{
  g_return_val_if_fail (capture != NULL && capture->info.capture && count > 0, NULL);

  KeptSource *self = g_new0 (KeptSource, 1);
  const OdlSourceInfo *from = &capture->info;
  odl_source_init (&self->base, &kept_source, from->location);
  OdlSourceInfo *info = &self->base.info;
  g_free (info->name);
  info->name = g_strdup (from->name);
  info->format = g_strdup (from->format);
  info->timing = g_strdup (from->timing);
  info->warning = g_strdup (from->warning);
  info->n_frames = from->n_frames;
  info->declared_frames = from->declared_frames;
  info->frame_rate = from->frame_rate;
  info->live = info->capture = true;
  for (guint i = 0; i < from->details->len; i++)
    g_ptr_array_add (info->details, g_strdup (from->details->pdata[i]));
  self->capture = odl_source_ref (capture);
  g_mutex_init (&self->mutex);
  self->count = count;
  self->images = g_new0 (OdlImage *, count);
  return &self->base;
}

bool
odl_source_is_kept (const OdlSource *source)
{
  return source->klass == &kept_source;
}
