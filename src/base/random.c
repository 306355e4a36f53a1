// SPDX-License-Identifier: MIT
#include "base/random.h"

#include <math.h>

#define ROUNDS 10
#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0 0x9E3779B9u
#define WEYL_1 0xBB67AE85u

#define LN_2 0.693147180559945309417232121458
#define HALF_LN_2_PI 0.918938533204672741780329736406
#define TWO_TO_52 4503599627370496.0

// Where PTRS takes over.
#define MANY_EVENTS 10.0

void
odl_random_block (uint32_t counter[4], const uint32_t key[2])
{
  uint32_t k0 = key[0], k1 = key[1];

  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t p0 = (uint64_t) MULTIPLIER_0 * counter[0];
    const uint64_t p1 = (uint64_t) MULTIPLIER_1 * counter[2];
    const uint32_t first = (uint32_t) (p1 >> 32) ^ counter[1] ^ k0;
    const uint32_t third = (uint32_t) (p0 >> 32) ^ counter[3] ^ k1;

    counter[0] = first;
    counter[1] = (uint32_t) p1;
    counter[2] = third;
    counter[3] = (uint32_t) p0;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
}

static double
uniform (uint32_t high, uint32_t low)
{
  const uint64_t bits = ((uint64_t) high << 32 | low) >> 12;

  return ((double) bits + 0.5) / TWO_TO_52;
}

OdlUniforms
odl_random_uniforms (uint64_t seed, const uint32_t counter[4])
{
  const uint32_t key[2] = { (uint32_t) seed, (uint32_t) (seed >> 32) };
  uint32_t block[4] = { counter[0], counter[1], counter[2], counter[3] };

  odl_random_block (block, key);
  return (OdlUniforms){ uniform (block[0], block[1]), uniform (block[2], block[3]) };
}

// log m = 2 artanh ((m − 1) / (m + 1)) for √½ ≤ m < √2, where the series needs few terms.
double
odl_random_log (double x)
{
  int exponent;
  double m = frexp (x, &exponent);

  if (m < M_SQRT1_2) {
    m *= 2;
    exponent--;
  }
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int k = 23; k >= 3; k -= 2)
    sum = (sum + 1.0 / k) * square;
  return exponent * LN_2 + 2 * (s + s * sum);
}

// The coefficients of AS 241, from the constant on.
static const double central_above[]
    = { 3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
        1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
        3.3430575583588128105e+4, 2.5090809287301226727e+3 };
static const double central_below[] = { 1.0,
                                        4.2313330701600911252e+1,
                                        6.8718700749205790830e+2,
                                        5.3941960214247511077e+3,
                                        2.1213794301586595867e+4,
                                        3.9307895800092710610e+4,
                                        2.8729085735721942674e+4,
                                        5.2264952788528545610e+3 };
static const double middle_above[]
    = { 1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
        3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4 };
static const double middle_below[] = { 1.0,
                                       2.05319162663775882187e0,
                                       1.67638483018380384940e0,
                                       6.89767334985100004550e-1,
                                       1.48103976427480074590e-1,
                                       1.51986665636164571966e-2,
                                       5.47593808499534494600e-4,
                                       1.05075007164441684324e-9 };
static const double far_above[]
    = { 6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7 };
static const double far_below[] = { 1.0,
                                    5.99832206555887937690e-1,
                                    1.36929880922735805310e-1,
                                    1.48753612908506148525e-2,
                                    7.86869131145613259100e-4,
                                    1.84631831751005468180e-5,
                                    1.42151175831644588870e-7,
                                    2.04426310338993978564e-15 };

static double
polynomial (const double coefficients[8], double x)
{
  double sum = coefficients[7];

  for (int i = 6; i >= 0; i--)
    sum = sum * x + coefficients[i];
  return sum;
}

double
odl_random_normal (double p)
{
  const double q = p - 0.5;

  if (fabs (q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial (central_above, r) / polynomial (central_below, r);
  }
  const double r = sqrt (-odl_random_log (q < 0 ? p : 1 - p));
  const double value
      = r <= 5 ? polynomial (middle_above, r - 1.6) / polynomial (middle_below, r - 1.6)
               : polynomial (far_above, r - 5) / polynomial (far_below, r - 5);
  return q < 0 ? -value : value;
}

// log k!, by Stirling's series; below 8 exactly.
static double
log_factorial (double k)
{
  if (k < 8) {
    double product = 1;
    for (int i = 2; i <= (int) k; i++)
      product *= i;
    return odl_random_log (product);
  }
  const double x = k + 1, w = 1 / (x * x);
  const double tail
      = (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / x;
  return (x - 0.5) * odl_random_log (x) - x + HALF_LN_2_PI + tail;
}

static double
few_events (double mean, uint64_t seed, uint32_t counter[4])
{
  double time = 0;

  for (double k = 0;; k += 2) {
    const OdlUniforms u = odl_random_uniforms (seed, counter);
    counter[2]++;
    time -= odl_random_log (u.a);
    if (time > mean)
      return k;
    time -= odl_random_log (u.b);
    if (time > mean)
      return k + 1;
  }
}

static double
many_events (double mean, uint64_t seed, uint32_t counter[4])
{
  const double b = 0.931 + 2.53 * sqrt (mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse = 1.1239 + 1.1328 / (b - 3.4);
  const double inner = 0.9277 - 3.6224 / (b - 2);
  const double log_mean = odl_random_log (mean);

  for (;;) {
    const OdlUniforms drawn = odl_random_uniforms (seed, counter);
    const double u = drawn.a - 0.5, v = drawn.b, us = 0.5 - fabs (u);
    const double k = floor ((2 * a / us + b) * u + mean + 0.43);

    counter[2]++;
    if (us >= 0.07 && v <= inner)
      return k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    if (odl_random_log (v * inverse / (a / (us * us) + b))
        <= k * log_mean - mean - log_factorial (k))
      return k;
  }
}

double
odl_random_poisson (double mean, uint64_t seed, uint32_t counter[4])
{
  return mean < MANY_EVENTS ? few_events (mean, seed, counter)
                            : many_events (mean, seed, counter);
}
