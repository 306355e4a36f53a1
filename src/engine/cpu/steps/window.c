// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/window.h"

#include <math.h>

#define MOST_SIDE ODL_PLAN_MAX_SIDE
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

typedef struct {
  float (*lines)[PIECE]; // of each slice a ring of `side`
  const float **window;
  float *distances;
} Room;

// What the samples of a square or cube are weighted with at their distances.
static void
measure_distances (const OdlStep *step, const OdlCpuWeights *weights, float *distances)
{
  const int side = step->side, area = side * side, radius = side / 2;
  const int depth = MAX (step->kernel_depth, 1);

  for (int k = 0; k < area * depth; k++) {
    const int dx = k % side - radius, dy = k % area / side - radius;
    const int dz = k / area - depth / 2;
    const float square = (float) (dx * dx + dy * dy + dz * dz);
    distances[k] = weights->damping > 0 ? sqrtf (square) : weights->space * square;
  }
}

// Row y, mirrored at its ends, of the slices that the window meets.
static void
copy_lines (const OdlCpuWork *work,
            const Room *room,
            int channel,
            int y,
            int x,
            int count)
{
  const int side = work->step->side, radius = side / 2, channels = work->in[0]->channels;
  const int depth = MAX (work->step->kernel_depth, 1);
  const int row = odl_border_fold (y, work->out->height);

  for (int k = 0; k < depth; k++) {
    const int z = odl_border_fold (channel / channels + k - depth / 2,
                                   MAX (work->in[0]->depth, 1));
    odl_cpu_copy_mirrored (
        odl_cpu_row (work->in[0], z * channels + channel % channels, row),
        work->out->width, x - radius, x + count + radius,
        room->lines[k * side + (y % side + side) % side]);
  }
}

static void
weigh_columns (const OdlCpuWork *work,
               const OdlCpuWeights *weights,
               const Room *room,
               int channel,
               int from,
               int to,
               int x)
{
  const int side = work->step->side, area = side * side, radius = side / 2;
  const int samples = area * MAX (work->step->kernel_depth, 1);
  const int count = MIN (ODL_CPU_SPAN, work->out->width - x);
  const bool steep = weights->damping > 0;
  float steepness[PIECE] = { 0 };
  OdlCpuWindow c = { .window = room->window,
                     .distances = room->distances,
                     .steepness = steep ? steepness : NULL,
                     .samples = samples,
                     .factor = weights->range };

  for (int y = from - 2 * radius; y < to; y++) { // the result's row, once all are there
    copy_lines (work, room, channel, y + radius, x, count);
    if (y < from)
      continue;
    for (int k = 0; k < samples; k++) {
      const int row = (y + k % area / side - radius) % side;
      room->window[k] = room->lines[k / area * side + (row + side) % side] + k % side;
    }
    c.centre = room->window[samples / 2];
    if (steep)
      measure (work, weights->damping, channel, y, x, count, steepness);
    work->variant->weigh (&c, odl_cpu_row (work->out, channel, y) + x, count);
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
  const int side = work->step->side, depth = MAX (work->step->kernel_depth, 1);
  g_autofree float *lines = g_new (float, (size_t) side *depth *PIECE);
  g_autofree const float **window = g_new (const float *, side *side *depth);
  g_autofree float *distances = g_new (float, side *side *depth);
  const Room room = { (float (*)[PIECE]) lines, window, distances };

  measure_distances (work->step, weights, distances);
  for (int x = 0; x < work->out->width; x += ODL_CPU_SPAN)
    weigh_columns (work, weights, &room, channel, from, to, x);
}
