// SPDX-License-Identifier: MIT
#include "image/planes.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "config.h"

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
  const OdlImageInfo *info;
  const OdlPlanes *planes;
  float *values; // voxels of one channel of a plane, as odl_slab_read has them
  void *samples;
} Job;

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
compose_row (const Job *job, const OdlPlanePlace *place, int channel, int row)
{
  const int channels = job->info->channels, n = job->planes->extent[place->across];
  const Between down = between (job->planes, place->down, row);
  const size_t begin = (size_t) (place->y + row) * job->planes->width + place->x;
  const float *first = job->values + (size_t) down.first * n;
  const float *second = job->values + (size_t) down.second * n;

  for (int x = 0; x < place->width; x++) {
    const Between across = between (job->planes, place->across, x);
    const int l = across.first, r = across.second;
    const float left = first[l] + down.t * (second[l] - first[l]);
    const float right = first[r] + down.t * (second[r] - first[r]);
    store (job->info, (begin + x) * channels + channel, left + across.t * (right - left),
           job->samples);
  }
}

static void
compose_plane (const Job *job,
               OdlImage *volume,
               const OdlPlanePlace *place,
               const OdlVoxel *voxel,
               const OdlSlab *slab)
{
  const int through = place->through;
  OdlSlabPlane plane
      = { .across = place->across,
          .down = place->down,
          .through = through,
          .kind = slab->kind,
          .range = odl_slab_range (slab, job->planes->scale[through],
                                   job->planes->extent[through], voxel->at[through]) };

  for (int c = 0; c < job->info->channels; c++) {
    plane.channel = c;
    odl_slab_read (volume, &plane, job->values);
    ODL_PARALLEL_FOR
    for (int row = 0; row < place->height; row++)
      compose_row (job, place, c, row);
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

// Room for the voxels of the largest plane.
static float *
make_room (const OdlPlanes *planes, GError **error)
{
  const size_t x = (size_t) planes->extent[0], y = (size_t) planes->extent[1];
  const size_t z = (size_t) planes->extent[2];
  float *values = g_try_new (float, MAX (MAX (x * y, x * z), y * z));

  if (values == NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("there is not enough memory for the planes of this volume"));
  return values;
}

OdlImage *
odl_planes_compose (OdlImage *volume,
                    const OdlVoxel *voxel,
                    const OdlSlab *slab,
                    GError **error)
{
  static const OdlSlab slice = { ODL_SLAB_SLICE, 1 };
  OdlImageInfo info = *odl_image_info (volume);
  const OdlPlanes planes = odl_planes_of (&info);
  Job job = { .info = odl_image_info (volume), .planes = &planes };

  info.extent = (OdlExtent){ planes.width, planes.height, 1, 1 };
  info.pixel_aspect = 1;
  info.spacing_mm[0] = info.spacing_mm[1] = planes.spacing_mm;
  info.spacing_mm[2] = 0;
  info.regions = NULL;
  info.shutter = info.overlay = NULL;
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &job.samples, error);
  g_autofree float *values = image != NULL ? make_room (&planes, error) : NULL;
  if (values == NULL)
    return NULL;
  job.values = values;
  fill_black (&job);
  for (int p = 0; p < ODL_N_PLANES; p++)
    compose_plane (&job, volume, &planes.planes[p], voxel, slab != NULL ? slab : &slice);
  OdlOverlay *cross_hair = make_cross_hair (&planes, voxel);
  info.overlay = cross_hair;
  OdlImage *with_cross_hair = odl_image_with_info (image, &info);
  odl_overlay_unref (cross_hair);
  return with_cross_hair;
}
