// SPDX-License-Identifier: MIT
#include "image/arrange.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "image/numbers.h"

static const char *const names[]
    = { "0", "90", "180", "270", "flip-h", "flip-v", "transpose", "transverse", NULL };
static const OdlOrientation orientations[] = {
  { false, false, false }, { true, false, true },  { false, true, true },
  { true, true, false },   { false, true, false }, { false, false, true },
  { true, false, false },  { true, true, true },
};

const char *const *
odl_orientation_names (void)
{
  return names;
}

bool
odl_orientation_find (const char *name, OdlOrientation *orientation)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (orientations) == G_N_ELEMENTS (names) - 1);
  for (size_t i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name)) {
      *orientation = orientations[i];
      return true;
    }
  return false;
}

bool
odl_arrangement_is_plain (const OdlArrangement *arrangement)
{
  const OdlOrientation *o = &arrangement->orientation;

  return arrangement->width == 0 && !o->swap && !o->from_right && !o->from_bottom;
}

// The part as such, within a picture of that size.
static bool
find_part (const OdlArrangement *arrangement,
           const OdlExtent *extent,
           OdlArrangement *part,
           GError **error)
{
  *part = *arrangement;
  if (part->width == 0) {
    part->width = extent->x;
    part->height = extent->y;
    return true;
  }
  if (part->x >= 0 && part->y >= 0 && part->width > 0 && part->height > 0
      && part->width <= extent->x - part->x && part->height <= extent->y - part->y)
    return true;
  return odl_usage_error (
      error,
      _ ("the part %d,%d,%d,%d is not inside of the picture, which has %d × %d pixels"),
      part->x, part->y, part->width, part->height, extent->x, extent->y);
}

bool
odl_arrangement_check (const OdlArrangement *arrangement,
                       const OdlExtent *extent,
                       GError **error)
{
  OdlArrangement part;

  return find_part (arrangement, extent, &part, error);
}

// Copies the part of `planes` with samples of `size` bytes, interleaved.
static void
copy_part (const OdlImageInfo *info,
           const OdlPlane *planes,
           size_t size,
           const OdlArrangement *part,
           const OdlOrientation *o,
           char *to)
{
  const int width = o->swap ? part->height : part->width;
  const int height = o->swap ? part->width : part->height;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const int u = o->swap ? y : x, v = o->swap ? x : y;
      const int from_x = part->x + (o->from_right ? part->width - 1 - u : u);
      const int from_y = part->y + (o->from_bottom ? part->height - 1 - v : v);
      for (int c = 0; c < info->channels; c++, to += size)
        memcpy (to,
                (const char *) planes[c].data
                    + (size_t) from_y * planes[c].row_stride_bytes
                    + (size_t) from_x * planes[c].sample_stride_bytes,
                size);
    }
}

OdlImage *
odl_arrange (const OdlImage *image, const OdlArrangement *arrangement, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlOrientation *o = &arrangement->orientation;
  const size_t size = odl_sample_size (info->type);
  OdlImageInfo own = *info;
  OdlArrangement part;
  const OdlNumbers numbers = odl_image_numbers (image);
  const bool beside = numbers.planes[0].data != info->planes[0].data;
  void *samples = NULL, *others = NULL;

  g_return_val_if_fail (!info->ycbcr.used, NULL);
  if (!find_part (arrangement, &info->extent, &part, error))
    return NULL;
  own.extent = (OdlExtent){ o->swap ? part.height : part.width,
                            o->swap ? part.width : part.height, 1, 1 };
  if (o->swap) {
    own.spacing_mm[0] = info->spacing_mm[1];
    own.spacing_mm[1] = info->spacing_mm[0];
    own.pixel_aspect = 1 / info->pixel_aspect;
  }
  own.overlay = own.shutter = NULL;
  own.regions = NULL;
  own.surface = NULL;
  OdlImage *result = odl_image_alloc_numbers (
      &own, beside ? numbers.held : ODL_NUMBER_UNKNOWN, &samples, &others, error);
  if (result == NULL)
    return NULL;
  odl_image_share_padding (result, image);
  copy_part (info, info->planes, size, &part, o, samples);
  if (beside)
    copy_part (info, numbers.planes, odl_number_size (numbers.held), &part, o, others);
  else
    odl_image_set_numbers (
        result, &(OdlNumbers){ .type = numbers.type, .padding = numbers.padding });
  return result;
}
