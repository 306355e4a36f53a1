// SPDX-License-Identifier: MIT
#include "image/display/curve.h"

#include <string.h>

#define SIGMOID_LEVELS 16384

static OdlCurve *
allocate (int n)
{
  OdlCurve *curve = g_malloc (sizeof *curve + (size_t) n * sizeof *curve->levels);

  g_atomic_ref_count_init (&curve->ref_count);
  curve->n = n;
  return curve;
}

OdlCurve *
odl_curve_new (const float *levels, int n)
{
  if (n < 2 || n > ODL_CURVE_MAX_LEVELS)
    return NULL;
  for (int i = 0; i < n; i++)
    if (!(levels[i] >= 0 && levels[i] <= 1))
      return NULL;
  OdlCurve *curve = allocate (n);
  memcpy (curve->levels, levels, (size_t) n * sizeof *levels);
  return curve;
}

const OdlCurve *
odl_curve_sigmoid (void)
{
  static gsize made;

  if (g_once_init_enter (&made)) {
    OdlCurve *curve = allocate (SIGMOID_LEVELS);
    for (int i = 0; i < SIGMOID_LEVELS; i++) {
      const double widths
          = ((double) i / (SIGMOID_LEVELS - 1) - 0.5) * ODL_SIGMOID_WIDTHS;
      curve->levels[i] = (float) (1 / (1 + exp (-4 * widths)));
    }
    g_once_init_leave (&made, (gsize) curve);
  }
  return (const OdlCurve *) made;
}

const OdlCurve *
odl_curve_ref (const OdlCurve *curve)
{
  if (curve != NULL)
    g_atomic_ref_count_inc (&((OdlCurve *) curve)->ref_count);
  return curve;
}

void
odl_curve_unref (const OdlCurve *curve)
{
  if (curve != NULL && g_atomic_ref_count_dec (&((OdlCurve *) curve)->ref_count))
    g_free ((OdlCurve *) curve);
}

// The first position, from the dark end, at which the curve reaches `level`.
static double
place_of (const OdlCurve *curve, bool falls, float level)
{
  for (int i = 0; i < curve->n; i++) {
    const int at = falls ? curve->n - 1 - i : i;
    if (curve->levels[at] >= level)
      return (double) at / (curve->n - 1);
  }
  return falls ? 0 : 1;
}

bool
odl_curve_fit (const OdlCurve *curve, double *centre, double *width)
{
  const float first = curve->levels[0], last = curve->levels[curve->n - 1];
  const bool falls = first > last;
  float low = 1, high = 0;

  for (int i = 0; i < curve->n; i++) {
    low = MIN (low, curve->levels[i]);
    high = MAX (high, curve->levels[i]);
  }
  const double dark = place_of (curve, falls, low + 0.1f * (high - low));
  const double bright = place_of (curve, falls, low + 0.9f * (high - low));
  *centre = 0.5 * (dark + bright);
  *width = MAX (fabs (bright - dark) / 0.8, 1.0 / (curve->n - 1));
  return falls;
}
