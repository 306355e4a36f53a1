// SPDX-License-Identifier: MIT
// Noise from the median of |HH| (src/plan/numbers.h), by radix selection: the bits of non-negative
// floats are ordered like the values. Of 2^-28 to 16, which 28 bits tell apart, two digits of 11 bits
// are counted in two passes, so that the median is found to 4e-6 of it.
//   PASS 0, 1  counts digit PASS of the values that share the median's previous digit. The last work
//              group of pass 1 computes median and sigma, and clears `counts`
//   counts  2048 per digit; then the work groups that are done
//   target  sigma; the details counted; 1 where the mask leaves something out
#include "include/samples.glsl"
#include "include/measured.glsl"

#define BINS 2048
#define LEAST ((127u - 28u) << 23)
#define MOST ((1u << 28) - 1u)
#define REST 6 // bits beyond the digits
#define DONE (2 * BINS)
#define SIGMA parameters[0]
#define GAIN parameters[1]
layout (std430, binding = 2) coherent restrict buffer Counts { uint counts[]; };
layout (std430, binding = 3) restrict readonly buffer Mark { uint all_in; };
#if PASS == 1
layout (std430, binding = 4) restrict writeonly buffer Target { float target[]; };
uniform float parameters[9];
#endif
shared uint own[BINS];
#ifdef OCTANTS
#define HH 7
#define GAIN_OF_BAND (GAIN * sqrt (GAIN))
#else
#define HH 3
#define GAIN_OF_BAND GAIN
#endif
#define OWN_BINS (BINS / 256)

#if PASS == 1
shared uint sums[256];
shared uint found, rank, total;
shared bool is_last;

// The median's digit; `rank` becomes its rank among the values with that digit.
uint find_digit (int digit)
{
  int i = int (gl_LocalInvocationIndex);
  int first = digit * BINS + i * OWN_BINS;
  uint sum = 0u;
  for (int k = 0; k < OWN_BINS; k++)
    sum += counts[first + k];
  sums[i] = sum;
  barrier ();
  for (int off = 1; off < 256; off <<= 1) {
    uint before = i >= off ? sums[i - off] : 0u;
    barrier ();
    sums[i] += before;
    barrier ();
  }
  if (i == 0) {
    found = 0u;
    if (digit == 0) {
      total = sums[255];
      rank = total / 2u;
    }
  }
  barrier ();
  uint wanted = rank, below = sums[i] - sum;
  barrier ();
  if (wanted >= below && wanted < sums[i]) {
    int k = 0;
    for (wanted -= below; k < OWN_BINS - 1 && wanted >= counts[first + k]; k++)
      wanted -= counts[first + k];
    found = uint (i * OWN_BINS + k);
    rank = wanted;
  }
  barrier ();
  return found;
}

void finish ()
{
  uint key = find_digit (0);
  key = key << 11 | find_digit (1);
  if (gl_LocalInvocationIndex == 0u) {
    float median = key == 0u ? 0.0
                             : uintBitsToFloat (LEAST + (key << REST) + (1u << (REST - 1)));
    float measured = total < uint (FEWEST_DETAILS) ? 0.0
                     : median / (float (MEDIAN_OF_NORMAL) * GAIN_OF_BAND);
    target[0] = SIGMA >= 0.0 ? SIGMA : measured;
    target[1] = float (total);
    target[2] = all_in == 0u ? 1.0 : 0.0;
  }
  barrier ();
  for (int k = int (gl_LocalInvocationIndex); k <= DONE; k += 256)
    counts[k] = 0u;
}
#endif

void main ()
{
  int i = int (gl_LocalInvocationIndex);
  bool masked = all_in == 0u;
  for (int k = i; k < BINS; k += 256)
    own[k] = 0u;
#if PASS == 1
  uint prefix = find_digit (0);
#endif
  barrier ();
  share_quads (HH);
  int rows = rows_of (HH), across = across_of (HH);
  for (int row = first_row; row < rows; row += row_step)
    for (int x = first_x; x < across; x += reach) {
      vec4 magnitude = magnitudes (HH, row, x, masked);
      for (int c = 0; c < 4; c++)
        if (magnitude[c] >= 0.0) {
          uint key = min (max (floatBitsToUint (magnitude[c]), LEAST) - LEAST, MOST) >> REST;
#if PASS == 0
          atomicAdd (own[key >> 11], 1u);
#else
          if (key >> 11 == prefix)
            atomicAdd (own[key & 2047u], 1u);
#endif
        }
    }
  barrier ();
  for (int k = i; k < BINS; k += 256)
    if (own[k] > 0u)
      atomicAdd (counts[PASS * BINS + k], own[k]);
#if PASS == 1
  memoryBarrierBuffer ();
  barrier ();
  if (i == 0)
    is_last = atomicAdd (counts[DONE], 1u) == gl_NumWorkGroups.x - 1u;
  barrier ();
  if (is_last)
    finish ();
#endif
}
