// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/work.h"
#include "plan/stabiliser.h"

typedef struct {
  float scale, unit, noise;
} Numbers;

static void
forward_row (OdlStabiliser method, const float *f, float *restrict out, int n, Numbers v)
{
  if (method == ODL_STABILISER_ANSCOMBE)
    for (int x = 0; x < n; x++)
      out[x] = 2 * sqrtf (v.scale * MAX (f[x], 0) + 0.375F) / v.unit;
  else if (method == ODL_STABILISER_LOG)
    for (int x = 0; x < n; x++)
      out[x] = logf (1 + MAX (f[x], 0) / v.scale) / v.unit;
  else
    for (int x = 0; x < n; x++)
      out[x] = powf (MAX (f[x], 0), v.scale);
}

static void
photons_row (bool unbiased, const float *f, float *restrict out, int n, Numbers v)
{
  const float root = sqrtf (1.5F);

  for (int x = 0; x < n; x++) {
    const float d = f[x] * v.unit, over = 1 / MAX (d, (float) ODL_ANSCOMBE_NONE);
    const float more
        = (0.25F * root + (-1.375F + 0.625F * root * over) * over) * over - 0.125F;
    const float all = 0.25F * d * d + (unbiased ? more : -0.375F);
    out[x] = unbiased && d <= (float) ODL_ANSCOMBE_NONE ? 0 : all / v.scale;
  }
}

static void
power_row (const float *f, float *restrict out, int n, Numbers v)
{
  const float power = 1 / v.scale, bend = 0.5F * v.noise * v.noise * power * (power - 1);

  for (int x = 0; x < n; x++) {
    const float t = MAX (f[x], 0);
    out[x] = powf (t, power);
    if (v.noise > 0)
      out[x] += bend * powf (MAX (t, v.noise), power - 2) * MIN (t / v.noise, 1);
  }
}

void
odl_cpu_stabilise_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double *values = work->step->parameters.values;
  const Numbers v
      = { (float) values[ODL_STABILISER_SCALE], (float) values[ODL_STABILISER_UNIT],
          (float) values[ODL_STABILISER_NOISE] };
  const OdlStabiliser method = (OdlStabiliser) (work->step->rule / ODL_N_STABILISING);
  const int direction = work->step->rule % ODL_N_STABILISING, n = work->out->width;
  const float more = 0.5F * (v.unit * v.noise) * (v.unit * v.noise);

  for (int y = from; y < to; y++) {
    const float *f = odl_cpu_row (work->in[0], channel, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    if (direction == ODL_STABILISE_FORWARD)
      forward_row (method, f, out, n, v);
    else if (method == ODL_STABILISER_ANSCOMBE)
      photons_row (direction == ODL_STABILISE_UNBIASED, f, out, n, v);
    else if (method == ODL_STABILISER_LOG)
      for (int x = 0; x < n; x++)
        out[x] = v.scale * (expf (v.unit * f[x] + more) - 1);
    else
      power_row (f, out, n, v);
  }
}
