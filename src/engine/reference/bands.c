// SPDX-License-Identifier: MIT
// Bands as pictures, and pictures as bands.
#include <string.h>

#include "engine/reference/context.h"

// Where a band begins in a slot of bands.
static size_t
band_begin (const OdlSlot *bands, int band)
{
  const size_t top = band / 2 == 1 ? odl_low_count (bands->height) : 0;

  return top * (size_t) bands->width + (band % 2 == 1 ? odl_low_count (bands->width) : 0);
}

static void
copy_rows (const double *from,
           size_t from_stride,
           double *to,
           size_t to_stride,
           const OdlSlot *picture)
{
  for (int y = 0; y < picture->height; y++)
    memcpy (to + (size_t) y * to_stride, from + (size_t) y * from_stride,
            picture->width * sizeof *to);
}

void
odl_reference_band (const StepContext *c)
{
  const OdlSlot *bands = &c->plan->slots[c->step->reads[0]];

  for (int channel = 0; channel < c->out->channels; channel++)
    copy_rows (slot_channel (c, c->step->reads[0], channel)
                   + band_begin (bands, c->step->band),
               (size_t) bands->width, slot_channel (c, c->step->writes, channel),
               (size_t) c->out->width, c->out);
}

void
odl_reference_join (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = NAN; // undefined by contract: whoever reads it shall be found out
    for (int band = 0; band < ODL_BANDS; band++) {
      const int read = c->step->reads[band];
      if (read == ODL_PLAN_NO_SLOT)
        continue;
      const OdlSlot *picture = &c->plan->slots[read];
      copy_rows (slot_channel (c, read, channel), (size_t) picture->width,
                 to + band_begin (c->out, band), (size_t) c->out->width, picture);
    }
  }
}
