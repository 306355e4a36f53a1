// SPDX-License-Identifier: MIT
// Display arithmetic of one sample. The GL display shader holds the same formulas.
#pragma once

#include "image/display/display.h"

// NaN becomes 0.
static inline float
odl_display_clamp (float value)
{
  value = value > 0.0f ? value : 0.0f;
  return value < 1.0f ? value : 1.0f;
}

// Exact at t = 0 and 1.
static inline float
odl_display_mix (float a, float b, float t)
{
  return a * (1.0f - t) + b * t;
}

static inline float
odl_display_detail (const OdlDisplay *display, float scaled)
{
  return odl_display_clamp (0.5f + scaled * display->detail_gain);
}

// Inverts the luma of `count` displayed colours, keeping their colour differences.
static inline void
odl_display_invert_luma (const OdlDisplay *display,
                         float *restrict red,
                         float *restrict green,
                         float *restrict blue,
                         int count)
{
  const float r = display->luma[0], g = display->luma[1], b = display->luma[2];

  for (int x = 0; x < count; x++) {
    const float luma = red[x] * r + green[x] * g + blue[x] * b;
    const float shift = 1.0f - 2.0f * luma;
    red[x] = odl_display_clamp (red[x] + shift);
    green[x] = odl_display_clamp (green[x] + shift);
    blue[x] = odl_display_clamp (blue[x] + shift);
  }
}

// Applies gain, offset and curve to a row.
static inline void
odl_display_apply_curve (const OdlDisplay *display, float *row, int count)
{
  const float *levels = display->curve->levels;
  const float scale = display->invert ? -1.0f : 1.0f,
              base = display->invert ? 1.0f : 0.0f;
  const int n = display->curve->n;

  for (int x = 0; x < count; x++) {
    const float place = odl_display_clamp (row[x] * display->gain + display->offset);
    row[x] = base + scale * odl_curve_at (levels, n, place);
  }
}

// Converts a row of `count` scaled samples in place: the first `picture` are picture,
// the rest detail coefficients.
static inline void
odl_display_show (const OdlDisplay *display, float *row, int picture, int count)
{
  const OdlDisplay own = *display; // a copy, which stores to `row` cannot alias

  if (own.curve != NULL)
    odl_display_apply_curve (&own, row, picture);
  else if (own.invert)
    for (int x = 0; x < picture; x++)
      row[x] = 1.0f - odl_display_clamp (row[x] * own.gain + own.offset);
  else
    for (int x = 0; x < picture; x++)
      row[x] = odl_display_clamp (row[x] * own.gain + own.offset);
  for (int x = picture; x < count; x++)
    row[x] = odl_display_detail (&own, row[x]);
}
