// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clones.h"

#include "engine/cpu/steps/work.h"

// Powers in loops that the compiler turns into vectors, which the library's powf keeps it
// from.

// x to the power of `exponent`, for normal numbers x > 0 and results from 2⁻¹²⁰ to 2¹²⁰:
// 2^(exponent · log2 x), where with x = 2^n m, √½ ≤ m < √2 and t = (m − 1) / (m + 1)
//   log2 x = n + 2 (t + t³ / 3 + t⁵ / 5 + t⁷ / 7 + t⁹ / 9) / ln 2,
// and a power of two is the series of the exponential function up to the seventh power of
// what a whole number leaves. Off by some 1e-7 · (1 + |log2 of the result|) of itself.
static inline float
odl_cpu_power (float x, float exponent)
{
  const float root = 0.70710678f, ln_2 = 0.69314718f;
  int32_t bits, half, result;

  memcpy (&bits, &x, sizeof bits);
  memcpy (&half, &root, sizeof half);
  const int32_t n = (bits - half) >> 23;
  const int32_t rest = bits - (int32_t) ((uint32_t) n << 23);
  float m, power;
  memcpy (&m, &rest, sizeof m);
  const float t = (m - 1) / (m + 1), s = t * t;
  const float series
      = t * (1 + s * (1 / 3.0f + s * (1 / 5.0f + s * (1 / 7.0f + s * (1 / 9.0f)))));
  const float y = exponent * ((float) n + 2 / ln_2 * series);
  const int32_t whole = (int32_t) (y + 1024.5f) - 1024;
  const float f = (y - (float) whole) * ln_2;
  const float e
      = 1
        + f
              * (1
                 + f
                       * (1 / 2.0f
                          + f
                                * (1 / 6.0f
                                   + f
                                         * (1 / 24.0f
                                            + f
                                                  * (1 / 120.0f
                                                     + f
                                                           * (1 / 720.0f
                                                              + f * (1 / 5040.0f)))))));
  memcpy (&bits, &e, sizeof bits);
  result = bits + (int32_t) ((uint32_t) whole << 23);
  memcpy (&power, &result, sizeof power);
  return power;
}

typedef struct {
  float ample, rest, gate;
} Curve;

ODL_ROW_LOOP
static void
amplify (const Curve *curve, const float *f, const float *g, float *restrict out, int n)
{
  const float ample = curve->ample, faint = ample / 32, rest = curve->rest;
  const float gate = curve->gate * curve->gate;

  for (int x = 0; x < n; x++) {
    const float d = f[x] - g[x], square = d * d, size = fabsf (d);
    const float gain = odl_cpu_power (ample / (size > faint ? size : faint), rest);
    const float all = square + gate;
    const float share = square / (all > 1e-30f ? all : 1e-30f);
    out[x] = g[x] + d * (1 + share * (gain - 1));
  }
}

void
odl_cpu_multi_scale_contrast_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const Curve curve = { (float) odl_step_value (work->step, "ample"),
                        (float) (1 - odl_step_value (work->step, "exponent")),
                        (float) odl_step_value (work->step, "gate") };

  for (int y = from; y < to; y++)
    amplify (&curve, odl_cpu_row (work->in[0], channel, y),
             odl_cpu_row (work->in[1], channel, y), odl_cpu_row (work->out, channel, y),
             work->out->width);
}
