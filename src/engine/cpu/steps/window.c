// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

#include <math.h>

#define MOST_SIDE ODL_PLAN_MAX_SIDE
#define MOST_SAMPLES (MOST_SIDE * MOST_SIDE)
#define PIECE (ODL_CPU_SPAN + MOST_SIDE - 1 + ODL_CPU_SLACK)

void
odl_cpu_local_statistics (const OdlCpuWork *work,
                          int channel,
                          int y,
                          int x,
                          int count,
                          float *mean,
                          float *variance)
{
  const int side = work->step->side, radius = side / 2, length = count + side - 1;
  const double n = side * side;
  double sums[PIECE] = { 0 }, squares[PIECE] = { 0 };
  float line[PIECE];

  for (int k = -radius; k <= radius; k++) {
    const int row = odl_border_fold (y + k, work->out->height);
    odl_cpu_copy_mirrored (odl_cpu_row (work->in[0], channel, row), work->out->width,
                           x - radius, x + count + radius, line);
    for (int i = 0; i < length; i++) {
      const double f = line[i];
      sums[i] += f;
      squares[i] += f * f;
    }
  }
  double sum = 0, square = 0;
  for (int i = 0; i < side - 1; i++) {
    sum += sums[i];
    square += squares[i];
  }
  for (int i = 0; i < count; i++) {
    sum += sums[i + side - 1];
    square += squares[i + side - 1];
    const double m = sum / n;
    mean[i] = (float) m;
    variance[i] = (float) MAX (square / n - m * m, 0);
    sum -= sums[i];
    square -= squares[i];
  }
}

// The steepness of the exponents of a row, damping (deviation / mean)².
static void
measure (const OdlCpuWork *work,
         float damping,
         int channel,
         int y,
         int x,
         int count,
         float *steepness)
{
  float mean[ODL_CPU_SPAN];

  odl_cpu_local_statistics (work, channel, y, x, count, mean, steepness);
  for (int i = 0; i < count; i++) {
    const float m = mean[i] > ODL_CPU_PATCH_DARKEST ? mean[i] : ODL_CPU_PATCH_DARKEST;
    steepness[i] = damping * steepness[i] / (m * m);
  }
}

// Lines of the window go round in a ring of `side`, as the median's do.
void
odl_cpu_weigh_rows (const OdlCpuWork *work,
                    const OdlCpuWeights *weights,
                    int channel,
                    int from,
                    int to)
{
  const int side = work->step->side, radius = side / 2;
  const int width = work->out->width, height = work->out->height;
  const bool steep = weights->damping > 0;
  float lines[MOST_SIDE][PIECE], distances[MOST_SAMPLES], steepness[PIECE] = { 0 };
  const float *window[MOST_SAMPLES];
  OdlCpuWindow c = { .window = window,
                     .distances = distances,
                     .steepness = steep ? steepness : NULL,
                     .samples = side * side,
                     .factor = weights->range };

  for (int k = 0; k < side * side; k++) {
    const int dx = k % side - radius, dy = k / side - radius;
    const float square = (float) (dx * dx + dy * dy);
    distances[k] = steep ? sqrtf (square) : weights->space * square;
  }
  for (int x = 0; x < width; x += ODL_CPU_SPAN) {
    const int count = MIN (ODL_CPU_SPAN, width - x);
    for (int y = from - 2 * radius; y < to; y++) { // the result's row, once all are there
      const int ahead = y + radius;
      const float *row
          = odl_cpu_row (work->in[0], channel, odl_border_fold (ahead, height));
      odl_cpu_copy_mirrored (row, width, x - radius, x + count + radius,
                             lines[(ahead % side + side) % side]);
      if (y < from)
        continue;
      for (int k = 0; k < side * side; k++)
        window[k] = lines[((y + k / side - radius) % side + side) % side] + k % side;
      c.centre = window[side * side / 2];
      if (steep)
        measure (work, weights->damping, channel, y, x, count, steepness);
      work->variant->weigh (&c, odl_cpu_row (work->out, channel, y) + x, count);
    }
  }
}
