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

// Where details begin on an axis: all of them, and those of each level from the finest
// on.
typedef struct {
  int picture;
  int levels;
  int halves[ODL_DETAIL_LEVELS];
} OdlDisplayBands;

// Of an axis with `length` samples, `approximation` of which are picture.
static inline OdlDisplayBands
odl_display_bands (const OdlDetails *details, int approximation, int length)
{
  OdlDisplayBands bands = { .picture = details->levels == 0 ? G_MAXINT : approximation,
                            .levels = MIN (details->levels, ODL_DETAIL_LEVELS) };

  for (int i = 0; i < bands.levels; i++)
    bands.halves[i] = length = (length + 1) / 2;
  return bands;
}

// The runs of a line: the picture, then details of levels from the coarsest to the finest
// one. Each number says where such a run ends.
typedef struct {
  int picture;
  int levels;
  int ends[ODL_DETAIL_LEVELS]; // from the finest level on
} OdlDisplayRuns;

// Of `count` samples from `from` on, of the line `index`.
static inline OdlDisplayRuns
odl_display_runs (const OdlDisplayBands *across,
                  const OdlDisplayBands *along,
                  int index,
                  int from,
                  int count)
{
  OdlDisplayRuns runs
      = { .picture
          = index >= along->picture ? 0 : CLAMP (across->picture - from, 0, count),
          .levels = across->levels };
  int end = runs.picture;

  for (int i = runs.levels - 1; i > 0; i--) {
    if (index < along->halves[i - 1])
      end = MAX (end, CLAMP (across->halves[i - 1] - from, 0, count));
    runs.ends[i] = end;
  }
  runs.ends[0] = count;
  return runs;
}

// Colours of a row of grey levels, the first `picture` of which have any. `red` holds the
// levels.
static inline void
odl_display_map (const OdlColourMap *map,
                 float *red,
                 float *green,
                 float *blue,
                 int picture,
                 int count)
{
  for (int x = 0; x < picture; x++) {
    float colour[3];
    odl_colour_map_show (map, odl_display_clamp (red[x]), colour);
    red[x] = colour[0];
    green[x] = colour[1];
    blue[x] = colour[2];
  }
  for (int x = picture; x < count; x++)
    green[x] = blue[x] = red[x];
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

// Converts a row of `count` scaled samples in place.
static inline void
odl_display_show (const OdlDisplay *display, float *row, const OdlDisplayRuns *runs)
{
  const OdlDisplay own = *display; // a copy, which stores to `row` cannot alias
  const int picture = runs->picture;

  if (own.curve != NULL)
    odl_display_apply_curve (&own, row, picture);
  else if (own.invert)
    for (int x = 0; x < picture; x++)
      row[x] = 1.0f - odl_display_clamp (row[x] * own.gain + own.offset);
  else
    for (int x = 0; x < picture; x++)
      row[x] = odl_display_clamp (row[x] * own.gain + own.offset);
  for (int i = runs->levels - 1, from = picture; i >= 0; from = runs->ends[i--]) {
    const int end = runs->ends[i];
    const float gain = own.detail_gains[i], zero = odl_details_zero (&own.details);
    for (int x = from; x < end; x++)
      row[x] = odl_display_clamp (zero + row[x] * gain);
  }
}
