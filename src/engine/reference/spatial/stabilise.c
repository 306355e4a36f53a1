// SPDX-License-Identifier: MIT
#include "engine/reference/context.h"
#include "plan/stabiliser.h"

static double
forward (OdlStabiliser method, double x, double scale, double unit)
{
  const double from = fmax (x, 0);

  switch (method) {
  case ODL_STABILISER_ANSCOMBE:
    return 2 * sqrt (scale * from + 0.375) / unit;
  case ODL_STABILISER_LOG:
    return log (1 + from / scale) / unit;
  default:
    return pow (from, scale);
  }
}

static double
photons (double d, bool unbiased)
{
  const double root = sqrt (1.5);

  if (!unbiased)
    return d * d / 4 - 0.375;
  if (d <= ODL_ANSCOMBE_NONE)
    return 0;
  return d * d / 4 + root / 4 / d - 1.375 / (d * d) + 0.625 * root / (d * d * d) - 0.125;
}

static double
power_back (double t, double scale, double noise)
{
  const double power = 1 / scale, from = fmax (t, 0), far = fmax (from, noise);
  const double bend = 0.5 * noise * noise * power * (power - 1);

  return pow (from, power)
         + (noise > 0 ? bend * pow (far, power - 2) * fmin (from / noise, 1) : 0);
}

double
odl_reference_stabilise (const StepContext *c, int x, int y)
{
  const double *values = c->step->parameters.values;
  const double scale = values[ODL_STABILISER_SCALE], unit = values[ODL_STABILISER_UNIT];
  const double noise = values[ODL_STABILISER_NOISE], f = at (c, x, y);
  const OdlStabiliser method = (OdlStabiliser) (c->step->rule / ODL_N_STABILISING);
  const OdlStabilising direction = (OdlStabilising) (c->step->rule % ODL_N_STABILISING);

  if (direction == ODL_STABILISE_FORWARD)
    return forward (method, f, scale, unit);
  switch (method) {
  case ODL_STABILISER_ANSCOMBE:
    return photons (f * unit, direction == ODL_STABILISE_UNBIASED) / scale;
  case ODL_STABILISER_LOG:
    return scale * (exp (unit * f + 0.5 * (unit * noise) * (unit * noise)) - 1);
  default:
    return power_back (f, scale, noise);
  }
}
