// SPDX-License-Identifier: MIT
#include "image/volume/slab.h"

#include <math.h>

#include "base/parallel.h"

const char *const odl_slab_names[ODL_N_SLABS + 1]
    = { "slice", "mean", "maximum", "minimum", NULL };

OdlSlabRange
odl_slab_range (const OdlSlab *slab, double size, int extent, int at)
{
  if (slab->kind == ODL_SLAB_SLICE)
    return (OdlSlabRange){ at, 1 };
  const int count = (int) CLAMP (round (slab->thickness / size), 1, extent);
  return (OdlSlabRange){ CLAMP (at - count / 2, 0, extent - count), count };
}

// Adds voxels to those that are there.
static void
add (OdlSlabKind kind, const float *voxels, int n, float *values)
{
  switch (kind) {
  case ODL_SLAB_MAXIMUM:
    for (int i = 0; i < n; i++)
      values[i] = MAX (values[i], voxels[i]);
    break;
  case ODL_SLAB_MINIMUM:
    for (int i = 0; i < n; i++)
      values[i] = MIN (values[i], voxels[i]);
    break;
  default:
    for (int i = 0; i < n; i++)
      values[i] += voxels[i];
  }
}

// A row along x: whole rows of voxels lie behind each other, along y or z.
static void
read_along_x (OdlImage *volume, const OdlSlabPlane *plane, int down, float *values)
{
  const int n = odl_image_info (volume)->extent.x;
  g_autofree float *voxels = g_new (float, n);

  for (int i = 0; i < plane->range.count; i++) {
    const int through = plane->range.first + i;
    const int y = plane->down == 1 ? down : through;
    const int z = plane->down == 1 ? through : down;
    odl_image_scaled_row (volume, plane->channel, y, z, 0, i == 0 ? values : voxels);
    if (i > 0)
      add (plane->kind, voxels, n, values);
  }
}

// A row along y: the voxels behind each other lie along x.
static void
read_along_y (OdlImage *volume, const OdlSlabPlane *plane, int z, float *values)
{
  const int n = odl_image_info (volume)->extent.y, count = plane->range.count;
  g_autofree float *voxels = g_new (float, count);

  for (int y = 0; y < n; y++) {
    odl_image_scaled_span (volume, plane->channel, plane->range.first, count, y, z, 0,
                           voxels);
    values[y] = voxels[0];
    for (int i = 1; i < count; i++)
      add (plane->kind, &voxels[i], 1, &values[y]);
  }
}

void
odl_slab_read (OdlImage *volume, const OdlSlabPlane *plane, float *values)
{
  const OdlExtent *extent = &odl_image_info (volume)->extent;
  const int across = plane->across == 0 ? extent->x : extent->y;
  const int down = plane->down == 1 ? extent->y : extent->z;
  const int count = plane->range.count;

  ODL_PARALLEL_FOR
  for (int row = 0; row < down; row++) {
    float *line = values + (size_t) row * across;
    if (plane->across == 0)
      read_along_x (volume, plane, row, line);
    else
      read_along_y (volume, plane, row, line);
    for (int i = 0; plane->kind == ODL_SLAB_MEAN && count > 1 && i < across; i++)
      line[i] /= (float) count;
  }
}
