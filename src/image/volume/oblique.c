// SPDX-License-Identifier: MIT
#include "image/volume/oblique.h"

#include <math.h>

#include "base/vector.h"

// Planes that include a smaller angle count as parallel (sine).
#define PARALLEL 1e-6

// ---- Directions ----

static void
normalise (double v[3])
{
  const double length = sqrt (odl_dot (v, v));

  for (int i = 0; i < 3; i++)
    v[i] /= length;
}

// Rodrigues' formula.
static void
rotate (double v[3], const double axis[3], double radians)
{
  const double along = odl_dot (axis, v);
  double aside[3];

  odl_cross (axis, v, aside);
  for (int i = 0; i < 3; i++)
    v[i] = v[i] * cos (radians) + aside[i] * sin (radians)
           + axis[i] * along * (1 - cos (radians));
}

static void
turn_about (OdlOblique *oblique, const double axis[3], double radians)
{
  rotate (oblique->across, axis, radians);
  rotate (oblique->down, axis, radians);
  // Rounding errors do not add up.
  normalise (oblique->across);
  const double lean = odl_dot (oblique->across, oblique->down);
  for (int i = 0; i < 3; i++)
    oblique->down[i] -= lean * oblique->across[i];
  normalise (oblique->down);
}

OdlOblique
odl_oblique_straight (const OdlPlanes *planes, OdlPlaneKind plane)
{
  const OdlPlanePlace *place = &planes->planes[plane];
  OdlOblique oblique = { .turned = true, .plane = plane };

  oblique.across[place->across] = planes->mirrored[place->across] ? -1 : 1;
  oblique.down[place->down] = planes->mirrored[place->down] ? -1 : 1;
  return oblique;
}

// `plane` as it is: turned or straight.
static OdlOblique
find_plane (const OdlPlanes *planes, const OdlOblique *oblique, OdlPlaneKind plane)
{
  return oblique->turned && oblique->plane == plane
             ? *oblique
             : odl_oblique_straight (planes, plane);
}

// Whether products of the volume's axes point the other way than those of the patient's:
// left times back is head.
static bool
is_mirror_image (const OdlPlanes *planes)
{
  const OdlOblique axial = odl_oblique_straight (planes, ODL_PLANE_AXIAL);
  const int through = planes->planes[ODL_PLANE_AXIAL].through;
  double normal[3];

  odl_cross (axial.across, axial.down, normal);
  return normal[through] * planes->leads[through] < 0;
}

void
odl_oblique_turn (const OdlPlanes *planes,
                  OdlOblique *oblique,
                  OdlPlaneKind seen_in,
                  double radians)
{
  const OdlOblique plane = find_plane (planes, oblique, seen_in);
  double normal[3];

  odl_cross (plane.across, plane.down, normal);
  turn_about (oblique, normal, radians);
}

void
odl_oblique_lean (const OdlPlanes *planes, OdlOblique *oblique, double right, double down)
{
  const OdlOblique before = *oblique;
  const double sign = is_mirror_image (planes) ? -1 : 1;

  turn_about (oblique, before.down, -sign * right);
  turn_about (oblique, before.across, sign * down);
}

double
odl_oblique_angle (const OdlPlanes *planes, const OdlOblique *oblique)
{
  const OdlOblique straight = odl_oblique_straight (planes, oblique->plane);
  double normal[3], other[3];

  odl_cross (oblique->across, oblique->down, normal);
  odl_cross (straight.across, straight.down, other);
  return acos (MIN (fabs (odl_dot (normal, other)), 1));
}

bool
odl_oblique_trace (const OdlPlanes *planes,
                   const OdlOblique *oblique,
                   OdlPlaneKind of,
                   OdlPlaneKind seen_in,
                   double trace[2])
{
  const OdlOblique cutting = find_plane (planes, oblique, of);
  const OdlOblique plane = find_plane (planes, oblique, seen_in);
  double normal[3], other[3], line[3];

  odl_cross (cutting.across, cutting.down, normal);
  odl_cross (plane.across, plane.down, other);
  odl_cross (normal, other, line);
  if (sqrt (odl_dot (line, line)) < PARALLEL)
    return false;
  normalise (line);
  trace[0] = odl_dot (line, plane.across);
  trace[1] = odl_dot (line, plane.down);
  return true;
}

int
odl_oblique_through (const OdlPlanes *planes, const OdlOblique *oblique, int *sign)
{
  double normal[3];
  int axis = 0;

  odl_cross (oblique->across, oblique->down, normal);
  for (int i = 1; i < 3; i++)
    if (fabs (normal[i]) > fabs (normal[axis]) + PARALLEL)
      axis = i;
  // To the right times upwards is to the patient's right in the sagittal plane.
  const bool against = (oblique->plane == ODL_PLANE_SAGITTAL) != is_mirror_image (planes);
  *sign = (normal[axis] < 0) != against ? -1 : 1;
  return axis;
}

void
odl_oblique_cosines (const OdlOblique *oblique,
                     const double axes[3][3],
                     double cosines[6])
{
  for (int i = 0; i < 3; i++) {
    cosines[i] = cosines[3 + i] = 0;
    for (int axis = 0; axis < 3; axis++) {
      cosines[i] += oblique->across[axis] * axes[axis][i];
      cosines[3 + i] += oblique->down[axis] * axes[axis][i];
    }
  }
}

// ---- Places ----

void
odl_planes_centre (const OdlPlanes *planes,
                   OdlPlaneKind plane,
                   const OdlVoxel *voxel,
                   double centre[2])
{
  const OdlPlanePlace *place = &planes->planes[plane];
  const int axes[2] = { place->across, place->down };

  for (int i = 0; i < 2; i++) {
    const int a = axes[i], at = voxel->at[a];
    centre[i] = (planes->mirrored[a] ? planes->extent[a] - 0.5 - at : at + 0.5)
                * planes->scale[a];
  }
}

// In voxels, whose centres are whole numbers.
static void
find_place (const OdlPlanes *planes,
            const OdlPlanesLook *look,
            double x,
            double y,
            double at[3])
{
  const OdlOblique *oblique = &look->oblique;
  double centre[2];

  odl_planes_centre (planes, oblique->plane, &look->voxel, centre);
  for (int i = 0; i < 3; i++)
    at[i] = look->voxel.at[i]
            + ((x - centre[0]) * oblique->across[i] + (y - centre[1]) * oblique->down[i])
                  / planes->scale[i];
}

bool
odl_oblique_find (const OdlPlanes *planes,
                  const OdlPlanesLook *look,
                  double x,
                  double y,
                  OdlVoxel *voxel)
{
  const OdlPlanePlace *place = &planes->planes[look->oblique.plane];
  double at[3];

  find_place (planes, look, x - place->x, y - place->y, at);
  for (int i = 0; i < 3; i++) {
    voxel->at[i] = (int) floor (at[i] + 0.5);
    if (!(at[i] >= -0.5 && at[i] <= planes->extent[i] - 0.5))
      return false;
    voxel->at[i] = CLAMP (voxel->at[i], 0, planes->extent[i] - 1);
  }
  return true;
}

// ---- Values ----

static double
stored_at (const OdlImageInfo *info, int channel, const int at[3])
{
  const OdlPlane *plane = &info->planes[channel];
  const uint8_t *sample = (const uint8_t *) plane->data
                          + (size_t) at[0] * plane->sample_stride_bytes
                          + (size_t) at[1] * plane->row_stride_bytes
                          + (size_t) at[2] * plane->slice_stride_bytes;

  switch (info->type) {
  case ODL_SAMPLE_U8:
    return *sample;
  case ODL_SAMPLE_U16:
    return *(const uint16_t *) (const void *) sample;
  case ODL_SAMPLE_S16:
    return *(const int16_t *) (const void *) sample;
  default:
    return (double) *(const float *) (const void *) sample;
  }
}

// As odl_image_scaled_row scales.
static double
scaled_at (const OdlImageInfo *info, int channel, const int at[3])
{
  const double stored = stored_at (info, channel, at);
  const double scaled
      = (stored - info->stored_min) / (info->stored_max - info->stored_min);

  return isnan (scaled) ? 0 : isinf (scaled) ? scaled > 0 : scaled;
}

// Between eight voxels; at the outermost half of a voxel its own value. False: outside.
static bool
interpolate (const OdlImageInfo *info, int channel, const double at[3], double *value)
{
  const int extent[3] = { info->extent.x, info->extent.y, info->extent.z };
  int ends[2][3];
  double t[3];

  for (int i = 0; i < 3; i++) {
    if (!(at[i] >= -0.5 && at[i] <= extent[i] - 0.5))
      return false;
    const double inside = CLAMP (at[i], 0, extent[i] - 1);
    ends[0][i] = (int) inside;
    ends[1][i] = MIN (ends[0][i] + 1, extent[i] - 1);
    t[i] = inside - ends[0][i];
  }
  *value = 0;
  for (int corner = 0; corner < 8; corner++) {
    int voxel[3];
    double weight = 1;
    for (int i = 0; i < 3; i++) {
      const int far = corner >> i & 1;
      voxel[i] = ends[far][i];
      weight *= far ? t[i] : 1 - t[i];
    }
    if (weight > 0)
      *value += weight * scaled_at (info, channel, voxel);
  }
  return true;
}

static double
gather (OdlSlabKind kind, double sum, double value)
{
  return kind == ODL_SLAB_MAXIMUM   ? MAX (sum, value)
         : kind == ODL_SLAB_MINIMUM ? MIN (sum, value)
                                    : sum + value;
}

void
odl_oblique_read (OdlImage *volume,
                  const OdlPlanes *planes,
                  const OdlPlanesLook *look,
                  int channel,
                  int row,
                  float *values)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const OdlPlanePlace *place = &planes->planes[look->oblique.plane];
  const OdlSlabKind kind = look->slab.kind;
  const int count
      = kind == ODL_SLAB_SLICE ? 1 : (int) CLAMP (round (look->slab.thickness), 1, 1e5);
  double normal[3];

  odl_cross (look->oblique.across, look->oblique.down, normal);
  for (int x = 0; x < place->width; x++) {
    double at[3], sum = 0;
    int n = 0;
    find_place (planes, look, x + 0.5, row + 0.5, at);
    for (int k = 0; k < count; k++) {
      double here[3], value;
      for (int i = 0; i < 3; i++)
        here[i] = at[i] + (k - (count - 1) / 2.0) * normal[i] / planes->scale[i];
      if (interpolate (info, channel, here, &value))
        sum = n++ == 0 ? value : gather (kind, sum, value);
    }
    values[x] = (float) (kind == ODL_SLAB_MEAN && n > 1 ? sum / n : sum);
  }
}
