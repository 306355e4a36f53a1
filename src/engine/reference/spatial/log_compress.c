// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/compression.h"
#include "plan/numbers.h"

void
odl_reference_peak (const StepContext *c)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];
  double *peaks = slot_channel (c, c->step->writes, 0);

  for (int part = 0; part < ODL_PEAK_PARTS; part++) {
    peaks[part] = 0;
    for (int channel = 0; channel < in->channels; channel++) {
      const double *f = slot_channel (c, c->step->reads[0], channel);
      for (int y = odl_peak_row (part, in->height);
           y < odl_peak_row (part + 1, in->height); y++)
        for (int x = 0; x < in->width; x++)
          peaks[part] = fmax (peaks[part], f[(size_t) y * in->width + x]);
    }
  }
}

double
odl_reference_log_compress (const StepContext *c, int x, int y)
{
  double reference = ODL_LEAST_REFERENCE;

  for (int part = 0; c->second != NULL && part < ODL_PEAK_PARTS; part++)
    reference = fmax (reference, c->second[part]);
  const double share = at (c, x, y) / (c->second != NULL ? reference : 1);
  const double amplitude = odl_step_value (c->step, "times") * share;

  return CLAMP (1
                    + odl_step_value (c->step, "slope")
                          * log2 (fmax (amplitude, ODL_LEAST_AMPLITUDE)),
                0, 1);
}
