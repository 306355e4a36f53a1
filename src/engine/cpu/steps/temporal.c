// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/temporal.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "wavelet/border.h"

// Columns of one pass: its lines stay in the first cache.
#define SPAN 512
#define MOST_RADIUS 2

struct _OdlCpuRings {
  int n_steps;
  OdlCpuPicture (*kept)[ODL_PLAN_MAX_FRAMES]; // of each step; most have none
};

OdlCpuRings *
odl_cpu_rings_new (const OdlPlan *plan,
                   const OdlCpuPicture *pictures,
                   bool huge_pages,
                   size_t *created)
{
  OdlCpuRings *rings = g_new0 (OdlCpuRings, 1);

  rings->n_steps = plan->n_steps;
  rings->kept = g_malloc0_n (plan->n_steps, sizeof *rings->kept);
  for (int i = 0; i < plan->n_steps; i++)
    for (int k = 0; k < plan->steps[i].frames; k++) {
      rings->kept[i][k] = pictures[plan->steps[i].writes];
      if (!odl_cpu_picture_alloc (&rings->kept[i][k], huge_pages)) {
        odl_cpu_rings_free (rings);
        return NULL;
      }
      *created += 1;
    }
  return rings;
}

void
odl_cpu_rings_free (OdlCpuRings *rings)
{
  if (rings == NULL)
    return;
  for (int i = 0; i < rings->n_steps; i++)
    for (int k = 0; k < ODL_PLAN_MAX_FRAMES; k++)
      odl_aligned_free (rings->kept[i][k].samples);
  g_free (rings->kept);
  g_free (rings);
}

OdlCpuPast
odl_cpu_rings_past (const OdlCpuRings *rings,
                    const OdlEngine *engine,
                    const OdlPlan *plan,
                    int step)
{
  OdlCpuPast past = { 0 };

  if (plan->steps[step].frames == 0)
    return past;
  past.earlier = odl_engine_earlier (engine, &plan->steps[step]);
  for (int k = 0; k <= past.earlier; k++)
    past.kept[k] = &rings->kept[step][odl_engine_place (engine, &plan->steps[step], k)];
  return past;
}

// The first frame of a take is not changed.
static bool
copy_first (const OdlCpuWork *work, int channel, int y)
{
  const size_t bytes = work->out->width * sizeof (float);
  const float *x = odl_cpu_row (work->in[0], channel, y);

  if (work->past.earlier > 0)
    return false;
  memcpy (odl_cpu_row (work->past.kept[0], channel, y), x, bytes);
  memcpy (odl_cpu_row (work->out, channel, y), x, bytes);
  return true;
}

void
odl_cpu_recursive_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float weight = (float) work->step->parameters.weight;
  const OdlCpuTaps taps = { .count = 2, .value = { weight, 1 - weight } };
  const int width = work->out->width;

  for (int y = from; y < to; y++) {
    if (copy_first (work, channel, y))
      continue;
    const float *const rows[] = { odl_cpu_row (work->in[0], channel, y),
                                  odl_cpu_row (work->past.kept[1], channel, y) };
    float *kept = odl_cpu_row (work->past.kept[0], channel, y);
    work->variant->combine (&taps, rows, kept, width);
    memcpy (odl_cpu_row (work->out, channel, y), kept, width * sizeof *kept);
  }
}

// Columns from … to − 1 of a row: |x − y₋₁| summed along y with what lies beyond the
// border, then along x.
static void
persist_piece (const OdlCpuWork *work,
               const OdlCpuGate *gate,
               int channel,
               int y,
               int from,
               int to)
{
  const int r = work->step->parameters.radius, width = work->out->width;
  const int first = MAX (from - r, 0), end = MIN (to + r, width);
  const float *x[2 * MOST_RADIUS + 1], *before[2 * MOST_RADIUS + 1];
  float sums[SPAN + 2 * MOST_RADIUS + ODL_CPU_SLACK];
  float *origin = sums + r - from; // of column 0

  for (int k = -r; k <= r; k++) {
    const int row = odl_border_fold (y + k, work->out->height);
    x[k + r] = odl_cpu_row (work->in[0], channel, row) + first;
    before[k + r] = odl_cpu_row (work->past.kept[1], channel, row) + first;
  }
  work->variant->distance (x, before, 2 * r + 1, origin + first, end - first);
  for (int i = from - r; i < first; i++)
    origin[i] = origin[odl_border_fold (i, width)];
  for (int i = end; i < to + r; i++)
    origin[i] = origin[odl_border_fold (i, width)];
  work->variant->follow (gate, sums, x[r] + from - first, before[r] + from - first,
                         odl_cpu_row (work->past.kept[0], channel, y) + from, to - from);
}

void
odl_cpu_persistence_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int side = 2 * work->step->parameters.radius + 1, width = work->out->width;
  const OdlCpuGate gate = {
    .count = side,
    .gain = (float) (1 / (side * side * work->step->parameters.threshold)),
    .weight = (float) work->step->parameters.weight,
  };

  for (int y = from; y < to; y++) {
    if (copy_first (work, channel, y))
      continue;
    for (int x = 0; x < width; x += SPAN)
      persist_piece (work, &gate, channel, y, x, MIN (x + SPAN, width));
    memcpy (odl_cpu_row (work->out, channel, y),
            odl_cpu_row (work->past.kept[0], channel, y), width * sizeof (float));
  }
}

static void
mean_row (const OdlCpuWork *work, const float *const *rows, float *out)
{
  const int n = work->past.earlier + 1;
  OdlCpuTaps taps = { .count = n, .symmetric = n % 2 == 1 };

  for (int k = 0; k < n; k++)
    taps.value[k] = 1.0f / (float) n;
  work->variant->combine (&taps, rows, out, work->out->width);
}

// With fewer frames than the network sorts, the missing inputs are alternately set below
// and above all values. An even number of frames has two middle values; with one more
// missing input below, or above, the network finds one or the other.
static void
median_of_few (const OdlCpuWork *work, const float *const *rows, float *out)
{
  const OdlCpuTaps half = { .count = 2, .value = { 0.5f, 0.5f } };
  const int n = work->past.earlier + 1, wanted = work->step->frames;
  float ends[2][SPAN + ODL_CPU_SLACK], middle[2][SPAN + ODL_CPU_SLACK];
  const float *piece[ODL_PLAN_MAX_FRAMES];

  for (int i = 0; i < SPAN + ODL_CPU_SLACK; i++) {
    ends[0][i] = -FLT_MAX;
    ends[1][i] = FLT_MAX;
  }
  for (int x = 0; x < work->out->width; x += SPAN) {
    const int count = MIN (SPAN, work->out->width - x);
    for (int turn = 0; turn < 2; turn++) {
      for (int k = 0; k < wanted; k++)
        piece[k] = k < n ? rows[k] + x : ends[(k - n + turn) % 2];
      work->variant->median (piece, wanted, middle[turn], count);
    }
    work->variant->combine (&half, (const float *const[]){ middle[0], middle[1] },
                            out + x, count);
  }
}

void
odl_cpu_window_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float *rows[ODL_PLAN_MAX_FRAMES];
  const int width = work->out->width;

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);
    for (int k = 0; k <= work->past.earlier; k++)
      rows[k] = odl_cpu_row (k == 0 ? work->in[0] : work->past.kept[k], channel, y);
    memcpy (odl_cpu_row (work->past.kept[0], channel, y), rows[0],
            width * sizeof (float));
    if (work->step->kind == ODL_STEP_MEAN)
      mean_row (work, rows, out);
    else if (work->past.earlier + 1 < work->step->frames)
      median_of_few (work, rows, out);
    else
      work->variant->median (rows, work->step->frames, out, width);
  }
}
