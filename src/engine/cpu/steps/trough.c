// SPDX-License-Identifier: MIT
// A threshold at a trough of the histogram, as plan/trough.h says. Parts of the picture
// are counted at the same time, each on its own; whole numbers add up in any order.
#include "engine/cpu/steps/work.h"

#include "base/parallel.h"
#include "plan/numbers.h"
#include "plan/trough.h"

#define MOST_PARTS 16

static void
count_rows (const OdlCpuWork *work,
            const OdlTroughBins *bins,
            int from,
            int to,
            guint32 *counts)
{
  const OdlCpuPicture *in = work->in[0];
  const float scale = bins->width > 0 ? (float) bins->steps : (float) bins->count;
  const float half = bins->width > 0 ? 0.5f : 0;
  const int width = MAX (bins->width, 1), last = bins->count - 1;

  for (int row = from; row < to; row++) {
    const float *line = odl_cpu_row (in, row / in->height, row % in->height);
    for (int x = 0; x < in->width; x++) {
      const int bin = (int) (CLAMP (line[x], 0.0f, 1.0f) * scale + half) / width;
      counts[MIN (bin, last)]++;
    }
  }
}

void
odl_cpu_trough_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *p = &work->step->parameters;
  const OdlTroughBins bins = odl_trough_bins (work->step->bins, p->unit);
  const int rows = odl_cpu_planes (work->in[0]) * work->in[0]->height;
  const int parts = MIN (MOST_PARTS, rows);
  float *numbers = odl_cpu_row (work->out, 0, 0);
  double told[ODL_TROUGH_HISTOGRAM];
  g_autofree guint32 *counts = g_new0 (guint32, (size_t) parts * bins.count);

  (void) channel, (void) from, (void) to;
  ODL_PARALLEL_FOR
  for (int part = 0; part < parts; part++)
    count_rows (work, &bins, (int) ((int64_t) rows * part / parts),
                (int) ((int64_t) rows * (part + 1) / parts),
                counts + (size_t) part * bins.count);
  for (int part = 1; part < parts; part++)
    for (int i = 0; i < bins.count; i++)
      counts[i] += counts[(size_t) part * bins.count + i];
  const OdlTrough trough
      = odl_trough_find (counts, bins.count, p->smoothing, p->share, p->low);
  odl_trough_tell (&bins, &trough, p->low, p->edge, told);
  for (int i = 0; i < ODL_TROUGH_HISTOGRAM; i++)
    numbers[i] = (float) told[i];
  for (int i = 0; i < bins.count; i++)
    numbers[ODL_TROUGH_HISTOGRAM + i] = (float) counts[i];
}

void
odl_cpu_cut_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *p = &work->step->parameters;
  const float *numbers = odl_cpu_row (work->in[1], 0, 0);
  const float scale = p->unit > 0 ? (float) (1 / p->unit) : 1;
  const float half = p->unit > 0 ? 0.5f : 0;
  const float edge = numbers[ODL_TROUGH_EDGE] - half;
  const float limit = numbers[ODL_TROUGH_LIMIT] - half;
  const float least = p->low ? limit : edge, end = p->low ? edge : limit;

  for (int y = from; y < to; y++) {
    const float *line = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = line[x] * scale >= least && line[x] * scale < end ? line[x] : 0;
  }
}
