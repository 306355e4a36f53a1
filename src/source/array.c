// SPDX-License-Identifier: MIT
#include "source/array.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

struct _OdlArray {
  gatomicrefcount ref_count;
  OdlArrayShape shape;
  void *samples;
};

typedef struct {
  OdlSource base;
  GMutex mutex; // guards `array`, which the main thread replaces
  OdlArray *array;
} ArraySource;

extern const OdlSourceClass odl_array_source;

// ---- arrays --------------------------------------------------------------------------

bool
odl_array_shape_bytes (const OdlArrayShape *shape, size_t *bytes, GError **error)
{
  const size_t frames[] = { (size_t) MAX (shape->slices, 1), (size_t) shape->frames };
  const size_t sides[]
      = { (size_t) shape->width, (size_t) shape->height, (size_t) shape->channels };
  size_t n_frames, samples;

  if (shape->width < 1 || shape->height < 1 || shape->slices < 0 || shape->frames < 1
      || shape->width > ODL_IMAGE_MAX_SIDE || shape->height > ODL_IMAGE_MAX_SIDE
      || (shape->channels != 1 && shape->channels != 3 && shape->channels != 4))
    return odl_usage_error (error,
                            _ ("an array has 1 to %d rows and columns, and 1, 3 "
                               "or 4 channels"),
                            ODL_IMAGE_MAX_SIDE);
  if (!odl_size_product (frames, 2, &n_frames) || n_frames > ODL_ARRAY_MOST_FRAMES
      || !odl_size_product (sides, 3, &samples) || samples > ODL_IMAGE_MAX_SAMPLES
      || samples > ODL_IMAGE_MAX_SAMPLES / n_frames)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("an array has at most %d frames and %zu samples"),
                          ODL_ARRAY_MOST_FRAMES, ODL_IMAGE_MAX_SAMPLES);
  *bytes = samples * n_frames * odl_sample_size (shape->type);
  return true;
}

// Whether all are within 0 … 1, which most arrays are; several at a time.
static bool
are_shares (const float *samples, size_t n)
{
  enum { AT_A_TIME = 16 };
  unsigned beyond[AT_A_TIME] = { 0 }, any = 0;
  const size_t whole = n - n % AT_A_TIME;

  for (size_t i = 0; i < whole; i += AT_A_TIME)
    for (size_t k = 0; k < AT_A_TIME; k++)
      beyond[k] |= !(samples[i + k] >= 0) | !(samples[i + k] <= 1);
  for (size_t i = whole; i < n; i++)
    any |= !(samples[i] >= 0) | !(samples[i] <= 1);
  for (size_t k = 0; k < AT_A_TIME; k++)
    any |= beyond[k];
  return any == 0;
}

// Black and white of floats that go beyond 0 … 1.
static void
find_range (OdlArrayShape *shape, const float *samples, size_t n)
{
  float low = INFINITY, high = -INFINITY;

  if (are_shares (samples, n))
    return;
  for (size_t i = 0; i < n; i++)
    if (isfinite (samples[i])) {
      low = MIN (low, samples[i]);
      high = MAX (high, samples[i]);
    }
  if (low > high || (low >= 0 && high <= 1))
    return;
  shape->minimum = (double) low;
  shape->maximum = high > low ? (double) high : (double) low + 1;
}

OdlArray *
odl_array_new (const OdlArrayShape *shape, void *samples)
{
  size_t bytes = 0;

  g_return_val_if_fail (odl_array_shape_bytes (shape, &bytes, NULL), NULL);
  OdlArray *array = g_new0 (OdlArray, 1);
  g_atomic_ref_count_init (&array->ref_count);
  array->shape = *shape;
  array->shape.times_s
      = shape->times_s
            ? g_memdup2 (shape->times_s, (size_t) shape->frames * sizeof (double))
            : NULL;
  array->samples = samples;
  if (shape->type == ODL_SAMPLE_F32 && shape->minimum >= shape->maximum)
    find_range (&array->shape, samples, bytes / sizeof (float));
  return array;
}

OdlArray *
odl_array_ref (OdlArray *array)
{
  g_atomic_ref_count_inc (&array->ref_count);
  return array;
}

void
odl_array_unref (OdlArray *array)
{
  if (array == NULL || !g_atomic_ref_count_dec (&array->ref_count))
    return;
  odl_aligned_free (array->samples);
  g_free (array->shape.times_s);
  g_free (array);
}

static bool
is_alike (const OdlArrayShape *a, const OdlArrayShape *b)
{
  return a->type == b->type && a->width == b->width && a->height == b->height
         && a->channels == b->channels && a->slices == b->slices
         && a->frames == b->frames;
}

// ---- their names ---------------------------------------------------------------------

typedef struct {
  GMutex mutex;
  GHashTable *arrays; // OdlArray by location
} Names;

// The names of the program; its arrays are lent to all windows.
static Names *
lock_names (void)
{
  static Names names;
  static gsize ready;

  if (g_once_init_enter (&ready)) {
    g_mutex_init (&names.mutex);
    names.arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) odl_array_unref);
    g_once_init_leave (&ready, 1);
  }
  g_mutex_lock (&names.mutex);
  return &names;
}

void
odl_array_put (const char *location, OdlArray *array)
{
  Names *names = lock_names ();

  if (array != NULL)
    g_hash_table_insert (names->arrays, g_strdup (location), odl_array_ref (array));
  else
    g_hash_table_remove (names->arrays, location);
  g_mutex_unlock (&names->mutex);
}

// Transfer full; NULL: there is none.
static OdlArray *
find (const char *location)
{
  Names *names = lock_names ();
  OdlArray *array = g_hash_table_lookup (names->arrays, location);

  if (array != NULL)
    odl_array_ref (array);
  g_mutex_unlock (&names->mutex);
  return array;
}

bool
odl_array_is_location (const char *location)
{
  return g_str_has_prefix (location, ODL_ARRAY_PREFIX);
}

void
odl_array_forget (bool (*keeps) (const char *location, void *data), void *data)
{
  Names *names = lock_names ();
  GHashTableIter iter;
  void *location;

  g_hash_table_iter_init (&iter, names->arrays);
  while (g_hash_table_iter_next (&iter, &location, NULL))
    if (!keeps (location, data))
      g_hash_table_iter_remove (&iter);
  g_mutex_unlock (&names->mutex);
}

// ---- the source ----------------------------------------------------------------------

static bool
array_probe (const char *location, const uint8_t *head, size_t n_head)
{
  return odl_array_is_location (location);
}

// Times of pictures, and the end of the last one, which stays as long as the one before.
static int64_t *
list_times (const OdlArrayShape *shape)
{
  const int n = shape->frames;
  int64_t *times = g_new (int64_t, (size_t) n + 1);

  for (int i = 0; i < n; i++)
    times[i] = (int64_t) (1e9 * (shape->times_s[i] - shape->times_s[0]));
  times[n] = 2 * times[n - 1] - times[n - 2];
  return times;
}

// Volumes follow each other at one rate: the mean one of their times.
static double
find_rate (const OdlArrayShape *shape)
{
  const int n = shape->frames;

  if (shape->times_s == NULL || n < 2)
    return shape->rate;
  return (n - 1) / (shape->times_s[n - 1] - shape->times_s[0]);
}

static void
describe (OdlSource *source, const OdlArrayShape *shape)
{
  OdlSourceInfo *info = &source->info;
  const double rate = find_rate (shape);

  g_free (info->name);
  info->name = g_strdup (info->location + strlen (ODL_ARRAY_PREFIX));
  info->format = g_strdup (shape->type == ODL_SAMPLE_F32   ? _ ("array of floats")
                           : shape->type == ODL_SAMPLE_U16 ? _ ("array of 16 bits")
                                                           : _ ("array of 8 bits"));
  info->n_slices = shape->slices;
  info->n_frames = info->declared_frames = MAX (shape->slices, 1) * shape->frames;
  if (shape->slices > 0) {
    if (rate > 0 && shape->frames > 1)
      odl_source_add_detail (source, "volume-interval-s", "%.9g", 1 / rate);
  } else if (shape->times_s != NULL && shape->frames > 1)
    info->frame_times_ns = list_times (shape);
  else if (shape->frames > 1)
    info->frame_rate = rate;
}

static OdlSource *
array_open (const char *location, GCancellable *cancellable, GError **error)
{
  OdlArray *array = find (location);

  if (array == NULL)
    return odl_error_null (error, ODL_ERROR_IO,
                           _ ("%s: no program shows an array of this name any more; show "
                              "it again from there"),
                           location);
  ArraySource *self = g_new0 (ArraySource, 1);
  odl_source_init (&self->base, &odl_array_source, location);
  g_mutex_init (&self->mutex);
  self->array = array;
  describe (&self->base, &array->shape);
  return &self->base;
}

static void
array_close (OdlSource *source)
{
  ArraySource *self = (ArraySource *) source;

  odl_array_unref (self->array);
  g_mutex_clear (&self->mutex);
}

static OdlArray *
ref_array (ArraySource *self)
{
  g_mutex_lock (&self->mutex);
  OdlArray *array = odl_array_ref (self->array);
  g_mutex_unlock (&self->mutex);
  return array;
}

// Frame `index` and those after it, as slices; they share the samples.
static OdlImage *
wrap_frames (OdlArray *array, int64_t index, int n, GError **error)
{
  const OdlArrayShape *shape = &array->shape;
  const size_t size = odl_sample_size (shape->type);
  const size_t pixel = size * (size_t) shape->channels,
               row = pixel * (size_t) shape->width, frame = row * (size_t) shape->height;
  OdlImageInfo info = { .extent = { shape->width, shape->height, n, 1 },
                        .channels = shape->channels,
                        .type = shape->type };

  if (shape->minimum < shape->maximum) {
    info.stored_min = shape->minimum;
    info.stored_max = shape->maximum;
  }
  memcpy (info.spacing_mm, shape->spacing_mm, sizeof info.spacing_mm);
  for (int c = 0; c < shape->channels; c++)
    info.planes[c] = (OdlPlane){ .data = (const char *) array->samples
                                         + (size_t) index * frame + (size_t) c * size,
                                 .sample_stride_bytes = pixel,
                                 .row_stride_bytes = row,
                                 .slice_stride_bytes = frame,
                                 .frame_stride_bytes = frame };
  OdlImage *image = odl_image_wrap (&info, (GDestroyNotify) odl_array_unref,
                                    odl_array_ref (array), error);
  if (image == NULL)
    odl_array_unref (array);
  return image;
}

static OdlImage *
array_read_frame (OdlSource *source,
                  int64_t index,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (OdlArray) array = ref_array ((ArraySource *) source);

  if (index < 0 || index >= source->info.n_frames) {
    odl_source_set_no_frame (source, index, error);
    return NULL;
  }
  return wrap_frames (array, index, 1, error);
}

bool
odl_array_source_renew (OdlSource *source, OdlImage **image)
{
  ArraySource *self = (ArraySource *) source;
  OdlArray *newest
      = source->klass == &odl_array_source ? find (source->info.location) : NULL;

  *image = NULL;
  if (newest == NULL || newest == self->array) {
    odl_array_unref (newest);
    return false;
  }
  const OdlArrayShape *before = &self->array->shape, *now = &newest->shape;
  if (source->info.n_frames == 1 && is_alike (before, now) && now->slices == 0)
    *image = wrap_frames (newest, 0, 1, NULL);
  if (*image == NULL) {
    odl_array_unref (newest);
    return true;
  }
  g_mutex_lock (&self->mutex);
  OdlArray *old = self->array;
  self->array = newest;
  g_mutex_unlock (&self->mutex);
  odl_array_unref (old);
  return true;
}

OdlImage *
odl_array_source_volume (OdlSource *source, int64_t index)
{
  const int slices = source->info.n_slices;

  if (source->klass != &odl_array_source || slices == 0)
    return NULL;
  g_autoptr (OdlArray) array = ref_array ((ArraySource *) source);
  return wrap_frames (array, index - index % slices, slices, NULL);
}

static const char *const examples[] = { "array:NAME", NULL };

const OdlSourceClass odl_array_source = {
  .name = "array",
  .description = N_ ("An array that another program shows in the window"),
  .examples = examples,
  .probe = array_probe,
  .open = array_open,
  .close = array_close,
  .read_frame = array_read_frame,
};
