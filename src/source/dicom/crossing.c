// SPDX-License-Identifier: MIT
#include "source/dicom/crossing.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

// Sine of a degree: planes that meet at less are parallel.
#define PARALLEL 0.0175

// A straight line, point + t × step, between two places t.
typedef struct {
  double point[2], step[2]; // image coordinates of the plane
  double from, to;
} Line;

// Keeps what has 0 ≤ value + t × slope ≤ most.
static void
keep_within (Line *line, double value, double slope, double most)
{
  if (fabs (slope) < 1e-12) {
    if (value < 0 || value > most)
      line->to = line->from - 1;
    return;
  }
  const double a = -value / slope, b = (most - value) / slope;
  line->from = fmax (line->from, fmin (a, b));
  line->to = fmin (line->to, fmax (a, b));
}

// Where a place of `plane` lies along an axis of `other`, in its samples; both lie in one
// plane, whose axes are square to each other.
static double
along (const OdlSegmentsPlane *plane,
       const OdlSegmentsPlane *other,
       const double axis[3],
       double x,
       double y)
{
  double apart[3];

  for (int i = 0; i < 3; i++)
    apart[i]
        = plane->corner[i] + x * plane->across[i] + y * plane->down[i] - other->corner[i];
  return odl_dot (apart, axis) / odl_dot (axis, axis);
}

static void
keep_within_axis (Line *line,
                  const OdlSegmentsPlane *plane,
                  const OdlSegmentsPlane *other,
                  const double axis[3],
                  double most)
{
  const double value = along (plane, other, axis, line->point[0], line->point[1]);
  const double next = along (plane, other, axis, line->point[0] + line->step[0],
                             line->point[1] + line->step[1]);

  keep_within (line, value, next - value, most);
}

bool
odl_crossing (const OdlSegmentsPlane *plane,
              const OdlSegmentsPlane *other,
              OdlPoint line[2])
{
  double normal[3], apart[3];

  if (!plane->is_placed || !other->is_placed || plane->frame_of_reference == NULL
      || other->frame_of_reference == NULL
      || strcmp (plane->frame_of_reference, other->frame_of_reference) != 0)
    return false;
  odl_cross (other->across, other->down, normal);
  const double length = sqrt (odl_dot (normal, normal));
  for (int i = 0; i < 3; i++) {
    normal[i] /= length;
    apart[i] = other->corner[i] - plane->corner[i];
  }
  // In `plane` the other one is where x a + y b = c; square to (a, b) the line runs.
  const double a = odl_dot (plane->across, normal), b = odl_dot (plane->down, normal);
  const double c = odl_dot (apart, normal), both = a * a + b * b;
  const double steepest = fmax (fabs (a) / sqrt (odl_dot (plane->across, plane->across)),
                                fabs (b) / sqrt (odl_dot (plane->down, plane->down)));
  if (!(steepest > PARALLEL))
    return false;
  Line found = { { a * c / both, b * c / both }, { -b, a }, -INFINITY, INFINITY };
  keep_within (&found, found.point[0], found.step[0], plane->width);
  keep_within (&found, found.point[1], found.step[1], plane->height);
  keep_within_axis (&found, plane, other, other->across, other->width);
  keep_within_axis (&found, plane, other, other->down, other->height);
  if (!(found.from < found.to) || !isfinite (found.from) || !isfinite (found.to))
    return false;
  line[0] = (OdlPoint){ found.point[0] + found.from * found.step[0],
                        found.point[1] + found.from * found.step[1] };
  line[1] = (OdlPoint){ found.point[0] + found.to * found.step[0],
                        found.point[1] + found.to * found.step[1] };
  return true;
}
