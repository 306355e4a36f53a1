// SPDX-License-Identifier: MIT
// A threshold at a trough of the histogram, as plan/trough.h says.
#include "engine/reference/context.h"
#include "plan/numbers.h"
#include "plan/trough.h"

void
odl_reference_trough (const StepContext *c)
{
  const OdlStepParameters *p = &c->step->parameters;
  const OdlTroughBins bins = odl_trough_bins (c->step->bins, p->unit);
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  double *numbers = slot_channel (c, c->step->writes, 0);
  g_autofree guint32 *counts = g_new0 (guint32, bins.count);

  for (int plane = 0; plane < in->channels * in->depth; plane++) {
    const double *from = slot_channel (c, c->step->reads[0], plane);
    for (size_t i = 0; i < (size_t) in->width * in->height; i++)
      counts[odl_trough_bin (&bins, from[i])]++;
  }
  const OdlTrough trough
      = odl_trough_find (counts, bins.count, p->smoothing, p->share, p->low);
  odl_trough_tell (&bins, &trough, p->low, p->edge, numbers);
  for (int i = 0; i < bins.count; i++)
    numbers[ODL_TROUGH_HISTOGRAM + i] = counts[i];
}

void
odl_reference_cut (const StepContext *c)
{
  const OdlStepParameters *p = &c->step->parameters;
  const double *numbers = c->engine->slots[c->step->reads[1]]; // of all slices
  const double edge = numbers[ODL_TROUGH_EDGE], limit = numbers[ODL_TROUGH_LIMIT];
  const double least = p->low ? limit : edge, end = p->low ? edge : limit;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++) {
      const double value = p->unit > 0 ? round (from[i] / p->unit) : from[i];
      to[i] = value >= least && value < end ? from[i] : 0;
    }
  }
}
