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

// Levels at equal distances from 0 to 1, which are 0 … 1 themselves.
typedef struct _OdlCurve OdlCurve;

struct _OdlCurve {
  gatomicrefcount ref_count;
  int n; // 2 … ODL_CURVE_MAX_LEVELS
  float levels[];
};

// NULL when `n` or a level is out of range.
OdlCurve *odl_curve_new (const float *levels, int n);

// The sigmoid of PS3.3 C.11.2.1.3.1 over ODL_SIGMOID_WIDTHS times its window's width, the
// centre in its middle. Belongs to the library.
#define ODL_SIGMOID_WIDTHS 6.0
const OdlCurve *odl_curve_sigmoid (void);

// Both accept NULL.
const OdlCurve *odl_curve_ref (const OdlCurve *curve);
void odl_curve_unref (const OdlCurve *curve);

// The linear window that comes near the curve, as shares of its range: where it passes
// through a tenth and nine tenths of its levels. True when it falls.
bool odl_curve_fit (const OdlCurve *curve, double *centre, double *width);

// Places that are nearly an entry's are meant to be that entry.
#define ODL_CURVE_NEAR (1.0f / 32.0f)

// The level at `place`, 0 … 1: between two entries linear. The display shader has the
// same lines.
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
