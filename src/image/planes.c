// SPDX-License-Identifier: MIT
#include "image/planes.h"

#include <math.h>

#include "base/parallel.h"

// Pixels between planes, and from the centre of the cross-hair to its lines.
#define GAP 4
#define OPENING 8

static double
spacing_along (const OdlImageInfo *volume, int axis)
{
  const double spacing = volume->spacing_mm[axis];

  if (spacing > 0)
    return spacing;
  // Without millimetres, the pixel aspect applies.
  return axis == 0 && volume->spacing_mm[1] == 0 && volume->spacing_mm[2] == 0
             ? volume->pixel_aspect
         : volume->spacing_mm[0] == 0 && volume->spacing_mm[1] == 0
                 && volume->spacing_mm[2] == 0
             ? 1
             : 0;
}

OdlPlanes
odl_planes_of (const OdlImageInfo *volume)
{
  static const int axes[ODL_N_PLANES][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 2, 0 } };
  const int extent[3] = { volume->extent.x, volume->extent.y, volume->extent.z };
  OdlPlanes planes = { 0 };
  double least = INFINITY;
  int size[3];

  for (int axis = 0; axis < 3; axis++) {
    const double spacing = spacing_along (volume, axis);
    least = spacing > 0 ? fmin (least, spacing) : least;
  }
  planes.spacing_mm = volume->spacing_mm[0] > 0 ? least : 0;
  for (int axis = 0; axis < 3; axis++) {
    const double spacing = spacing_along (volume, axis);
    planes.extent[axis] = extent[axis];
    planes.scale[axis]
        = spacing > 0 ? CLAMP (spacing / least, 1, ODL_PLANES_MOST_STRETCH) : 1;
    size[axis] = (int) fmin (ceil (extent[axis] * planes.scale[axis]), G_MAXINT / 4);
  }
  for (int p = 0; p < ODL_N_PLANES; p++)
    planes.planes[p] = (OdlPlanePlace){
      .across = axes[p][0],
      .down = axes[p][1],
      .through = axes[p][2],
      .x = p == ODL_PLANE_SAGITTAL ? size[0] + GAP : 0,
      .y = p == ODL_PLANE_AXIAL ? 0 : size[1] + GAP,
      .width = size[axes[p][0]],
      .height = size[axes[p][1]],
    };
  planes.width = size[0] + GAP + size[1];
  planes.height = size[1] + GAP + size[2];
  return planes;
}

// ---- Pixels and voxels ----

// z points up in the picture.
static bool
is_mirrored (int axis)
{
  return axis == 2;
}

// The voxels on both sides of a pixel, and the weight of the second.
typedef struct {
  int first, second;
  float t;
} Between;

static double
voxel_of (const OdlPlanes *planes, int axis, double pixel)
{
  const double place = pixel / planes->scale[axis];

  return is_mirrored (axis) ? planes->extent[axis] - place : place;
}

static Between
between (const OdlPlanes *planes, int axis, int pixel)
{
  const int last = planes->extent[axis] - 1;
  const double place = voxel_of (planes, axis, pixel + 0.5) - 0.5;
  const double at = CLAMP (place, 0, last);
  const int first = (int) at;

  return (Between){ first, MIN (first + 1, last), (float) (at - first) };
}

static int
pixel_of (const OdlPlanes *planes, int axis, int voxel)
{
  const double place
      = is_mirrored (axis) ? planes->extent[axis] - 0.5 - voxel : voxel + 0.5;

  return (int) (place * planes->scale[axis]);
}

OdlPlaneKind
odl_planes_find (const OdlPlanes *planes, double x, double y, OdlVoxel *voxel)
{
  for (int p = 0; p < ODL_N_PLANES; p++) {
    const OdlPlanePlace *place = &planes->planes[p];
    const double pixels[2] = { x - place->x, y - place->y };
    const int axes[2] = { place->across, place->down };
    if (pixels[0] < 0 || pixels[1] < 0 || pixels[0] >= place->width
        || pixels[1] >= place->height)
      continue;
    for (int i = 0; i < 2; i++)
      voxel->at[axes[i]] = CLAMP ((int) floor (voxel_of (planes, axes[i], pixels[i])), 0,
                                  planes->extent[axes[i]] - 1);
    return (OdlPlaneKind) p;
  }
  return ODL_N_PLANES;
}

// ---- The picture ----

typedef struct {
  OdlImage *volume;
  const OdlImageInfo *info;
  const OdlPlanes *planes;
  const OdlVoxel *voxel;
  void *samples;
} Job;

// Reads one line of voxels of a plane along its `across` axis.
static void
read_line (const Job *job, const OdlPlanePlace *place, int channel, int down, float *line)
{
  int at[3];

  at[place->down] = down;
  at[place->through] = job->voxel->at[place->through];
  if (place->across == 0) {
    odl_image_scaled_row (job->volume, channel, at[1], at[2], 0, line);
    return;
  }
  for (int y = 0; y < job->planes->extent[1]; y++)
    odl_image_scaled_span (job->volume, channel, at[0], 1, y, at[2], 0, &line[y]);
}

static void
store (const OdlImageInfo *info, size_t i, float scaled, void *samples)
{
  const double stored
      = info->stored_min + (double) scaled * (info->stored_max - info->stored_min);

  switch (info->type) {
  case ODL_SAMPLE_U8:
    ((uint8_t *) samples)[i] = (uint8_t) CLAMP (round (stored), 0, G_MAXUINT8);
    break;
  case ODL_SAMPLE_U16:
    ((uint16_t *) samples)[i] = (uint16_t) CLAMP (round (stored), 0, G_MAXUINT16);
    break;
  case ODL_SAMPLE_S16:
    ((int16_t *) samples)[i] = (int16_t) CLAMP (round (stored), G_MININT16, G_MAXINT16);
    break;
  case ODL_SAMPLE_F32:
    ((float *) samples)[i] = (float) stored;
    break;
  }
}

static void
compose_row (const Job *job, const OdlPlanePlace *place, int row)
{
  const int channels = job->info->channels, n = job->planes->extent[place->across];
  const Between down = between (job->planes, place->down, row);
  const size_t begin = (size_t) (place->y + row) * job->planes->width + place->x;
  g_autofree float *first = g_new (float, n), *second = g_new (float, n);

  for (int c = 0; c < channels; c++) {
    read_line (job, place, c, down.first, first);
    if (down.t > 0) {
      read_line (job, place, c, down.second, second);
      for (int i = 0; i < n; i++)
        first[i] += down.t * (second[i] - first[i]);
    }
    for (int x = 0; x < place->width; x++) {
      const Between across = between (job->planes, place->across, x);
      const float left = first[across.first];
      store (job->info, (begin + x) * channels + c,
             left + across.t * (first[across.second] - left), job->samples);
    }
  }
}

static void
draw (uint8_t *bits, size_t stride, int x, int y)
{
  bits[y * stride + (size_t) x / 8] |= (uint8_t) (1 << x % 8);
}

// The centre stays open so that the voxel is visible; small planes have a smaller
// opening.
static OdlOverlay *
make_cross_hair (const OdlPlanes *planes, const OdlVoxel *voxel)
{
  const size_t stride = odl_overlay_stride ((size_t) planes->width);
  g_autofree uint8_t *bits = g_malloc0 (stride * planes->height);

  for (int p = 0; p < ODL_N_PLANES; p++) {
    const OdlPlanePlace *place = &planes->planes[p];
    const int x = pixel_of (planes, place->across, voxel->at[place->across]);
    const int y = pixel_of (planes, place->down, voxel->at[place->down]);
    const int opening = MIN (OPENING, MIN (place->width, place->height) / 8);
    for (int i = 0; i < place->width; i++)
      if (ABS (i - x) > opening)
        draw (bits, stride, place->x + i, place->y + y);
    for (int i = 0; i < place->height; i++)
      if (ABS (i - y) > opening)
        draw (bits, stride, place->x + x, place->y + i);
  }
  return odl_overlay_new (planes->width, planes->height, bits);
}

static void
fill_black (const Job *job)
{
  const size_t n
      = (size_t) job->planes->width * job->planes->height * job->info->channels;

  for (size_t i = 0; i < n; i++)
    store (job->info, i, 0, job->samples);
}

OdlImage *
odl_planes_compose (OdlImage *volume, const OdlVoxel *voxel, GError **error)
{
  OdlImageInfo info = *odl_image_info (volume);
  const OdlPlanes planes = odl_planes_of (&info);
  Job job = { volume, odl_image_info (volume), &planes, voxel, NULL };

  info.extent = (OdlExtent){ planes.width, planes.height, 1, 1 };
  info.pixel_aspect = 1;
  info.spacing_mm[0] = info.spacing_mm[1] = planes.spacing_mm;
  info.spacing_mm[2] = 0;
  info.overlay = NULL;
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &job.samples, error);
  if (image == NULL)
    return NULL;
  fill_black (&job);
  for (int p = 0; p < ODL_N_PLANES; p++) {
    const OdlPlanePlace *place = &planes.planes[p];
    ODL_PARALLEL_FOR
    for (int row = 0; row < place->height; row++)
      compose_row (&job, place, row);
  }
  OdlOverlay *cross_hair = make_cross_hair (&planes, voxel);
  info.overlay = cross_hair;
  OdlImage *with_cross_hair = odl_image_with_info (image, &info);
  odl_overlay_unref (cross_hair);
  return with_cross_hair;
}
