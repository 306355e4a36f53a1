// SPDX-License-Identifier: MIT
// Illumination and texture, the residual, and the bands of two pictures, as plan/step.h
// says.
#include "engine/reference/context.h"
#include "filter/filter.h"
#include "plan/numbers.h"

static bool
is_inside (const StepContext *c, const double *picture, int x, int y)
{
  const OdlSlot *in = &c->plan->slots[c->step->reads[0]];

  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (fetch (picture, in, x + dx, y + dy) > c->step->parameters.tolerance)
        return true;
  return false;
}

void
odl_reference_inside (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++)
        *to++ = is_inside (c, from, x, y);
  }
}

// What is no number gives way to `least`.
static double
at_least (double value, double least)
{
  return value > least ? value : least;
}

void
odl_reference_divide (const StepContext *c)
{
  const int last = c->plan->slots[c->step->reads[1]].channels - 1;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *f = slot_channel (c, c->step->reads[0], channel);
    const double *g = slot_channel (c, c->step->reads[1], MIN (channel, last));
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = f[i] / at_least (g[i], c->step->parameters.least);
  }
}

// RESIDUAL and ADD.
void
odl_reference_residual (const StepContext *c)
{
  const double sign = c->step->kind == ODL_STEP_ADD ? 1 : -1;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *f = slot_channel (c, c->step->reads[0], channel);
    const double *g = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = f[i] + sign * g[i];
  }
}

void
odl_reference_raise (const StepContext *c)
{
  const double level = odl_step_value (c->step, "level");

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *f = slot_channel (c, c->step->reads[0], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (size_t i = 0; i < (size_t) c->out->width * c->out->height; i++)
      to[i] = f[i] + level;
  }
}

static double
decoupled (const OdlStepParameters *p, double f, double illumination)
{
  const double g = at_least (illumination, p->least);
  const double h = (1 - p->illumination) * p->brightness + p->illumination * g;

  return p->texture * f * (h / g) + (1 - p->texture) * h;
}

void
odl_reference_decouple (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *from = slot_channel (c, c->step->reads[0], channel);
    const double *illumination = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        const size_t i = (size_t) y * c->out->width + x;
        to[i] = is_inside (c, from, x, y)
                    ? decoupled (&c->step->parameters, from[i], illumination[i])
                    : from[i];
      }
  }
}

static double
combined (const OdlStep *step, double a, double b, int band)
{
  const double own = step->parameters.own[band] * a;
  const double other = step->parameters.other[band] * b;

  if (band == 0 || step->rule == ODL_RULE_SUM)
    return own + other;
  return fabs (other) > fabs (own) + ODL_BEYOND_TIES ? other : own;
}

void
odl_reference_combine (const StepContext *c)
{
  const int width = c->out->width, height = c->out->height;

  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *a = slot_channel (c, c->step->reads[0], channel);
    const double *b = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++, a++, b++)
        *to++ = combined (c->step, *a, *b, odl_octant_at (c->out, x, y, c->z));
  }
}

void
odl_reference_limit (const StepContext *c)
{
  for (int channel = 0; channel < c->out->channels; channel++) {
    const double *f = slot_channel (c, c->step->reads[0], channel);
    const double *g = slot_channel (c, c->step->reads[1], channel);
    double *to = slot_channel (c, c->step->writes, channel);
    for (int y = 0; y < c->out->height; y++)
      for (int x = 0; x < c->out->width; x++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < 9; i++) {
          const double sample = fetch (g, c->out, x + i % 3 - 1, y + i / 3 - 1);
          least = fmin (least, sample);
          most = fmax (most, sample);
        }
        const double more = c->step->parameters.tolerance * (most - least);
        *to++ = fmin (fmax (*f++, least - more), most + more);
      }
  }
}
