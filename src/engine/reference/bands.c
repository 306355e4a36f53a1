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

// Where the sample at `at` of a line comes from; −1: it is 0.
static int
source_of (OdlBorder border, int at, int by, int n)
{
  const int length = odl_border_length (border, n);

  return border == ODL_BORDER_PERIODIC && at >= length
             ? at
             : odl_border_index (border, at - by,
                                 border == ODL_BORDER_PERIODIC ? length : n);
}

void
odl_reference_shift (const StepContext *c)
{
  const OdlStep *step = c->step;
  const OdlSlot *in = &c->plan->slots[step->reads[0]];
  const int dx = (int) step->parameters.values[0], dy = (int) step->parameters.values[1];

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, step->reads[0], channel);
    const double *sum = step->reads[1] != ODL_PLAN_NO_SLOT
                            ? slot_channel (c, step->reads[1], channel)
                            : NULL;
    double *to = slot_channel (c, step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const int sx = source_of (step->border, x, dx, in->width);
        const int sy = source_of (step->border, y, dy, in->height);
        const double moved = sx < 0 || sy < 0 ? 0 : from[(size_t) sy * in->width + sx];
        *to++ = (sum != NULL ? *sum++ : 0) + step->parameters.weight * moved;
      }
  }
}
