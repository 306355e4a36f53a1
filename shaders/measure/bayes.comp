// SPDX-License-Identifier: MIT
// BayesShrink thresholds and statistics of BANDS detail bands, FIRST of three and those after it (src/plan/numbers.h), in two dispatches.
//   without FINISH  z of the work group is the band; GROUPS of them each reduce a part
//   FINISH          one work group adds the partial sums in order; clears the histograms
//   noise   number 0: sigma
//   sums    histograms of the bands; then per band and group: sum of squares, largest
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

int place_of (int band, int group)
{
  return BANDS * BINS + 3 * (band * GROUPS + group);
}

#ifndef FINISH
shared float squares[256], largest[256];
shared uint number[256], bins[BINS];

void main ()
{
  int i = int (gl_LocalInvocationIndex), band = int (gl_WorkGroupID.z);
  float own_noise = noise[0] * parameters[FIRST + band];
  float scale = own_noise > 0.0 ? 1.0 / own_noise : 0.0;
  squares[i] = largest[i] = 0.0;
  number[i] = 0u;
  if (i < BINS)
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
  if (i < BINS && bins[i] > 0u)
    atomicAdd (sums[band * BINS + i], bins[i]);
  if (i == 0) {
    int at = place_of (band, int (gl_WorkGroupID.x));
    sums[at] = floatBitsToUint (squares[0]);
    sums[at + 1] = floatBitsToUint (largest[0]);
    sums[at + 2] = number[0];
  }
}
#else
layout (std430, binding = 0) restrict writeonly buffer Target { float target[]; };

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
    float signal = mean - own_noise * own_noise;
    int first = i * BAND_NUMBERS;
    target[first] = signal > 0.0 ? own_noise * own_noise / sqrt (signal) : most;
    target[first + 1] = sqrt (mean);
    target[first + 2] = most;
    target[first + 3] = float (n);
    target[first + 4] = own_noise;
  }
  if (i < BANDS * BINS) {
    target[i / BINS * BAND_NUMBERS + BAND_NUMBERS - BINS + i % BINS] = float (sums[i]);
    sums[i] = 0u;
  }
}
#endif
