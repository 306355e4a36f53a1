// SPDX-License-Identifier: MIT
// Active contours, as image/contour/snakes.h says, and what is done with them.

#include "engine/reference/context.h"
#include "image/contour/snakes.h"
#include "plan/numbers.h"

// What CUT says of a sample.
static uint8_t
side_of (const StepContext *c, double sample)
{
  const OdlStepParameters *p = &c->step->parameters;
  const double *numbers = slot_channel (c, c->step->reads[2], 0);
  const double edge = numbers[ODL_TROUGH_EDGE], limit = numbers[ODL_TROUGH_LIMIT];
  const double value = p->unit > 0 ? round (sample / p->unit) : sample;

  if ((value >= limit) != (p->low != 0))
    return ODL_SNAKES_OUTSIDE;
  return (value >= edge) != (p->low != 0) ? ODL_SNAKES_INSIDE : 0;
}

static void
read_row (const void *data, int y, float *edges, uint8_t *inside)
{
  const StepContext *c = data;
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const int cut = c->step->reads[1];

  for (int x = 0; x < in->width; x++) {
    edges[x] = 0;
    inside[x] = cut == ODL_PLAN_NO_SLOT ? ODL_SNAKES_INSIDE : 0;
    for (int channel = 0; channel < in->channels; channel++) {
      const size_t at = (size_t) y * in->width + x;
      edges[x] += (float) slot_channel (c, c->step->reads[0], channel)[at];
      const uint8_t side
          = cut != ODL_PLAN_NO_SLOT ? side_of (c, slot_channel (c, cut, channel)[at]) : 0;
      if (side == ODL_SNAKES_INSIDE || inside[x] == 0)
        inside[x] = side == 0 ? inside[x] : side;
    }
  }
}

static float
read_edge (const void *data, int x, int y)
{
  const StepContext *c = data;
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  float edge = 0;

  for (int channel = 0; channel < in->channels; channel++)
    edge += (float) slot_channel (c, c->step->reads[0],
                                  channel)[(size_t) y * in->width + x];
  return edge;
}

void
odl_reference_snakes (const StepContext *c)
{
  const OdlStepParameters *p = &c->step->parameters;
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  const OdlSnakes snakes = {
    .width = in->width,
    .height = in->height,
    .row = read_row,
    .edge = read_edge,
    .data = c,
    .tension = p->tension,
    .rigidity = p->rigidity,
    .diffusion = p->diffusion,
    .smallest = p->smallest,
    .pinned = c->step->reads[1] != ODL_PLAN_NO_SLOT,
    .pulls = p->pulls,
    .n_pulls = p->n_pulls,
  };
  const int n = odl_contour_numbers (in->height);
  g_autofree float *numbers = g_new (float, n);
  double *to = slot_channel (c, c->step->writes, 0);

  odl_snakes_find (&snakes, numbers);
  for (int i = 0; i < n; i++)
    to[i] = (double) numbers[i];
}

// As odl_contour_mask_row has it, sample by sample; beyond a border as at it.
static bool
is_inside (const StepContext *c, int x, int y)
{
  const int row = CLAMP (y, 0, c->out->height - 1);
  const int column = CLAMP (x, 0, c->out->width - 1);
  const double *crossings = slot_channel (c, c->step->reads[1], 0) + ODL_CONTOUR_ROWS
                            + (size_t) row * ODL_CONTOUR_ROW;
  int n = 0;

  for (int k = 0; k < (int) crossings[0]; k++)
    n += crossings[1 + k] <= column + 0.5;
  return n % 2 != 0;
}

void
odl_reference_outline (const StepContext *c)
{
  const OdlStepParameters *p = &c->step->parameters;
  const int d = p->thickness;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++, from++, to++) {
        const bool own = is_inside (c, x, y);
        const bool line = is_inside (c, x - d, y) != own || is_inside (c, x + d, y) != own
                          || is_inside (c, x, y - d) != own
                          || is_inside (c, x, y + d) != own;
        *to = p->filled ? own : line ? 1 : *from;
      }
  }
}

void
odl_reference_keep (const StepContext *c)
{
  const OdlSlot *second = &c->plan->slots[c->step->reads[1]];

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *f = slot_channel (c, c->step->reads[0], channel);
    const double *g
        = slot_channel (c, c->step->reads[1], MIN (channel, second->channels - 1));
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = g[i] != 0 ? f[i] : c->step->parameters.fill;
  }
}
