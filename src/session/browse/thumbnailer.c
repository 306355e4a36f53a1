// SPDX-License-Identifier: MIT
#include "session/browse/thumbnailer.h"

#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "image/display/display.h"
#include "image/image.h"
#include "source/source.h"
#include "source/video/video.h"

// Averages boxes of the large picture, since point sampling would lose small details.
static void
add_row (const float *row, int width, int out_width, float *sums, float *counts)
{
  for (int x = 0; x < width; x++) {
    int to = (int) ((int64_t) x * out_width / width);
    sums[to] += row[x];
    counts[to] += 1;
  }
}

static OdlImage *
shrink (const OdlImage *image, int width, int height, GError **error)
{
  const OdlImageInfo *from = odl_image_info (image);
  OdlImageInfo info = { .extent = { width, height, 1, 1 },
                        .channels = from->channels,
                        .type = ODL_SAMPLE_F32,
                        .stored_max = 1 };
  void *samples;
  OdlImage *small = odl_image_alloc (&info, &samples, error);
  if (!small)
    return NULL;
  size_t n = (size_t) width * height;
  g_autofree float *row = g_new (float, from->extent.x);
  g_autofree float *sums = g_new (float, n);
  g_autofree float *counts = g_new (float, n);
  for (int channel = 0; channel < from->channels; channel++) {
    memset (sums, 0, n * sizeof (float));
    memset (counts, 0, n * sizeof (float));
    for (int y = 0; y < from->extent.y; y++) {
      size_t to = (size_t) ((int64_t) y * height / from->extent.y) * width;
      odl_image_scaled_row (image, channel, y, 0, 0, row);
      add_row (row, from->extent.x, width, sums + to, counts + to);
    }
    for (size_t i = 0; i < n; i++)
      ((float *) samples)[i * from->channels + channel] = sums[i] / MAX (counts[i], 1);
  }
  return small;
}

// The shutter for the small picture: pixels are covered where it covers more than half of
// what they show.
static const OdlOverlay *
shrink_shutter (const OdlOverlay *shutter, int width, int height)
{
  const gsize n = (gsize) width * height, stride = odl_overlay_stride (width);
  g_autofree float *row = g_new (float, shutter->width);
  g_autofree float *sums = g_new0 (float, n);
  g_autofree float *counts = g_new0 (float, n);
  g_autofree uint8_t *bits = g_malloc0 (stride * height);
  for (int y = 0; y < shutter->height; y++) {
    const gsize to = (gsize) ((int64_t) y * height / shutter->height) * width;
    for (int x = 0; x < shutter->width; x++)
      row[x] = odl_overlay_has (shutter, x, y) ? 1 : 0;
    add_row (row, shutter->width, width, sums + to, counts + to);
  }
  for (gsize i = 0; i < n; i++)
    if (2 * sums[i] > counts[i])
      bits[i / width * stride + i % width / 8] |= (uint8_t) (1 << i % width % 8);
  return odl_overlay_new (width, height, bits);
}

// Shown size of an image whose pixels need not be square, within `side`.
static void
fit (const OdlImageInfo *info, int side, int *width, int *height)
{
  double aspect = info->pixel_aspect > 0 ? info->pixel_aspect : 1;
  double wide = info->extent.x * aspect;
  double high = info->extent.y;
  double scale = MIN (1.0, side / MAX (wide, high));
  *width = CLAMP ((int) (wide * scale + 0.5), 1, side);
  *height = CLAMP ((int) (high * scale + 0.5), 1, side);
}

OdlImage *
odl_thumbnail_make (const OdlImage *image, int side, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  int width, height;
  fit (info, side, &width, &height);
  // Shrinks only; where pixels are not square one axis may have to grow.
  int inner_width = MIN (width, info->extent.x);
  int inner_height = MIN (height, info->extent.y);
  g_autoptr (OdlImage) small = shrink (image, inner_width, inner_height, error);
  if (!small)
    return NULL;
  OdlImageInfo out
      = { .extent = { width, height, 1, 1 }, .channels = 4, .type = ODL_SAMPLE_U8 };
  void *rgba;
  OdlImage *thumbnail = odl_image_alloc (&out, &rgba, error);
  if (!thumbnail)
    return NULL;
  OdlWindow window = { .mode = ODL_WINDOW_FILE };
  const OdlOverlay *shutter
      = info->shutter ? shrink_shutter (info->shutter, inner_width, inner_height) : NULL;
  OdlDisplayScene scene = { .scaled = small,
                            .display = odl_display_make (info, &window, ODL_NO_DETAILS),
                            .smooth = true };
  scene.display.shutter = shutter;
  double aspect = (double) width / inner_width * inner_height / height;
  OdlView view = odl_view_make (inner_width, inner_height, aspect);
  odl_view_layout (&view, width, height);
  odl_display_render_view (&scene, &view, width, height, rgba);
  odl_overlay_unref (shutter);
  return thumbnail;
}

struct _OdlThumbnailer {
  GMutex mutex; // guards the fields up to `delivery`
  GCond changed;
  GQueue requests; // of char *, newest first
  GCancellable *running;
  bool stopping;
  GQueue done; // of Done *
  GSource *delivery;

  int side;
  GMainContext *context;
  GThread *thread;
  OdlThumbnailCb cb; // used in `context` only
  void *data;
};

typedef struct {
  char *location;
  OdlImage *image;
  GError *error;
} Done;

static void
done_free (void *data)
{
  Done *done = data;
  g_free (done->location);
  g_clear_pointer (&done->image, odl_image_unref);
  g_clear_error (&done->error);
  g_free (done);
}

static gboolean
deliver_cb (void *data)
{
  OdlThumbnailer *self = data;
  g_mutex_lock (&self->mutex);
  GQueue done = self->done;
  g_queue_init (&self->done);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_mutex_unlock (&self->mutex);
  Done *one;
  while ((one = g_queue_pop_head (&done))) {
    self->cb (one->location, one->image, one->error, self->data);
    done_free (one);
  }
  return G_SOURCE_REMOVE;
}

// With the mutex held.
static void
deliver (OdlThumbnailer *self, Done *done)
{
  g_queue_push_tail (&self->done, done);
  if (self->delivery)
    return;
  self->delivery = g_idle_source_new ();
  g_source_set_callback (self->delivery, deliver_cb, self, NULL);
  g_source_attach (self->delivery, self->context);
}

// The middle frame of a volume, since its ends show little. Frames without times are
// treated as a volume.
static int64_t
telling_frame (const OdlSource *source)
{
  const OdlSourceInfo *info = &source->info;
  const bool timed
      = info->frame_rate > 0 || info->frame_times_ns || info->live || info->capture;
  return timed ? 0 : MAX (info->n_frames, 1) / 2;
}

// No mark: a thumbnail is too small for text and only serves to recognise a file.
static OdlImage *
read_telling (OdlSource *source, GCancellable *cancellable, GError **error)
{
  const int64_t middle = telling_frame (source);
  OdlImage *image
      = middle > 0 ? odl_source_read_frame (source, middle, cancellable, NULL) : NULL;
  if (image)
    return image;
  return source->like ? odl_image_ref (source->like)
                      : odl_source_read_frame (source, 0, cancellable, error);
}

static OdlImage *
make (const char *location, int side, GCancellable *cancellable, GError **error)
{
  // A video would be read whole, to count its frames.
  g_autoptr (OdlImage) first = odl_source_looks_like_video (location)
                                   ? odl_video_source_glance (location, cancellable, NULL)
                                   : NULL;
  if (first)
    return odl_thumbnail_make (first, side, error);
  g_autoptr (OdlSource) source = odl_source_open (location, cancellable, error);
  if (!source)
    return NULL;
  g_autoptr (OdlImage) image = read_telling (source, cancellable, error);
  return image ? odl_thumbnail_make (image, side, error) : NULL;
}

// With the mutex held: the newest request. Videos come last and one at a time, since each
// needs a process of its own.
static char *
choose (OdlThumbnailer *self)
{
  for (GList *l = self->requests.head; l != NULL; l = l->next) {
    char *location = l->data;
    if (odl_source_looks_like_video (location))
      continue;
    g_queue_delete_link (&self->requests, l);
    return location;
  }
  return g_queue_pop_head (&self->requests);
}

static void *
thumbnailer_thread (void *data)
{
  OdlThumbnailer *self = data;
  // Pictures that nobody waits for leave the other processors to what is being opened.
  // Its priority stays, since helpers that it starts would have it for good.
  odl_parallel_set_threads (1);
  g_mutex_lock (&self->mutex);
  while (!self->stopping) {
    char *location = choose (self);
    if (!location) {
      g_cond_wait (&self->changed, &self->mutex);
      continue;
    }
    GCancellable *cancellable = self->running = g_cancellable_new ();
    g_object_ref (cancellable);
    g_mutex_unlock (&self->mutex);
    Done *done = g_new0 (Done, 1);
    done->location = location;
    done->image = make (location, self->side, cancellable, &done->error);
    g_mutex_lock (&self->mutex);
    g_clear_object (&self->running);
    if (g_cancellable_is_cancelled (cancellable))
      done_free (done);
    else
      deliver (self, done);
    g_object_unref (cancellable);
  }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

OdlThumbnailer *
odl_thumbnailer_new (int side, OdlThumbnailCb cb, void *data)
{
  OdlThumbnailer *self = g_new0 (OdlThumbnailer, 1);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->side = side;
  self->context = g_main_context_ref_thread_default ();
  self->cb = cb;
  self->data = data;
  return self;
}

void
odl_thumbnailer_forget (OdlThumbnailer *self)
{
  g_mutex_lock (&self->mutex);
  g_queue_clear_full (&self->requests, g_free);
  g_queue_clear_full (&self->done, done_free);
  if (self->running)
    g_cancellable_cancel (self->running);
  g_mutex_unlock (&self->mutex);
}

void
odl_thumbnailer_free (OdlThumbnailer *self)
{
  if (!self)
    return;
  odl_thumbnailer_forget (self);
  g_mutex_lock (&self->mutex);
  self->stopping = true;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  odl_thread_join (self->thread);
  if (self->delivery)
    g_source_destroy (self->delivery);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_queue_clear_full (&self->done, done_free);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

void
odl_thumbnailer_request (OdlThumbnailer *self, const char *location)
{
  g_mutex_lock (&self->mutex);
  // Without one they wait for the next request.
  if (!self->thread)
    self->thread = odl_thread_new ("odl-thumbnails", thumbnailer_thread, self, NULL);
  g_queue_push_head (&self->requests, g_strdup (location));
  if (self->requests.length > ODL_THUMBNAILER_MAX_REQUESTS) {
    Done *dropped = g_new0 (Done, 1);
    dropped->location = g_queue_pop_tail (&self->requests);
    g_set_error_literal (&dropped->error, ODL_ERROR, ODL_ERROR_CANCELLED, "");
    deliver (self, dropped);
  }
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
}
