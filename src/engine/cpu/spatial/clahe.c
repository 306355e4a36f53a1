// SPDX-License-Identifier: MIT
// A row is worked on in parts between the middles of tiles, which share four curves.
#include "engine/cpu/steps/work.h"

#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "plan/equalise.h"
#include "wavelet/border.h"

// Tiles that are counted at the same time.
#define MOST_PARTS 16

static void
count_tile (const OdlCpuPicture *in,
            int left,
            int top,
            int width,
            int height,
            int bins,
            guint32 *counts)
{
  const float scale = (float) (bins - 1);

  for (int y = top; y < top + height; y++) {
    const float *line = odl_cpu_row (in, 0, odl_border_fold (y, in->height));
    const int inside = CLAMP (in->width - left, 0, width);
    for (int x = left; x < left + inside; x++)
      counts[(int) (CLAMP (line[x], 0.0f, 1.0f) * scale + 0.5f)]++;
    for (int x = left + inside; x < left + width; x++)
      counts[(int) (CLAMP (line[odl_border_fold (x, in->width)], 0.0f, 1.0f) * scale
                    + 0.5f)]++;
  }
}

void
odl_cpu_equalise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *in = work->in[0];
  const int tiles = work->step->side, bins = work->step->bins;
  const guint32 limit = (guint32) odl_step_value (work->step, "limit");
  const OdlEqualiseTile tile_size = odl_equalise_tile (in->width, in->height, tiles);
  const int width = tile_size.width, height = tile_size.height;
  const float share = 1 / ((float) width * (float) height);
  const int parts = MIN (MOST_PARTS, tiles * tiles);
  g_autofree guint32 *counts = g_new (guint32, (size_t) parts * bins);

  (void) channel, (void) from, (void) to;
  ODL_PARALLEL_FOR
  for (int part = 0; part < parts; part++)
    for (int tile = tiles * tiles * part / parts;
         tile < tiles * tiles * (part + 1) / parts; tile++) {
      guint32 *own = counts + (size_t) part * bins, sum = 0;
      float *curve = odl_cpu_row (work->out, 0, 0) + (size_t) tile * bins;
      memset (own, 0, (size_t) bins * sizeof *own);
      count_tile (in, tile % tiles * width, tile / tiles * height, width, height, bins,
                  own);
      const guint32 each = limit > 0 ? odl_equalise_clip (own, bins, limit) : 0;
      for (int i = 0; i < bins; i++) {
        sum += own[i] + each;
        curve[i] = (float) sum * share;
      }
    }
}

// One row of samples between two middles of tiles, or beyond the first or last one.
ODL_ROW_LOOP
static void
apply_part (const float *line,
            float *restrict out,
            int from,
            int to,
            int tile,
            const float *const curves[4],
            float down,
            int bins)
{
  const float step = 1 / (float) tile;
  const OdlEqualisePlace first = odl_equalise_place (from, tile, INT_MAX);
  const float scale = (float) (bins - 1);

  for (int x = from; x < to; x++) {
    const float place = CLAMP (line[x], 0.0f, 1.0f) * scale;
    const int bin = MIN ((int) place, bins - 2);
    const float rest = place - (float) bin;
    const float across = (float) first.share + (float) (x - from) * step;
    float value[4];
    for (int k = 0; k < 4; k++)
      value[k] = curves[k][bin] + rest * (curves[k][bin + 1] - curves[k][bin]);
    const float upper = value[0] + across * (value[1] - value[0]);
    const float lower = value[2] + across * (value[3] - value[2]);
    out[x] = upper + down * (lower - upper);
  }
}

void
odl_cpu_clahe_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const int tiles = work->step->side, bins = work->step->bins;
  const int width = work->out->width;
  const OdlEqualiseTile tile = odl_equalise_tile (width, work->out->height, tiles);
  const float *numbers = odl_cpu_row (work->in[1], 0, 0);

  for (int y = from; y < to; y++) {
    const OdlEqualisePlace down = odl_equalise_place (y, tile.height, tiles);
    for (int x = 0, end; x < width; x = end) {
      const OdlEqualisePlace across = odl_equalise_place (x, tile.width, tiles);
      const float *const curves[4] = {
        numbers + (size_t) (down.before * tiles + across.before) * bins,
        numbers + (size_t) (down.before * tiles + across.behind) * bins,
        numbers + (size_t) (down.behind * tiles + across.before) * bins,
        numbers + (size_t) (down.behind * tiles + across.behind) * bins,
      };
      for (end = x + 1; end < width; end++) {
        const OdlEqualisePlace next = odl_equalise_place (end, tile.width, tiles);
        if (next.before != across.before || next.behind != across.behind)
          break;
      }
      apply_part (odl_cpu_row (work->in[0], channel, y),
                  odl_cpu_row (work->out, channel, y), x, end, tile.width, curves,
                  (float) down.share, bins);
    }
  }
}
