// SPDX-License-Identifier: MIT
#include "image/surface/surface.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

// Parameters, and how far weights may lie from 1; beyond, products would overflow.
#define MOST 1e12

static size_t
count_knots (const OdlSurfaceShape *shape, int direction)
{
  return (size_t) shape->points[direction] + (size_t) shape->degree[direction] + 1;
}

size_t
odl_surface_count (const OdlSurfaceShape *shape)
{
  size_t count = 2 * ODL_SURFACE_DIRECTIONS;

  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++) {
    if (shape->degree[d] < 1 || shape->degree[d] > ODL_SURFACE_MAX_DEGREE
        || shape->points[d] <= shape->degree[d]
        || shape->points[d] > ODL_SURFACE_MAX_SIDE)
      return 0;
    count += count_knots (shape, d);
  }
  return count
         + (shape->rational ? (size_t) shape->points[0] * (size_t) shape->points[1] : 0);
}

static bool
is_within (double value)
{
  return isfinite (value) && fabs (value) <= MOST;
}

static const char *
name_of (int direction)
{
  return direction == ODL_SURFACE_U ? "u" : "v";
}

static bool
check_knots (const OdlSurface *surface, int direction, GError **error)
{
  const int degree = surface->shape.degree[direction];
  const int points = surface->shape.points[direction];
  const double *knots = surface->knots[direction];
  const double *range = surface->range[direction];

  for (int i = 0; i < points + degree + 1; i++) {
    const bool descends = i > 0 && !(knots[i] >= knots[i - 1]);
    // A knot that is there more than degree + 1 times takes a control point away.
    const bool repeats = i > degree && !(knots[i] > knots[i - degree - 1]);
    if (is_within (knots[i]) && !descends && !repeats)
      continue;
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          repeats && !descends
                              ? _ ("knot %d along %s is there too often for its degree")
                              : _ ("its knots along %2$s must be numbers that do not "
                                   "descend; number %1$d does not fit"),
                          i + 1, name_of (direction));
  }
  if (range[0] >= knots[degree] && range[0] < range[1] && range[1] <= knots[points])
    return true;
  return odl_error_set (
      error, ODL_ERROR_CORRUPT,
      _ ("its parameters along %s go from %g to %g, and its knots allow %g to %g"),
      name_of (direction), range[0], range[1], knots[degree], knots[points]);
}

static bool
check_weights (const OdlSurface *surface, GError **error)
{
  const int columns = surface->shape.points[0];
  const size_t n = (size_t) columns * (size_t) surface->shape.points[1];

  for (size_t i = 0; surface->weights != NULL && i < n; i++) {
    const double weight = surface->weights[i];
    if (isfinite (weight) && weight >= 1 / MOST && weight <= MOST)
      continue;
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("the weight of its control point in column %d, row %d is "
                             "%g; weights must be above 0"),
                          (int) (i % (size_t) columns) + 1,
                          (int) (i / (size_t) columns) + 1, weight);
  }
  return true;
}

// With room for its numbers.
static OdlSurface *
alloc_surface (const OdlSurfaceShape *shape)
{
  const size_t count = odl_surface_count (shape);
  OdlSurface *surface = g_malloc0 (sizeof *surface + count * sizeof (double));
  const double *at = surface->numbers;

  g_atomic_ref_count_init (&surface->ref_count);
  surface->shape = *shape;
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++) {
    surface->knots[d] = at;
    at += count_knots (shape, d);
  }
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++, at += 2)
    surface->range[d] = at;
  surface->weights = shape->rational ? at : NULL;
  return surface;
}

static bool
check_shape (const OdlSurfaceShape *shape, GError **error)
{
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++) {
    const int degree = shape->degree[d], points = shape->points[d];
    if (degree < 1 || degree > ODL_SURFACE_MAX_DEGREE)
      g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                   _ ("its degree along %s is %d; degrees from 1 to %d are supported"),
                   name_of (d), degree, ODL_SURFACE_MAX_DEGREE);
    else if (points <= degree)
      g_set_error (
          error, ODL_ERROR, ODL_ERROR_CORRUPT,
          _ ("degree %d along %s needs at least %d control points, and it has %d"),
          degree, name_of (d), degree + 1, points);
    else if (points > ODL_SURFACE_MAX_SIDE)
      g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                   _ ("it has %2$d control points along %1$s; at most %3$d are "
                      "supported"),
                   name_of (d), points, ODL_SURFACE_MAX_SIDE);
    else
      continue;
    return false;
  }
  return true;
}

OdlSurface *
odl_surface_new (const OdlSurfaceShape *shape, const double *numbers, GError **error)
{
  if (!check_shape (shape, error))
    return NULL;
  g_autoptr (OdlSurface) surface = alloc_surface (shape);
  memcpy (surface->numbers, numbers, odl_surface_count (shape) * sizeof (double));
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++)
    if (!check_knots (surface, d, error))
      return NULL;
  return check_weights (surface, error) ? g_steal_pointer (&surface) : NULL;
}

OdlSurface *
odl_surface_new_uniform (const OdlSurfaceShape *shape)
{
  OdlSurfaceShape plain = *shape;

  plain.rational = false;
  const size_t count = odl_surface_count (&plain);
  g_return_val_if_fail (count > 0, NULL);
  g_autofree double *numbers = g_new (double, count);
  size_t n = 0;
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++)
    for (int i = 0; i < plain.points[d] + plain.degree[d] + 1; i++)
      numbers[n++] = CLAMP (i - plain.degree[d], 0, plain.points[d] - plain.degree[d]);
  for (int d = 0; d < ODL_SURFACE_DIRECTIONS; d++) {
    numbers[n++] = 0;
    numbers[n++] = plain.points[d] - plain.degree[d];
  }
  return odl_surface_new (&plain, numbers, NULL);
}

const OdlSurface *
odl_surface_ref (const OdlSurface *surface)
{
  if (surface != NULL)
    g_atomic_ref_count_inc (&((OdlSurface *) surface)->ref_count);
  return surface;
}

void
odl_surface_unref (const OdlSurface *surface)
{
  if (surface != NULL && g_atomic_ref_count_dec (&((OdlSurface *) surface)->ref_count))
    g_free ((OdlSurface *) surface);
}

// The knots that `at` lies between: knots[span] <= at < knots[span + 1], at the end the
// last ones that differ (algorithm A2.1).
static int
find_span (const double *knots, int degree, int points, double at)
{
  int low = degree, high = points;

  if (at >= knots[points]) {
    while (high > degree + 1 && knots[high - 1] >= knots[points])
      high--;
    return high - 1;
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (at < knots[middle])
      high = middle;
    else
      low = middle;
  }
  return low;
}

// The degree + 1 B-splines that are not zero between knots span and span + 1 (A2.2).
static void
find_values (const double *knots, int degree, int span, double at, double *values)
{
  double left[ODL_SURFACE_MAX_DEGREE + 1], right[ODL_SURFACE_MAX_DEGREE + 1];

  values[0] = 1;
  for (int j = 1; j <= degree; j++) {
    double saved = 0;
    left[j] = at - knots[span + 1 - j];
    right[j] = knots[span + j] - at;
    for (int r = 0; r < j; r++) {
      const double part = values[r] / (right[r + 1] + left[j - r]);
      values[r] = saved + right[r + 1] * part;
      saved = left[j - r] * part;
    }
    values[j] = saved;
  }
}

int
odl_surface_basis (const OdlSurface *surface,
                   int direction,
                   double at,
                   double values[ODL_SURFACE_MAX_DEGREE + 1],
                   double derivatives[ODL_SURFACE_MAX_DEGREE + 1])
{
  const int degree = surface->shape.degree[direction];
  const double *knots = surface->knots[direction], *range = surface->range[direction];
  const double place = CLAMP (at, range[0], range[1]);
  const int span = find_span (knots, degree, surface->shape.points[direction], place);
  double lower[ODL_SURFACE_MAX_DEGREE + 1];

  find_values (knots, degree, span, place, values);
  find_values (knots, degree - 1, span, place, lower);
  for (int r = 0; r <= degree; r++) {
    const int i = span - degree + r;
    derivatives[r] = 0;
    if (r > 0)
      derivatives[r] += degree * lower[r - 1] / (knots[i + degree] - knots[i]);
    if (r < degree)
      derivatives[r] -= degree * lower[r] / (knots[i + degree + 1] - knots[i + 1]);
  }
  return span - degree;
}
