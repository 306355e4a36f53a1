// SPDX-License-Identifier: MIT
// As plan/spatial/sobel.c says. Lines of samples, those of whole ones in units,
// with one mirrored sample at either end, go round in a ring of three.
#include <math.h>

#include "engine/cpu/steps/work.h"

typedef struct {
  const float *up, *mid, *down; // of sample −1
} Lines;

// Upper limit of whole samples in units: 17 bits, so that a float can also hold halves.
#define BELOW 131072

static void
fill (const float *row, int width, double unit, float *line)
{
  const float scale = unit > 0 ? (float) (1 / unit) : 1;

  if (unit > 0)
    for (int x = 0; x < width; x++)
      line[1 + x] = (float) ((int) (row[x] * scale + (BELOW + 0.5f)) - BELOW);
  else
    for (int x = 0; x < width; x++)
      line[1 + x] = row[x];
  line[0] = line[1 + odl_border_fold (-1, width)];
  line[1 + width] = line[1 + odl_border_fold (width, width)];
}

static inline float
along_x (const Lines *at, int x)
{
  return (at->up[x + 2] - at->up[x]) + (at->down[x + 2] - at->down[x])
         + 2 * (at->mid[x + 2] - at->mid[x]);
}

static inline float
along_y (const Lines *at, int x)
{
  return (at->down[x] - at->up[x]) + (at->down[x + 2] - at->up[x + 2])
         + 2 * (at->down[x + 1] - at->up[x + 1]);
}

// In double precision, where the squares are exact.
static void
whole_magnitude (const Lines *at, int width, double unit, float *restrict out)
{
  const int most = (int) (1 / unit + 0.5);
  const float scale = (float) unit;

  for (int x = 0; x < width; x++) {
    const double h = along_x (at, x), v = along_y (at, x);
    const int root = (int) sqrt (v * v + h * h);
    out[x] = (float) (root < most ? root : most) * scale;
  }
}

static void
magnitude (const Lines *at, int width, float *restrict out)
{
  for (int x = 0; x < width; x++) {
    const float h = along_x (at, x), v = along_y (at, x);
    out[x] = sqrtf (v * v + h * h);
  }
}

static void
direction (const Lines *at, int width, float *out)
{
  for (int x = 0; x < width; x++) {
    const float h = along_x (at, x), v = along_y (at, x);
    const double turn = v == 0 && h == 0 ? 0 : atan2 (v, h) / (2 * G_PI);
    out[x] = (float) (turn < 0 ? turn + 1 : turn);
  }
}

void
odl_cpu_sobel_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *parameters = &work->step->parameters;
  const int width = work->out->width, height = work->out->height;
  const size_t length = (size_t) width + 2;
  g_autofree float *lines = g_new (float, 3 * length);

  for (int y = from - 2; y < to; y++) { // the result's row, once all three are there
    const int ahead = y + 1;
    fill (odl_cpu_row (work->in[0], channel, odl_border_fold (ahead, height)), width,
          parameters->unit, lines + (ahead + 3) % 3 * length);
    if (y < from)
      continue;
    const Lines at = { lines + (y + 2) % 3 * length, lines + y % 3 * length,
                       lines + ahead % 3 * length };
    float *out = odl_cpu_row (work->out, channel, y);
    if (odl_step_value (work->step, "direction") != 0)
      direction (&at, width, out);
    else if (parameters->unit > 0)
      whole_magnitude (&at, width, parameters->unit, out);
    else
      magnitude (&at, width, out);
  }
}
