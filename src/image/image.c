// SPDX-License-Identifier: MIT
#include "image/image.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "image/numbers.h"
#include "image/pool.h"
#include "image/ycbcr.h"

struct _OdlImage {
  gatomicrefcount ref_count;
  OdlImageInfo info;
  char *mark;
  GDestroyNotify release;
  void *release_data;
  OdlNumbers numbers; // without type: none were given
  const OdlImageBlock *block; // block that holds the samples; NULL for ordinary memory
};

typedef struct {
  size_t size;
  double minimum;
  double maximum;
  OdlNumberType number;
} SampleTypeRow;

static const SampleTypeRow sample_types[] = {
  [ODL_SAMPLE_U8] = { 1, 0, 255, ODL_NUMBER_U8 },
  [ODL_SAMPLE_U16] = { 2, 0, 65535, ODL_NUMBER_U16 },
  [ODL_SAMPLE_S16] = { 2, -32768, 32767, ODL_NUMBER_S16 },
  [ODL_SAMPLE_F32] = { 4, 0, 1, ODL_NUMBER_F32 },
};

size_t
odl_sample_size (OdlSampleType type)
{
  g_return_val_if_fail (type <= ODL_SAMPLE_F32, 0);
  return sample_types[type].size;
}

static bool
check_extent (const OdlImageInfo *info, GError **error)
{
  const OdlExtent e = info->extent;
  const size_t factors[] = { e.x, e.y, e.z, e.t, info->channels };
  size_t samples;

  if (e.x < 1 || e.y < 1 || e.z < 1 || e.t < 1 || info->type > ODL_SAMPLE_F32
      || (info->channels != 1 && info->channels != 3 && info->channels != 4))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the image claims to have %d × %d pixels and %d channels"),
                          e.x, e.y, info->channels);
  if (e.x > ODL_IMAGE_MAX_SIDE || e.y > ODL_IMAGE_MAX_SIDE
      || !odl_size_product (factors, G_N_ELEMENTS (factors), &samples)
      || samples > ODL_IMAGE_MAX_SAMPLES)
    return odl_error_set (
        error, ODL_ERROR_TOO_LARGE,
        _ ("the image of %d × %d pixels is larger than this program handles"), e.x, e.y);
  return true;
}

// Whether it has the picture's size, if there is one.
static bool
covers (const OdlOverlay *overlay, const OdlExtent *extent)
{
  return overlay == NULL || (overlay->width == extent->x && overlay->height == extent->y);
}

static bool
check_values (const OdlImageInfo *info, GError **error)
{
  const OdlValueMap *map = &info->value_map;
  const double numbers[] = {
    info->stored_min,    info->stored_max,        map->slope,
    map->intercept,      map->window_centre,      map->window_width,
    info->spacing_mm[0], info->spacing_mm[1],     info->spacing_mm[2],
    info->pixel_aspect,  info->frame_interval_ms, info->stored_max - info->stored_min,
    map->curve_first,    map->curve_last,         info->shutter_level
  };
  const OdlSurface *surface = info->surface;
  bool right
      = info->stored_min < info->stored_max && info->pixel_aspect > 0
        && (!map->has_window || map->window_width > 0)
        && (map->curve == NULL || map->curve_first < map->curve_last)
        && covers (info->overlay, &info->extent) && covers (info->shutter, &info->extent)
        && (surface == NULL
            || (surface->shape.points[0] == info->extent.x
                && surface->shape.points[1] == info->extent.y && info->channels == 3));

  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    right = right && isfinite (numbers[i]);
  if (!right)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("the image's value range, window or spacing is invalid"));
  return right;
}

static OdlImageInfo
complete_info (const OdlImageInfo *info)
{
  OdlImageInfo full = *info;

  full.extent.z = full.extent.z == 0 ? 1 : full.extent.z;
  full.extent.t = full.extent.t == 0 ? 1 : full.extent.t;
  if (full.stored_min == 0 && full.stored_max == 0 && full.type <= ODL_SAMPLE_F32) {
    full.stored_min = sample_types[full.type].minimum;
    full.stored_max = sample_types[full.type].maximum;
  }
  if (full.value_map.slope == 0)
    full.value_map.slope = 1;
  if (full.pixel_aspect == 0)
    full.pixel_aspect = 1;
  return full;
}

OdlImage *
odl_image_wrap (const OdlImageInfo *info,
                GDestroyNotify release,
                void *release_data,
                GError **error)
{
  g_return_val_if_fail (info != NULL, NULL);

  OdlImageInfo full = complete_info (info);
  if (!check_extent (&full, error) || !check_values (&full, error)
      || !odl_ycbcr_check (&full, error))
    return NULL;
  for (int c = 0; c < full.channels; c++)
    g_return_val_if_fail (full.planes[c].data != NULL, NULL);

  OdlImage *image = g_new0 (OdlImage, 1);
  g_atomic_ref_count_init (&image->ref_count);
  image->info = full;
  image->mark = g_strdup (full.mark);
  image->info.mark = image->mark;
  odl_curve_ref (full.value_map.curve);
  odl_file_windows_ref (full.windows);
  odl_regions_ref (full.regions);
  odl_overlay_ref (full.shutter);
  odl_overlay_ref (full.overlay);
  odl_surface_ref (full.surface);
  image->release = release;
  image->release_data = release_data;
  return image;
}

// Fills in `planes` for interleaved samples of `sample` bytes without padding at `data`;
// returns their size in bytes.
static size_t
lay_out (const OdlImageInfo *info, size_t sample, uint8_t *data, OdlPlane *planes)
{
  const size_t pixel = sample * info->channels;
  const size_t row = pixel * info->extent.x;
  const size_t slice = row * info->extent.y;
  const size_t frame = slice * info->extent.z;

  for (int c = 0; data != NULL && c < info->channels; c++)
    planes[c] = (OdlPlane){ data + c * sample, pixel, row, slice, frame };
  return frame * info->extent.t;
}

// Numbers follow the samples at a multiple of this.
#define NUMBERS_ALIGNMENT 8

static OdlImage *
alloc_image (const OdlImageInfo *info,
             bool zeroed,
             OdlNumberType number,
             void **samples,
             void **beside,
             GError **error)
{
  g_return_val_if_fail (info != NULL && samples != NULL, NULL);

  OdlImageInfo full = complete_info (info);
  full.ycbcr.used = false;
  if (!check_extent (&full, error))
    return NULL;

  OdlNumbers numbers = { .type = number, .held = number };
  const size_t own = sample_types[full.type].size;
  const size_t begin = (lay_out (&full, own, NULL, NULL) + NUMBERS_ALIGNMENT - 1)
                       / NUMBERS_ALIGNMENT * NUMBERS_ALIGNMENT;
  const size_t more = lay_out (&full, odl_number_size (number), NULL, NULL);
  const size_t size = more > 0 ? begin + more : lay_out (&full, own, NULL, NULL);
  uint8_t *data
      = zeroed ? odl_aligned_alloc (size) : odl_aligned_alloc_unset (size, true);
  if (data == NULL)
    return odl_error_null (
        error, ODL_ERROR_TOO_LARGE,
        _ ("there is not enough memory for an image of %d × %d pixels"), full.extent.x,
        full.extent.y);
  lay_out (&full, own, data, full.planes);

  OdlImage *image = odl_image_wrap (&full, odl_aligned_free, data, error);
  if (image == NULL)
    odl_aligned_free (data);
  *samples = image == NULL ? NULL : data;
  if (image != NULL && more > 0) {
    lay_out (&full, odl_number_size (number), data + begin, numbers.planes);
    odl_image_set_numbers (image, &numbers);
    *beside = data + begin;
  }
  return image;
}

OdlImage *
odl_image_alloc (const OdlImageInfo *info, void **samples, GError **error)
{
  return alloc_image (info, true, ODL_NUMBER_UNKNOWN, samples, NULL, error);
}

OdlImage *
odl_image_alloc_unset (const OdlImageInfo *info, void **samples, GError **error)
{
  return alloc_image (info, false, ODL_NUMBER_UNKNOWN, samples, NULL, error);
}

OdlImage *
odl_image_alloc_numbers (const OdlImageInfo *info,
                         OdlNumberType type,
                         void **samples,
                         void **numbers,
                         GError **error)
{
  g_return_val_if_fail (numbers != NULL, NULL);
  *numbers = NULL;
  return alloc_image (info, false, type, samples, numbers, error);
}

static void
give_back_cb (void *block)
{
  odl_image_block_give (block);
}

OdlImage *
odl_image_wrap_block (const OdlImageInfo *info, OdlImageBlock *block, GError **error)
{
  g_return_val_if_fail (block != NULL, NULL);

  OdlImage *image = odl_image_wrap (info, give_back_cb, block, error);
  if (image != NULL)
    image->block = block;
  return image;
}

OdlImage *
odl_image_alloc_in (OdlImagePool *pool,
                    const OdlImageInfo *info,
                    void **samples,
                    GError **error)
{
  g_return_val_if_fail (info != NULL && samples != NULL, NULL);

  OdlImageInfo full = complete_info (info);
  if (!check_extent (&full, error))
    return NULL;

  full.ycbcr.used = false;
  const size_t own = sample_types[full.type].size;
  OdlImageBlock *block = odl_image_pool_take (pool, lay_out (&full, own, NULL, NULL));
  if (block == NULL)
    return odl_image_alloc (info, samples, error);

  lay_out (&full, own, block->data, full.planes);
  OdlImage *image = odl_image_wrap_block (&full, block, error);
  *samples = image == NULL ? NULL : block->data;
  if (image == NULL)
    odl_image_block_give (block);
  return image;
}

const OdlImageBlock *
odl_image_block (const OdlImage *image)
{
  g_return_val_if_fail (image != NULL, NULL);
  return image->block;
}

OdlImage *
odl_image_ref (OdlImage *image)
{
  g_return_val_if_fail (image != NULL, NULL);
  g_atomic_ref_count_inc (&image->ref_count);
  return image;
}

void
odl_image_unref (OdlImage *image)
{
  if (image == NULL || !g_atomic_ref_count_dec (&image->ref_count))
    return;
  if (image->release != NULL)
    image->release (image->release_data);
  g_free (image->mark);
  odl_curve_unref (image->info.value_map.curve);
  odl_file_windows_unref (image->info.windows);
  odl_regions_unref (image->info.regions);
  odl_overlay_unref (image->info.shutter);
  odl_overlay_unref (image->info.overlay);
  odl_surface_unref (image->info.surface);
  g_free (image);
}

const OdlImageInfo *
odl_image_info (const OdlImage *image)
{
  g_return_val_if_fail (image != NULL, NULL);
  return &image->info;
}

OdlNumbers
odl_image_numbers (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  OdlNumbers numbers = image->numbers;

  if (numbers.type == ODL_NUMBER_UNKNOWN)
    numbers.type = sample_types[info->type].number;
  if (numbers.planes[0].data == NULL) {
    numbers.held = sample_types[info->type].number;
    memcpy (numbers.planes, info->planes, sizeof numbers.planes);
  }
  return numbers;
}

void
odl_image_set_numbers (OdlImage *image, const OdlNumbers *numbers)
{
  g_return_if_fail (image != NULL && numbers != NULL);
  image->numbers = *numbers;
}

void
odl_image_share_padding (OdlImage *image, const OdlImage *from)
{
  g_return_if_fail (image != NULL && from != NULL);
  image->numbers.padding = from->numbers.padding;
}

static void
release_parent (void *parent)
{
  odl_image_unref (parent);
}

OdlImage *
odl_image_with_info (OdlImage *image, const OdlImageInfo *info)
{
  g_return_val_if_fail (image != NULL && info != NULL, NULL);

  OdlImageInfo merged = *info;
  merged.extent = image->info.extent;
  merged.channels = image->info.channels;
  merged.type = image->info.type;
  memcpy (merged.planes, image->info.planes, sizeof merged.planes);
  merged.ycbcr = image->info.ycbcr;

  g_autoptr (GError) error = NULL;
  OdlImage *view = odl_image_wrap (&merged, release_parent, image, &error);
  g_return_val_if_fail (view != NULL, NULL);
  view->block = image->block;
  view->numbers = image->numbers;
  odl_image_ref (image);
  return view;
}

bool
odl_image_is_interleaved (const OdlImage *image)
{
  g_return_val_if_fail (image != NULL, false);

  const OdlImageInfo *info = &image->info;
  const size_t sample = sample_types[info->type].size;
  const uint8_t *first = info->planes[0].data;

  if (info->ycbcr.used)
    return false;
  for (int c = 0; c < info->channels; c++) {
    const OdlPlane *plane = &info->planes[c];
    if ((const uint8_t *) plane->data != first + c * sample
        || plane->sample_stride_bytes != sample * info->channels
        || plane->row_stride_bytes != info->planes[0].row_stride_bytes)
      return false;
  }
  return true;
}

size_t
odl_image_count_non_finite (const OdlImage *image)
{
  g_return_val_if_fail (image != NULL, 0);

  const OdlImageInfo *info = &image->info;
  size_t count = 0;

  if (info->type != ODL_SAMPLE_F32 || info->ycbcr.used)
    return 0;
  for (int c = 0; c < info->channels; c++)
    for (int t = 0; t < info->extent.t; t++)
      for (int z = 0; z < info->extent.z; z++)
        for (int y = 0; y < info->extent.y; y++) {
          const OdlPlane *plane = &info->planes[c];
          const uint8_t *row
              = (const uint8_t *) plane->data + t * plane->frame_stride_bytes
                + z * plane->slice_stride_bytes + y * plane->row_stride_bytes;
          for (int x = 0; x < info->extent.x; x++) {
            float value;
            memcpy (&value, row + x * plane->sample_stride_bytes, sizeof value);
            count += !isfinite (value);
          }
        }
  return count;
}
