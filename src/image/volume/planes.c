// SPDX-License-Identifier: MIT
#include "image/volume/planes.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/parallel.h"
#include "image/grips.h"
#include "image/numbers.h"
#include "image/volume/oblique.h"

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

// Pixels between planes.
#define GAP 4
// Of a ratio of two sides in single precision.
#define ROUNDING 1e-5

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

// Which axis of the volume leads to the left, back and head, and which way they lead.
static void
find_axes (const int8_t patient[3], int stored[3], OdlPlanes *planes)
{
  for (int axis = 0; axis < 3; axis++) {
    const int leads = patient[axis] != 0 ? abs (patient[axis]) - 1 : axis;
    stored[leads] = axis;
    planes->leads[axis] = patient[axis] < 0 ? -1 : 1;
    // The head is up.
    planes->mirrored[axis] = (leads == 2) == (planes->leads[axis] > 0);
  }
}

// Pixels per voxel. Sides that differ by the rounding of a file's numbers are alike: a
// plane would have a row more, and all of its values interpolated.
static double
scale_of (double spacing, double least)
{
  const double scale = CLAMP (spacing / least, 1, ODL_PLANES_MOST_STRETCH);

  return fabs (scale - round (scale)) < ROUNDING ? round (scale) : scale;
}

OdlPlanes
odl_planes_of (const OdlImageInfo *volume)
{
  static const int axes[ODL_N_PLANES][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 2, 0 } };
  const int extent[3] = { volume->extent.x, volume->extent.y, volume->extent.z };
  OdlPlanes planes = { 0 };
  double least = INFINITY;
  int size[3], stored[3];

  find_axes (volume->patient_axes, stored, &planes);
  for (int axis = 0; axis < 3; axis++) {
    const double spacing = spacing_along (volume, axis);
    least = spacing > 0 ? fmin (least, spacing) : least;
  }
  planes.spacing_mm = volume->spacing_mm[0] > 0 ? least : 0;
  for (int axis = 0; axis < 3; axis++) {
    const double spacing = spacing_along (volume, axis);
    planes.extent[axis] = extent[axis];
    planes.scale[axis] = spacing > 0 ? scale_of (spacing, least) : 1;
    size[axis] = (int) fmin (ceil (extent[axis] * planes.scale[axis]), G_MAXINT / 4);
  }
  const int width = size[stored[0]], depth = size[stored[1]], height = size[stored[2]];
  for (int p = 0; p < ODL_N_PLANES; p++)
    planes.planes[p] = (OdlPlanePlace){
      .across = stored[axes[p][0]],
      .down = stored[axes[p][1]],
      .through = stored[axes[p][2]],
      .x = p == ODL_PLANE_SAGITTAL ? width + GAP : 0,
      .y = p == ODL_PLANE_AXIAL ? 0 : depth + GAP,
      .width = size[stored[axes[p][0]]],
      .height = size[stored[axes[p][1]]],
    };
  planes.width = width + GAP + depth;
  planes.height = depth + GAP + height;
  return planes;
}

// ---- Pixels and voxels ----

// The voxels on both sides of a pixel, and the weight of the second.
typedef struct {
  int first, second;
  float t;
} Between;

static double
voxel_of (const OdlPlanes *planes, int axis, double pixel)
{
  const double place = pixel / planes->scale[axis];

  return planes->mirrored[axis] ? planes->extent[axis] - place : place;
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
  const int channels = job->info->channels;
  // As odl_slab_read has them: rows along the axis that comes first.
  const size_t n = job->planes->extent[MIN (place->across, place->down)];
  const size_t to_right = place->across < place->down ? 1 : n;
  const size_t downwards = place->across < place->down ? n : 1;
  const Between down = between (job->planes, place->down, row);
  const size_t begin = (size_t) (place->y + row) * job->planes->width + place->x;
  const float *first = job->values + down.first * downwards;
  const float *second = job->values + down.second * downwards;

  for (int x = 0; x < place->width; x++) {
    const Between across = between (job->planes, place->across, x);
    const size_t l = across.first * to_right, r = across.second * to_right;
    const float left = first[l] + down.t * (second[l] - first[l]);
    const float right = first[r] + down.t * (second[r] - first[r]);
    store (job->info, (begin + x) * channels + channel, left + across.t * (right - left),
           job->samples);
  }
}

// Of those behind each other: one of an even number has its middle voxel on the same side
// of the patient, whichever way voxels are counted.
static OdlSlabRange
find_range (const OdlPlanes *planes, int axis, const OdlPlanesLook *look)
{
  const int extent = planes->extent[axis], at = look->voxel.at[axis];
  const bool against = planes->leads[axis] < 0;
  OdlSlabRange range = odl_slab_range (&look->slab, planes->scale[axis], extent,
                                       against ? extent - 1 - at : at);

  if (against)
    range.first = extent - range.first - range.count;
  return range;
}

static void
compose_plane (const Job *job,
               OdlImage *volume,
               const OdlPlanePlace *place,
               const OdlPlanesLook *look)
{
  const int through = place->through;
  OdlSlabPlane plane = { .across = MIN (place->across, place->down),
                         .down = MAX (place->across, place->down),
                         .through = through,
                         .kind = look->slab.kind,
                         .range = find_range (job->planes, through, look) };

  for (int c = 0; c < job->info->channels; c++) {
    plane.channel = c;
    odl_slab_read (volume, &plane, job->values);
    ODL_PARALLEL_FOR
    for (int row = 0; row < place->height; row++)
      compose_row (job, place, c, row);
  }
}

static void
compose_turned (const Job *job, OdlImage *volume, const OdlPlanesLook *look)
{
  const OdlPlanePlace *place = &job->planes->planes[look->oblique.plane];

  for (int c = 0; c < job->info->channels; c++) {
    ODL_PARALLEL_FOR
    for (int row = 0; row < place->height; row++) {
      g_autofree float *values = g_new (float, place->width);
      const size_t begin = (size_t) (place->y + row) * job->planes->width + place->x;
      odl_oblique_read (volume, job->planes, look, c, row, values);
      for (int x = 0; x < place->width; x++)
        store (job->info, (begin + x) * job->info->channels + c, values[x], job->samples);
    }
  }
}

// ---- The whole ----

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
odl_planes_compose (OdlImage *volume, const OdlPlanesLook *look, GError **error)
{
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
  odl_image_share_padding (image, volume);
  job.values = values;
  fill_black (&job);
  for (int p = 0; p < ODL_N_PLANES; p++)
    if (look->oblique.turned && p == (int) look->oblique.plane)
      compose_turned (&job, volume, look);
    else
      compose_plane (&job, volume, &planes.planes[p], look);
  OdlOverlay *cross_hair = odl_planes_overlay (&planes, look);
  info.overlay = cross_hair;
  OdlImage *with_cross_hair = odl_image_with_info (image, &info);
  odl_overlay_unref (cross_hair);
  return with_cross_hair;
}

// The lines over three planes in pictures to take away: cross-hair, traces of a turned
// plane, box, and handles. The canvas has its own (widgets/viewport/plane_lines.c).

// Pixels from the centre of the cross-hair to its lines.
#define OPENING 8
// From the middle of a handle to its edges; less in planes that are lower than so many
// times that.
#define HANDLE 3
#define ROOM 12
// Of a dashed line: on, and from one to the next.
#define DASH 4
#define DASHES 7

typedef struct {
  const OdlPlanes *planes;
  const OdlPlanesLook *look;
  size_t stride;
  uint8_t *bits;
} Sheet;

static void
draw (const Sheet *sheet, const OdlPlanePlace *place, int x, int y)
{
  if (x < 0 || y < 0 || x >= place->width || y >= place->height)
    return;
  x += place->x;
  sheet->bits[(place->y + y) * sheet->stride + (size_t) x / 8] |= (uint8_t) (1 << x % 8);
}

// The line in which plane `of` cuts the plane `seen_in`. The centre stays open so that
// the voxel is visible; small planes have a smaller opening.
static void
draw_trace (const Sheet *sheet, OdlPlaneKind of, OdlPlaneKind seen_in)
{
  const OdlPlanePlace *place = &sheet->planes->planes[seen_in];
  const int opening = MIN (OPENING, MIN (place->width, place->height) / 8);
  double at[2], trace[2];

  odl_planes_centre (sheet->planes, seen_in, &sheet->look->voxel, at);
  if (!odl_oblique_trace (sheet->planes, &sheet->look->oblique, of, seen_in, trace))
    return;
  // A pixel for each step along the longer side.
  const double stride = fmax (fabs (trace[0]), fabs (trace[1]));
  const int n = place->width + place->height;
  for (int i = -n; i <= n; i++)
    if (abs (i) / stride > opening)
      draw (sheet, place, (int) floor (at[0] + i * trace[0] / stride),
            (int) floor (at[1] + i * trace[1] / stride));
}

static void
draw_box (const Sheet *sheet, OdlPlaneKind plane)
{
  const OdlPlanePlace *place = &sheet->planes->planes[plane];
  double across[2], down[2];

  odl_planes_box_ends (sheet->planes, plane, &sheet->look->box, 0, across);
  odl_planes_box_ends (sheet->planes, plane, &sheet->look->box, 1, down);
  const int x[2] = { (int) across[0], (int) ceil (across[1]) - 1 };
  const int y[2] = { (int) down[0], (int) ceil (down[1]) - 1 };
  for (int i = 0; i < 2; i++) {
    for (int at = x[0]; at <= x[1]; at++)
      if (at % DASHES < DASH)
        draw (sheet, place, at, y[i]);
    for (int at = y[0]; at <= y[1]; at++)
      if (at % DASHES < DASH)
        draw (sheet, place, x[i], at);
  }
}

static void
draw_grip (const Sheet *sheet, const OdlPlanesGrip *grip)
{
  const OdlPlanePlace *place = &sheet->planes->planes[grip->seen_in];
  const int half = MIN (HANDLE, MIN (place->width, place->height) / ROOM);

  for (int dy = -half; dy <= half; dy++)
    for (int dx = -half; dx <= half; dx++)
      draw (sheet, place, (int) floor (grip->x - place->x) + dx,
            (int) floor (grip->y - place->y) + dy);
}

OdlOverlay *
odl_planes_overlay (const OdlPlanes *planes, const OdlPlanesLook *look)
{
  const size_t stride = odl_overlay_stride ((size_t) planes->width);
  g_autofree uint8_t *bits = g_malloc0 (stride * planes->height);
  const Sheet sheet = { planes, look, stride, bits };
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  const int n = odl_planes_grips (planes, look, grips);

  for (int seen_in = 0; seen_in < ODL_N_PLANES; seen_in++) {
    for (int of = 0; of < ODL_N_PLANES; of++)
      if (of != seen_in)
        draw_trace (&sheet, (OdlPlaneKind) of, (OdlPlaneKind) seen_in);
    if (look->box.shown
        && !(look->oblique.turned && seen_in == (int) look->oblique.plane))
      draw_box (&sheet, (OdlPlaneKind) seen_in);
  }
  for (int i = 0; i < n; i++)
    draw_grip (&sheet, &grips[i]);
  return odl_overlay_new (planes->width, planes->height, bits);
}
