// SPDX-License-Identifier: MIT
// Noise made equal and back, as src/plan/spatial/stabilise.c and restore.c say. RULE is three times
// the method (0 anscombe, 1 log, 2 box-cox), plus 0 forward, 1 algebraic, 2 unbiased.
#define ANSCOMBE_NONE 1.2247448713915890
#define FORWARD (RULE % 3 == 0)
#define UNBIASED (RULE % 3 == 2)

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p) + bias, none = SAMPLE (0.0);
#if RULE / 3 == 0
  if (FORWARD)
    return 2.0 * sqrt (SCALE * max (f, none) + 0.375) / UNIT - bias;
  SAMPLE d = f * UNIT, over = 1.0 / max (d, SAMPLE (ANSCOMBE_NONE));
  float root = sqrt (1.5);
  SAMPLE more = (0.25 * root + (-1.375 + 0.625 * root * over) * over) * over - 0.125;
  if (UNBIASED)
    return (0.25 * d * d + more) / SCALE * step (SAMPLE (ANSCOMBE_NONE), d) - bias;
  return (0.25 * d * d - 0.375) / SCALE - bias;
#elif RULE / 3 == 1
  if (FORWARD)
    return log (1.0 + max (f, none) / SCALE) / UNIT - bias;
  float noise = UNIT * NOISE;
  return SCALE * (exp (UNIT * f + 0.5 * noise * noise) - 1.0) - bias;
#else
  SAMPLE t = max (f, SAMPLE (1e-30));
  if (FORWARD)
    return pow (t, SAMPLE (SCALE)) * step (SAMPLE (1e-30), f) - bias;
  float power = 1.0 / SCALE, least = max (NOISE, 1e-12);
  float bend = 0.5 * NOISE * NOISE * power * (power - 1.0);
  SAMPLE back = pow (t, SAMPLE (power)) * step (SAMPLE (1e-30), f);
  return back + bend * pow (max (t, SAMPLE (least)), SAMPLE (power - 2.0)) * min (t / least, 1.0)
         - bias;
#endif
}
