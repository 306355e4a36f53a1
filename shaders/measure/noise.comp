// SPDX-License-Identifier: MIT
// Noise from the median of |HH| (src/plan/numbers.h), by radix selection: the bits of non-negative
// floats are ordered like the values; digits of 11, 10 and 10 bits are counted in three passes.
//   PASS 0 .. 2  counts digit PASS of the values that share the median's previous digits
//   PASS 3       one work group: computes median and sigma; clears `counts`
//   counts  2048 per digit
#include "include/samples.glsl"
#include "include/measured.glsl"

#define BINS 2048
#define SIGMA parameters[0]
#define GAIN parameters[1]
layout (std430, binding = 2) restrict buffer Counts { uint counts[]; };
#if PASS == 3
layout (std430, binding = 3) restrict writeonly buffer Target { float target[]; };
uniform float parameters[9];
#else
shared uint own[BINS];
#endif
#define HH 3

shared uint sums[256];
shared uint found, rank, total;

// The median's digit; `rank` becomes its rank among the values with that digit.
uint find_digit (int digit)
{
  int i = int (gl_LocalInvocationIndex);
  uint sum = 0u;
  for (int k = 0; k < BINS / 256; k++)
    sum += counts[digit * BINS + i * (BINS / 256) + k];
  sums[i] = sum;
  barrier ();
  if (i == 0) {
    int at = 0;
    if (digit == 0) {
      total = 0u;
      for (int k = 0; k < 256; k++)
        total += sums[k];
      rank = total / 2u;
    }
    while (at < 255 && rank >= sums[at])
      rank -= sums[at++];
    int bin = at * (BINS / 256), end = bin + BINS / 256 - 1;
    while (bin < end && rank >= counts[digit * BINS + bin])
      rank -= counts[digit * BINS + bin++];
    found = uint (bin);
  }
  barrier ();
  return found;
}

#if PASS < 3
void count (float magnitude, uint prefix)
{
  const int shift = 20 - 10 * PASS;
  uint bits = floatBitsToUint (magnitude);
#if PASS == 0
  atomicAdd (own[bits >> shift], 1u);
#else
  if (bits >> (shift + 10) == prefix)
    atomicAdd (own[bits >> shift & 1023u], 1u);
#endif
}

void main ()
{
  int i = int (gl_LocalInvocationIndex);
  uint prefix = 0u;
  for (int k = i; k < BINS; k += 256)
    own[k] = 0u;
#if PASS > 0
  prefix = find_digit (0);
#endif
#if PASS > 1
  prefix = prefix << 10 | find_digit (1);
#endif
  barrier ();
  for (int q = int (gl_GlobalInvocationID.x); q < quads_of (HH);
       q += int (gl_NumWorkGroups.x) * 256) {
    vec4 magnitude = magnitudes (HH, q);
    for (int c = 0; c < 4; c++)
      if (magnitude[c] >= 0.0)
        count (magnitude[c], prefix);
  }
  barrier ();
  for (int k = i; k < BINS; k += 256)
    if (own[k] > 0u)
      atomicAdd (counts[PASS * BINS + k], own[k]);
}
#else
void main ()
{
  uint bits = find_digit (0);
  bits = bits << 10 | find_digit (1);
  bits = bits << 10 | find_digit (2);
  if (gl_LocalInvocationIndex == 0u) {
    float measured = total < uint (FEWEST_DETAILS) ? 0.0
                     : uintBitsToFloat (bits) / (float (MEDIAN_OF_NORMAL) * GAIN);
    target[0] = SIGMA >= 0.0 ? SIGMA : measured;
    target[1] = float (total);
  }
  barrier ();
  for (int k = int (gl_LocalInvocationIndex); k < 3 * BINS; k += 256)
    counts[k] = 0u;
}
#endif
