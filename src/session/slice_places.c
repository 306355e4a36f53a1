// SPDX-License-Identifier: MIT
#include "session/slice_places.h"

#include <math.h>

#include "base/text.h"
#include "base/vector.h"
#include "image/volume/stack.h"

// Cosine of a degree.
#define PARALLEL 0.99985

// Directions that differ by less are the same (cosines).
#define SAME_DIRECTION 1e-3

// Steps that differ by less are equal: this share, and what places are rounded by.
#define SAME_STEP 0.02
#define SAME_STEP_MM 0.01

// Of single slices without any other, mm.
#define LEAST_NEAR 0.5

// From a list, else from the first one by equal steps.
static double *
find_along (const OdlSlicePlaces *places, OdlDetailCb detail, void *data)
{
  g_autofree double *along = g_new (double, places->n);
  if (odl_numbers_from_text (detail ("slice-places", data), places->n, along))
    return g_steal_pointer (&along);
  if (!places->steps && places->n > 1)
    return NULL;
  for (int i = 0; i < places->n; i++)
    along[i] = odl_dot (places->origin, places->normal)
               + i * odl_dot (places->step, places->normal);
  return g_steal_pointer (&along);
}

OdlSlicePlaces *
odl_slice_places_new (OdlDetailCb detail, void *data, int n)
{
  g_autoptr (OdlSlicePlaces) self = g_new0 (OdlSlicePlaces, 1);
  const char *frame = detail ("frame-of-reference", data);
  self->n = MAX (n, 1);
  if (!odl_numbers_from_text (detail ("image-position", data), 3, self->origin)
      || !odl_numbers_from_text (detail ("image-orientation", data), 6, self->orientation)
      || !odl_stack_normal (self->orientation, self->normal))
    return NULL;
  self->frame_of_reference = frame && *frame ? g_strdup (frame) : NULL;
  self->steps = odl_numbers_from_text (detail ("slice-step", data), 3, self->step);
  self->along = find_along (self, detail, data);
  return self->along ? g_steal_pointer (&self) : NULL;
}

void
odl_slice_places_free (OdlSlicePlaces *self)
{
  if (!self)
    return;
  g_free (self->frame_of_reference);
  g_free (self->along);
  g_free (self);
}

bool
odl_slice_places_share_frame (const OdlSlicePlaces *a, const OdlSlicePlaces *b)
{
  return a->frame_of_reference
         && g_strcmp0 (a->frame_of_reference, b->frame_of_reference) == 0;
}

bool
odl_slice_places_are_parallel (const OdlSlicePlaces *a, const OdlSlicePlaces *b)
{
  return fabs (odl_dot (a->normal, b->normal)) >= PARALLEL;
}

bool
odl_slice_places_run_alike (const OdlSlicePlaces *a, const OdlSlicePlaces *b)
{
  for (int i = 0; i < 6; i++)
    if (fabs (a->orientation[i] - b->orientation[i]) > SAME_DIRECTION)
      return false;
  return true;
}

void
odl_slice_places_same_point (const OdlSlicePlaces *from,
                             const double from_spacing[2],
                             const OdlSlicePlaces *to,
                             const double to_spacing[2],
                             const double at[2],
                             double point[2])
{
  // The origin is the middle of the first sample.
  for (int axis = 0; axis < 2; axis++) {
    double mm = (at[axis] - 0.5) * from_spacing[axis];
    for (int i = 0; i < 3; i++)
      mm += (from->origin[i] - to->origin[i]) * to->orientation[3 * axis + i];
    point[axis] = mm / to_spacing[axis] + 0.5;
  }
}

// Millimetres along the three axes of the patient, of a step along each of the voxels'.
static void
find_steps (const OdlSlicePlaces *places, const double spacing[2], double steps[3][3])
{
  for (int i = 0; i < 3; i++) {
    steps[0][i] = places->orientation[i] * spacing[0];
    steps[1][i] = places->orientation[3 + i] * spacing[1];
    steps[2][i] = places->step[i];
  }
}

static double
triple (const double a[3], const double b[3], const double c[3])
{
  double product[3];
  odl_cross (b, c, product);
  return odl_dot (a, product);
}

bool
odl_slice_places_same_voxel (const OdlSlicePlaces *from,
                             const double from_spacing[2],
                             const OdlSlicePlaces *to,
                             const double to_spacing[2],
                             const int voxel[3],
                             double at[3])
{
  double ours[3][3], theirs[3][3], mm[3];
  find_steps (from, from_spacing, ours);
  find_steps (to, to_spacing, theirs);
  for (int i = 0; i < 3; i++) {
    mm[i] = from->origin[i] - to->origin[i];
    for (int axis = 0; axis < 3; axis++)
      mm[i] += ours[axis][i] * voxel[axis];
  }
  // Cramer's rule.
  const double all = triple (theirs[0], theirs[1], theirs[2]);
  at[0] = triple (mm, theirs[1], theirs[2]) / all;
  at[1] = triple (theirs[0], mm, theirs[2]) / all;
  at[2] = triple (theirs[0], theirs[1], mm) / all;
  return isfinite (at[0]) && isfinite (at[1]) && isfinite (at[2]);
}

int
odl_slice_places_find (const OdlSlicePlaces *from,
                       int index,
                       const OdlSlicePlaces *to,
                       double *distance)
{
  // The same plane along the normal of the other ones, which may point the other way.
  const double sign = odl_dot (from->normal, to->normal) < 0 ? -1 : 1;
  const double place = sign * from->along[CLAMP (index, 0, from->n - 1)];
  int nearest = 0;
  for (int i = 1; i < to->n; i++)
    if (fabs (to->along[i] - place) < fabs (to->along[nearest] - place))
      nearest = i;
  *distance = fabs (to->along[nearest] - place);
  return nearest;
}

// From slice `index` to the next one, along the way that all go; NaN: it does not lie
// there.
static double
step_after (const OdlSlicePlaces *places, int index)
{
  if (index < 0 || index + 1 >= places->n)
    return NAN;
  const double *along = places->along;
  const double all = along[places->n - 1] - along[0];
  const double step = along[index + 1] - along[index];
  return step * all > 0 ? fabs (step) : NAN;
}

bool
odl_slice_places_is_uneven (const OdlSlicePlaces *places, int index, double around[2])
{
  around[0] = step_after (places, index - 1);
  around[1] = step_after (places, index);
  const double before = isnan (around[0]) ? step_after (places, index + 1) : around[0];
  const double after = isnan (around[1]) ? step_after (places, index - 2) : around[1];
  return fabs (after - before) > SAME_STEP * fmin (before, after) + SAME_STEP_MM;
}

// The largest distance of neighbours.
static double
widest (const OdlSlicePlaces *places)
{
  double most = 0;
  for (int i = 1; i < places->n; i++)
    most = MAX (most, fabs (places->along[i] - places->along[i - 1]));
  return most;
}

bool
odl_slice_places_is_near (const OdlSlicePlaces *from,
                          const OdlSlicePlaces *to,
                          double distance)
{
  const double apart = MAX (widest (from), widest (to));
  // Places are written with digits after the point.
  return distance <= MAX (apart / 2, LEAST_NEAR) * (1 + 1e-6);
}
