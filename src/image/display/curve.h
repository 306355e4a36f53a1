// SPDX-License-Identifier: MIT
// OdlCurve: a table from window positions to grey levels (DICOM VOI LUT, sigmoid).
// Immutable, counted by reference.
#pragma once

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ODL_CURVE_MAX_LEVELS 65536

// Levels 0 … 1 at equidistant positions from 0 to 1.
typedef struct _OdlCurve OdlCurve;

struct _OdlCurve {
  gatomicrefcount ref_count;
  int n; // 2 … ODL_CURVE_MAX_LEVELS
  float levels[];
};

// NULL if `n` or a level is out of range.
OdlCurve *odl_curve_new (const float *levels, int n);

// The sigmoid of PS3.3 C.11.2.1.3.1 over ODL_SIGMOID_WIDTHS window widths around the
// window centre. Owned by the library.
#define ODL_SIGMOID_WIDTHS 6.0
const OdlCurve *odl_curve_sigmoid (void);

// Both accept NULL.
const OdlCurve *odl_curve_ref (const OdlCurve *curve);
void odl_curve_unref (const OdlCurve *curve);

// The linear window that approximates the curve, as fractions of its range: through
// the points where it reaches 10 % and 90 % of its levels. True if the curve falls.
bool odl_curve_fit (const OdlCurve *curve, double *centre, double *width);

// Positions within this distance of an entry, in entries, count as the entry.
#define ODL_CURVE_NEAR (1.0f / 32.0f)

// Linear interpolation at `place`, 0 … 1. The display shader holds the same formula.
static inline float
odl_curve_at (const float *levels, int n, float place)
{
  float at = place * (float) (n - 1);
  const float near = floorf (at + 0.5f);

  at = fabsf (at - near) < ODL_CURVE_NEAR ? near : at;
  const float left = floorf (at);
  const int first = (int) left;
  const int second = first + 1 < n ? first + 1 : first;
  const float t = at - left;
  return levels[first] * (1.0f - t) + levels[second] * t;
}

G_END_DECLS
