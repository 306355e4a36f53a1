// SPDX-License-Identifier: MIT
#include "decoder/hdf5/axes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

uint64_t
odl_h5_side (const OdlH5Layout *layout, int from_end)
{
  const int at = layout->array.n_sides - 1 - from_end;

  return at >= 0 ? layout->array.sides[at] : 1;
}

static uint64_t
use_whole (OdlH5Layout *layout, int from_end)
{
  const int at = layout->array.n_sides - 1 - from_end;

  if (at >= 0)
    layout->whole[at] = true;
  return odl_h5_side (layout, from_end);
}

// Numbers in what is read of a picture from an index of a side to the next.
static uint64_t
step_of (const OdlH5Layout *layout, int from_end)
{
  uint64_t step = 1;

  for (int i = 0; i < from_end; i++)
    if (i < layout->array.n_sides && layout->whole[layout->array.n_sides - 1 - i])
      step *= odl_h5_side (layout, i);
  return step;
}

bool
odl_h5_count_frames (OdlH5Layout *layout, GError **error)
{
  uint64_t n = 1;

  for (int i = 0; i < layout->array.n_sides; i++)
    if (!layout->whole[i]) {
      if (layout->array.sides[i] > ODL_DECODER_MAX_FRAMES / n)
        return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                              _ ("it has more than %u pictures"), ODL_DECODER_MAX_FRAMES);
      n *= layout->array.sides[i];
    }
  layout->n_frames = (uint32_t) n;
  return true;
}

bool
odl_h5_take_axes (OdlH5Layout *layout, const OdlH5Axes *axes, GError **error)
{
  const uint64_t width = use_whole (layout, axes->x),
                 height = axes->y >= 0 ? use_whole (layout, axes->y) : 1,
                 channels = axes->channel >= 0 ? use_whole (layout, axes->channel) : 1;

  const bool is_complex = layout->array.is_complex;
  if (is_complex
      || (axes->pair >= 0 && odl_h5_side (layout, axes->pair) == 2
          && use_whole (layout, axes->pair) == 2))
    layout->parts = ODL_H5_PAIRS;
  if (width > ODL_IMAGE_MAX_SIDE || height > ODL_IMAGE_MAX_SIDE)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("a side of it is longer than %d pixels"),
                          ODL_IMAGE_MAX_SIDE);
  layout->width = (uint32_t) width;
  layout->height = (uint32_t) height;
  layout->channels = (uint32_t) channels;
  layout->step[0] = step_of (layout, axes->x);
  layout->step[1] = axes->y >= 0 ? step_of (layout, axes->y) : 1;
  layout->step[2] = axes->channel >= 0 ? step_of (layout, axes->channel) : 1;
  if (!odl_h5_count_frames (layout, error))
    return false;
  // Slices are the side that is counted fastest.
  const uint64_t slices = axes->slice >= 0 ? odl_h5_side (layout, axes->slice) : 1;
  layout->n_slices = slices > 1 ? (uint32_t) slices : 0;
  return true;
}

bool
odl_h5_open_arrays (OdlH5Layout *layout,
                    const OdlH5File *file,
                    size_t memory,
                    GError **error)
{
  if (!odl_h5_array_open (&layout->array, file, layout->path, memory, error))
    return false;
  if (layout->other_path == NULL)
    return true;
  if (!odl_h5_array_open (&layout->other, file, layout->other_path, memory, error))
    return false;
  const size_t bytes = (size_t) layout->array.n_sides * sizeof layout->array.sides[0];
  if (layout->array.n_sides != layout->other.n_sides
      || layout->array.sample != layout->other.sample || layout->array.is_complex
      || layout->other.is_complex
      || memcmp (layout->array.sides, layout->other.sides, bytes) != 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its real and imaginary parts differ in size or type"));
  layout->parts = ODL_H5_TWO_ARRAYS;
  return true;
}

double
odl_h5_number_at (const OdlH5File *file, const char *group, const char *name)
{
  g_autofree char *path = g_strconcat (group, "/", name, NULL);
  double number = 0;

  return odl_h5_array_numbers (file, path, &number, 1) == 1 ? number : 0;
}
