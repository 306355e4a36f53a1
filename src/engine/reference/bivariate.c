// SPDX-License-Identifier: MIT
// Bivariate shrinkage of the decimated transform's details (plan/step.h).
#include "engine/reference/context.h"

// A detail band in the bands of its level.
typedef struct {
  const double *samples; // of all bands
  int stride, left, top, width, height;
} Band;

static Band
band_of (const OdlSlot *slot, const double *samples, OdlDetailBand band)
{
  const int across = odl_low_count (slot->width), down = odl_low_count (slot->height);
  const bool right = band != ODL_BAND_LH, below = band != ODL_BAND_HL;

  return (Band){ samples,
                 slot->width,
                 right ? across : 0,
                 below ? down : 0,
                 right ? slot->width - across : across,
                 below ? slot->height - down : down };
}

static double
detail (const Band *band, int x, int y)
{
  return band
      ->samples[(size_t) (band->top + odl_border_fold (y, band->height)) * band->stride
                + band->left + odl_border_fold (x, band->width)];
}

// 0 where the next level has no such band.
static double
parent_of (const Band *band, int x, int y)
{
  if (band->width == 0 || band->height == 0)
    return 0;
  return detail (band, MIN (x / 2, band->width - 1), MIN (y / 2, band->height - 1));
}

static double
shrunk (const StepContext *c,
        OdlDetailBand number,
        const Band *own,
        const Band *next,
        int x,
        int y)
{
  const OdlStepParameters *p = &c->step->parameters;
  const double variance = p->thresholds[number] * p->thresholds[number];
  const int radius = c->step->side / 2;
  const double f = detail (own, x, y), g = p->gains[number] * parent_of (next, x, y);
  double sum = 0;

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++)
      sum += detail (own, x + dx, y + dy) * detail (own, x + dx, y + dy);
  const double signal = sum / (c->step->side * c->step->side) - variance;
  const double length = sqrt (f * f + g * g);
  if (!(signal > 0) || !(length > 0))
    return 0;
  return f * MAX (length - sqrt (3) * variance / sqrt (signal), 0) / length;
}

void
odl_reference_bivariate (const StepContext *c)
{
  const OdlSlot *parents = &c->plan->slots[c->step->reads[1]];

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    const double *above = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = NAN; // LL is undefined
    for (OdlDetailBand number = 0; number < ODL_DETAIL_BANDS; number++) {
      const Band own = band_of (c->out, from, number);
      const Band next = band_of (parents, above, number);
      for (int y = 0; y < own.height; y++)
        for (int x = 0; x < own.width; x++)
          to[(size_t) (own.top + y) * own.stride + own.left + x]
              = shrunk (c, number, &own, &next, x, y);
    }
  }
}
