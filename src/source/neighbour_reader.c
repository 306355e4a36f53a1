// SPDX-License-Identifier: MIT
#include "source/neighbour_reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/error.h"

#include "source/volume.h"

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

struct _OdlNeighbourReader {
  OdlSource *source;
  int floats;
  OdlNeighbours *last; // what was read last; NULL: nothing
  GHashTable *kept; // index -> OdlImage; NULL: nothing
  size_t most_bytes, kept_bytes;
  int n_read; // frames or volumes
};

OdlNeighbourReader *
odl_neighbour_reader_new (OdlSource *source, int floats)
{
  OdlNeighbourReader *reader = g_new0 (OdlNeighbourReader, 1);

  reader->source = odl_source_ref (source);
  reader->floats = floats;
  return reader;
}

int
odl_neighbour_reader_n_read (const OdlNeighbourReader *reader)
{
  return reader->n_read;
}

void
odl_neighbour_reader_free (OdlNeighbourReader *reader)
{
  if (reader == NULL)
    return;
  odl_source_unref (reader->source);
  odl_neighbours_unref (reader->last);
  g_clear_pointer (&reader->kept, g_hash_table_unref);
  g_free (reader);
}

void
odl_neighbour_reader_keep (OdlNeighbourReader *reader, size_t most_bytes)
{
  reader->most_bytes = most_bytes;
  if (reader->kept == NULL)
    reader->kept = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                          (GDestroyNotify) odl_image_unref);
  if (reader->kept_bytes <= most_bytes)
    return;
  g_hash_table_remove_all (reader->kept);
  reader->kept_bytes = 0;
}

// With what else there is room for.
static void
keep (OdlNeighbourReader *reader, int64_t index, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t bytes = (size_t) info->extent.x * (size_t) info->extent.y
                       * (size_t) info->extent.z * (size_t) info->channels
                       * odl_sample_size (info->type);

  if (reader->kept == NULL || reader->kept_bytes + bytes > reader->most_bytes)
    return;
  reader->kept_bytes += bytes;
  g_hash_table_insert (reader->kept, g_memdup2 (&index, sizeof index),
                       odl_image_ref (image));
}

// More frames than any sequence has; twice as many are an int, too.
#define ENDLESS (G_MAXINT / 4)

// ENDLESS while the end is not known, and of sources without one.
static int64_t
count_of (const OdlSourceInfo *info, bool wraps)
{
  if (info->n_slices > 0)
    return info->n_frames / info->n_slices;
  const bool open = info->n_frames == 0 || info->at_most || (info->live && !wraps);
  return open ? ENDLESS : info->n_frames;
}

static OdlImage *
read_one (OdlNeighbourReader *reader,
          int64_t index,
          GCancellable *cancellable,
          GError **error)
{
  OdlImage *kept
      = reader->last != NULL ? odl_neighbours_find (reader->last, index) : NULL;

  if (kept == NULL && reader->kept != NULL)
    kept = g_hash_table_lookup (reader->kept, &index);
  if (kept != NULL)
    return odl_image_ref (kept);
  reader->n_read++;
  OdlImage *image
      = reader->source->info.n_slices > 0
            ? odl_source_read_volume (reader->source, (int) index, reader->floats,
                                      cancellable, error)
            : odl_source_read_frame (reader->source, index, cancellable, error);
  if (image != NULL)
    keep (reader, index, image);
  return image;
}

static bool
is_alike (const OdlNeighbourReader *reader,
          const OdlImage *one,
          const OdlImage *other,
          int64_t index,
          GError **error)
{
  if (odl_neighbours_are_alike (one, other))
    return true;
  return odl_error_set (
      error, ODL_ERROR_CORRUPT,
      _ ("%s: time step %" PRId64
         " has another size or range than its neighbours; filter without “dimensions=4”, "
         "or with one frame"),
      reader->source->info.name, index + 1);
}

// A camera that sends nothing any more has come to its end, too, for what it sent.
static bool
is_end (const OdlNeighbourReader *reader, bool later, const GError *error)
{
  return g_error_matches (error, ODL_ERROR, ODL_ERROR_END)
         || (later && odl_source_is_kept (reader->source)
             && (g_error_matches (error, ODL_ERROR, ODL_ERROR_IO)
                 || g_error_matches (error, ODL_ERROR, ODL_ERROR_NO_SIGNAL)));
}

// Those from `from` to `to`, unless the sequence turns out to be shorter; *count is then
// its length.
static bool
read_range (OdlNeighbourReader *reader,
            OdlNeighbours *neighbours,
            int64_t from,
            int64_t to,
            int64_t *count,
            GCancellable *cancellable,
            GError **error)
{
  OdlImage *own = odl_neighbours_find (neighbours, odl_neighbours_at (neighbours));

  for (int64_t i = from; i <= to && i < *count; i++) {
    const int64_t index = (i % *count + *count) % *count;
    g_autoptr (GError) cause = NULL;
    if (odl_neighbours_find (neighbours, index) != NULL)
      continue;
    g_autoptr (OdlImage) image = read_one (reader, index, cancellable, &cause);
    if (image == NULL && is_end (reader, index > odl_neighbours_at (neighbours), cause)) {
      *count = index;
      return true;
    }
    if (image == NULL) {
      g_propagate_error (error, g_steal_pointer (&cause));
      return false;
    }
    if (!is_alike (reader, image, own, index, error))
      return false;
    odl_neighbours_put (neighbours, index, image);
  }
  return true;
}

OdlNeighbours *
odl_neighbours_read (OdlNeighbourReader *reader,
                     int64_t index,
                     int past,
                     int ahead,
                     bool wraps,
                     GCancellable *cancellable,
                     GError **error)
{
  const OdlSourceInfo *info = &reader->source->info;
  int64_t count = count_of (info, wraps);

  if (info->capture && !odl_source_is_kept (reader->source))
    return odl_error_null (error, ODL_ERROR_UNSUPPORTED,
                           _ ("%s: filters with “dimensions=4”, or with several frames, "
                              "look at later ones, which a camera has not delivered yet; "
                              "record it first, or take a filter over time such as "
                              "sliding-mean"),
                           info->name);
  if (wraps && count == ENDLESS)
    return odl_error_null (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("%s: its length is not known before its end, so that it cannot go on with its "
           "first frame there; choose another border than “periodic”"),
        info->name);
  g_autoptr (OdlImage) own = read_one (reader, index, cancellable, error);
  if (own == NULL)
    return NULL;
  g_autoptr (OdlNeighbours) neighbours = odl_neighbours_new (index, count);
  odl_neighbours_put (neighbours, index, own);
  const int64_t from = wraps ? index - past : MAX (index - past, 0);
  if (!read_range (reader, neighbours, from, index + ahead, &count, cancellable, error))
    return NULL;
  if (wraps && index + ahead >= count
      && !read_range (reader, neighbours, 0, index + ahead - count, &count, cancellable,
                      error))
    return NULL;
  odl_neighbours_set_count (neighbours, count);
  odl_neighbours_unref (reader->last);
  reader->last = odl_neighbours_ref (neighbours);
  return g_steal_pointer (&neighbours);
}
