// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/equalise.h"

void
odl_reference_equalise (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const double *from = slot_channel (c, c->step->reads[0], 0);
  double *curve = slot_channel (c, c->step->writes, 0);
  const double limit = odl_step_value (c->step, "limit");
  const int tiles = c->step->side, bins = c->step->bins;
  const OdlEqualiseTile tile_size = odl_equalise_tile (in->width, in->height, tiles);
  const int width = tile_size.width, height = tile_size.height;
  g_autofree guint32 *counts = g_new (guint32, bins);

  for (int tile = 0; tile < tiles * tiles; tile++, curve += bins) {
    const int left = tile % tiles * width, top = tile / tiles * height;
    double sum = 0;
    memset (counts, 0, (size_t) bins * sizeof *counts);
    for (int y = top; y < top + height; y++)
      for (int x = left; x < left + width; x++)
        counts[odl_equalise_bin (fetch (from, in, x, y), bins)]++;
    const double each = limit > 0 ? odl_equalise_clip (counts, bins, (guint32) limit) : 0;
    for (int i = 0; i < bins; i++) {
      sum += counts[i] + each;
      curve[i] = sum / ((double) width * height);
    }
  }
}

static double
curve_at (const StepContext *c, int across, int down, double place)
{
  const int bins = c->step->bins, bin = MIN ((int) place, bins - 2);
  const double *curve = c->second + (size_t) (down * c->step->side + across) * bins;

  return curve[bin] + (place - bin) * (curve[bin + 1] - curve[bin]);
}

double
odl_reference_clahe (const StepContext *c, int x, int y)
{
  const int tiles = c->step->side;
  const OdlEqualiseTile tile = odl_equalise_tile (c->out->width, c->out->height, tiles);
  const OdlEqualisePlace across = odl_equalise_place (x, tile.width, tiles);
  const OdlEqualisePlace down = odl_equalise_place (y, tile.height, tiles);
  const double place = CLAMP (at (c, x, y), 0, 1) * (c->step->bins - 1);
  const double upper
      = (1 - across.share) * curve_at (c, across.before, down.before, place)
        + across.share * curve_at (c, across.behind, down.before, place);
  const double lower
      = (1 - across.share) * curve_at (c, across.before, down.behind, place)
        + across.share * curve_at (c, across.behind, down.behind, place);

  return (1 - down.share) * upper + down.share * lower;
}
