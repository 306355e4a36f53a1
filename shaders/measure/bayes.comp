// SPDX-License-Identifier: MIT
// Thresholds by RULE and statistics of BANDS detail bands, FIRST of three and those after it (src/plan/numbers.h), in two dispatches.
//   without FINISH  z of the work group is the band; GROUPS of them each reduce a part
//   FINISH          one work group adds the partial sums in order; clears the histograms
//   noise   number 0: sigma; 1: the details of the finest HH, SAMPLES of the picture each
//   sums    histograms of the bands and, of SURE, shares at POINTS; then per band and group: sum of squares, largest
//           magnitude as bits, and count
#include "include/samples.glsl"
#ifdef FINISH
layout (local_size_x = 256) in;
#else
#include "include/measured.glsl"
#endif

layout (std430, binding = 2) restrict readonly buffer Noise { float noise[]; };
layout (std430, binding = 3) restrict buffer Sums { uint sums[]; };
uniform float parameters[9]; // gains of HL, LH, HH
#define BAYES 0
#define UNIVERSAL 1
#define SURE 2
#if RULE == SURE
#define COUNTERS (BINS + POINTS)
#else
#define COUNTERS BINS
#endif

int place_of (int band, int group)
{
  return BANDS * COUNTERS + 3 * (band * GROUPS + group);
}

#ifndef FINISH
shared float squares[256], largest[256];
shared uint number[256], bins[COUNTERS];

void share (float ratio)
{
  float place = min (ratio * float (SCALE), float (POINTS - 1));
  int below = int (place);
  uint above = uint ((place - float (below)) * float (SHARES) + 0.5);
  atomicAdd (bins[BINS + below], uint (SHARES) - above);
  if (above > 0u)
    atomicAdd (bins[BINS + below + 1], above);
}

void main ()
{
  int i = int (gl_LocalInvocationIndex), band = int (gl_WorkGroupID.z);
  float own_noise = noise[0] * parameters[FIRST + band];
  float scale = own_noise > 0.0 ? 1.0 / own_noise : 0.0;
  squares[i] = largest[i] = 0.0;
  number[i] = 0u;
  if (i < COUNTERS)
    bins[i] = 0u;
  barrier ();
  for (int q = int (gl_GlobalInvocationID.x); q < quads_of (band + 1); q += GROUPS * 256) {
    vec4 magnitude = magnitudes (band + 1, q);
    vec4 counted = max (magnitude, 0.0);
    squares[i] += dot (counted, counted);
    for (int c = 0; c < 4; c++)
      if (magnitude[c] >= 0.0) {
        largest[i] = max (largest[i], magnitude[c]);
        number[i]++;
        // Exponent and two mantissa bits; 1.0 is in the middle.
        int bin = (floatBitsToInt (magnitude[c] * scale) >> 21) - (127 << 2) + BINS / 2;
        atomicAdd (bins[clamp (bin, 0, BINS - 1)], 1u);
#if RULE == SURE
        share (magnitude[c] * scale);
#endif
      }
  }
  barrier ();
  for (int half_way = 128; half_way > 0; half_way >>= 1) {
    if (i < half_way) {
      squares[i] += squares[i + half_way];
      largest[i] = max (largest[i], largest[i + half_way]);
      number[i] += number[i + half_way];
    }
    barrier ();
  }
  if (i < COUNTERS && bins[i] > 0u)
    atomicAdd (sums[band * COUNTERS + i], bins[i]);
  if (i == 0) {
    int at = place_of (band, int (gl_WorkGroupID.x));
    sums[at] = floatBitsToUint (squares[0]);
    sums[at + 1] = floatBitsToUint (largest[0]);
    sums[at + 2] = number[0];
  }
}
#else
layout (std430, binding = 0) restrict writeonly buffer Target { float target[]; };

float universal (float n)
{
  return n > 1.0 ? sqrt (2.0 * log (n)) : 0.0;
}

#if RULE == SURE
shared float risk[BANDS][POINTS];

// As odl_sure_threshold.
float sure (int band, float n, float mean_square)
{
  float most = universal (n), below = 0.0, squares = 0.0;
  int points = 0, best = 0;
  if (!(n > 1.0) || mean_square - 1.0 <= pow (log2 (n), 1.5) / sqrt (n))
    return most;
  for (; points < POINTS && float (points) <= most * float (SCALE); points++) {
    float t = float (points) / float (SCALE);
    float own = 0.5 * float (sums[band * COUNTERS + BINS + points]) / float (SHARES);
    risk[band][points] = -2.0 * (below + own) + squares + own * t * t
                         + t * t * (n - below - own);
    below += 2.0 * own;
    squares += 2.0 * own * t * t;
    if (risk[band][points] < risk[band][best])
      best = points;
  }
  if (best == 0 || best == points - 1)
    return float (best) / float (SCALE);
  float before = risk[band][best - 1] - risk[band][best];
  float after = risk[band][best + 1] - risk[band][best];
  float aside = before + after > 0.0 ? 0.5 * (before - after) / (before + after) : 0.0;
  return (float (best) + aside) / float (SCALE);
}
#endif

float threshold (int band, float own_noise, float mean, float most, float n)
{
#if RULE == UNIVERSAL
  return own_noise * universal (noise[1] * float (SAMPLES));
#elif RULE == SURE
  return own_noise > 0.0 ? own_noise * sure (band, n, mean / (own_noise * own_noise)) : 0.0;
#else
  float signal = mean - own_noise * own_noise;
  return signal > 0.0 ? own_noise * own_noise / sqrt (signal) : most;
#endif
}

void main ()
{
  int i = int (gl_LocalInvocationIndex);
  if (i < BANDS) {
    float square = 0.0, most = 0.0;
    uint n = 0u;
    for (int g = 0; g < GROUPS; g++) {
      int at = place_of (i, g);
      square += uintBitsToFloat (sums[at]);
      most = max (most, uintBitsToFloat (sums[at + 1]));
      n += sums[at + 2];
    }
    float own_noise = noise[0] * parameters[FIRST + i];
    float mean = n > 0u ? square / float (n) : 0.0;
    int first = i * BAND_NUMBERS;
    target[first] = threshold (i, own_noise, mean, most, float (n));
    target[first + 1] = sqrt (mean);
    target[first + 2] = most;
    target[first + 3] = float (n);
    target[first + 4] = own_noise;
  }
  barrier ();
  for (int k = i; k < BANDS * COUNTERS; k += 256) {
    int bin = k % COUNTERS;
    if (bin < BINS)
      target[k / COUNTERS * BAND_NUMBERS + BAND_NUMBERS - BINS + bin] = float (sums[k]);
    sums[k] = 0u;
  }
}
#endif
