// SPDX-License-Identifier: MIT
// Thresholds by RULE and statistics of BANDS detail bands, FIRST of three, or seven with OCTANTS, and
// those after it (src/plan/numbers.h).
// z of the work group is the band. The last work group that is done adds the partial sums in order,
// and clears the counters. Without BINNED histograms are 0.
//   noise   number 0: sigma; 1: the details of the finest HH, SAMPLES of the picture each; 2: 1 if the mask matters
//   sums    histograms of the bands and, of SURE, shares at POINTS; the work groups that are done; then per
//           band and group, up to GROUPS: sum of squares, largest magnitude as bits, and count
#include "include/samples.glsl"
#include "include/measured.glsl"

layout (std430, binding = 2) restrict readonly buffer Noise { float noise[]; };
layout (std430, binding = 3) coherent restrict buffer Sums { uint sums[]; };
layout (std430, binding = 4) restrict writeonly buffer Target { float target[]; };
uniform float parameters[9]; // gains of HL, LH, HH
#define BAYES 0
#define UNIVERSAL 1
#define SURE 2
#define COUNTERS (BINS + POINTS)
#define DONE (BANDS * COUNTERS)
#if BANDS > 4
#define LANES 32 // of a band, where all are added up
#else
#define LANES 64
#endif
#if RULE == SURE || defined BINNED
#define COUNTS
#endif

float gain_of (int band)
{
#ifdef OCTANTS
  // As odl_octant_gain.
  float high = sqrt (parameters[2]), low = parameters[0] / high;
  bvec3 is_high = notEqual (ivec3 (band + 1) & ivec3 (1, 2, 4), ivec3 (0));
  vec3 gains = mix (vec3 (low), vec3 (high), is_high);
  return gains.x * gains.y * gains.z;
#else
  return parameters[FIRST + band];
#endif
}

int place_of (int band, int group)
{
  return DONE + 1 + 3 * (band * GROUPS + group);
}

shared float squares[256], largest[256];
shared uint number[256];
shared bool is_last;
#ifdef COUNTS
shared uint bins[BANDS * COUNTERS];

void count (float ratio, bool shared_out)
{
#ifdef BINNED
  // Exponent and two mantissa bits; 1.0 is in the middle.
  int bin = (floatBitsToInt (ratio) >> 21) - (127 << 2) + BINS / 2;
  atomicAdd (bins[clamp (bin, 0, BINS - 1)], 1u);
#endif
#if RULE == SURE
  if (!shared_out)
    return;
  float place = min (ratio * float (SCALE), float (POINTS - 1));
  int below = int (place);
  uint above = uint ((place - float (below)) * float (SHARES) + 0.5);
  atomicAdd (bins[BINS + below], uint (SHARES) - above);
  if (above > 0u)
    atomicAdd (bins[BINS + below + 1], above);
#endif
}
#endif

// Of the 2 * half_way invocations about each of which `i` is one.
void reduce (int i, int at, int half_way)
{
  for (; half_way > 0; half_way >>= 1) {
    if (at < half_way) {
      squares[i] += squares[i + half_way];
      largest[i] = max (largest[i], largest[i + half_way]);
      number[i] += number[i + half_way];
    }
    barrier ();
  }
}

float universal (float n)
{
  return n > 1.0 ? sqrt (2.0 * log (n)) : 0.0;
}

#if RULE == SURE
// As odl_sure_step.
int sure_step (int width, int height)
{
  int step = 1;
  while (step < MOST_STEP && height >= 16 * step && width * (height / (2 * step)) >= DETAILS)
    step *= 2;
  return step;
}

shared float risk[BANDS][POINTS];

// As odl_sure_threshold.
float sure (int band, float n, float mean_square)
{
  float most = universal (n), below = 0.0, squares = 0.0;
  int points = 0, best = 0;
  uint counted = 0u;
  if (!(n > 1.0) || mean_square - 1.0 <= pow (log2 (n), 1.5) / sqrt (n))
    return most;
  for (int k = 0; k < POINTS; k++)
    counted += bins[band * COUNTERS + BINS + k];
  for (; points < POINTS && float (points) <= most * float (SCALE); points++) {
    float t = float (points) / float (SCALE);
    float own = 0.5 * float (bins[band * COUNTERS + BINS + points]) / float (SHARES);
    risk[band][points] = -2.0 * (below + own) + squares + own * t * t
                         + t * t * (float (counted) / float (SHARES) - below - own);
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

// LANES invocations for each band.
void finish (int i)
{
  int band = i / LANES, groups = int (gl_NumWorkGroups.x);
  squares[i] = largest[i] = 0.0;
  number[i] = 0u;
  for (int g = i % LANES; g < groups && band < BANDS; g += LANES) {
    int at = place_of (band, g);
    squares[i] += uintBitsToFloat (sums[at]);
    largest[i] = max (largest[i], uintBitsToFloat (sums[at + 1]));
    number[i] += sums[at + 2];
  }
#ifdef COUNTS
  for (int k = i; k < BANDS * COUNTERS; k += 256)
    bins[k] = sums[k];
#endif
  barrier ();
  reduce (i, i % LANES, LANES / 2);
  if (i % LANES == 0 && band < BANDS) {
    float n = float (number[i]), own_noise = noise[0] * gain_of (band);
    float mean = n > 0.0 ? squares[i] / n : 0.0;
    int first = band * BAND_NUMBERS;
    target[first] = threshold (band, own_noise, mean, largest[i], n);
    target[first + 1] = sqrt (mean);
    target[first + 2] = largest[i];
    target[first + 3] = n;
    target[first + 4] = own_noise;
  }
  for (int k = i; k < BANDS * BINS; k += 256) {
    int own_band = k / BINS, bin = k % BINS;
    float counted = 0.0;
#ifdef BINNED
    counted = float (bins[own_band * COUNTERS + bin]);
#endif
    target[own_band * BAND_NUMBERS + BAND_NUMBERS - BINS + bin] = counted;
  }
  for (int k = i; k <= DONE; k += 256)
    sums[k] = 0u;
}

void main ()
{
  int i = int (gl_LocalInvocationIndex), band = int (gl_WorkGroupID.z);
  bool masked = noise[2] > 0.5;
#ifdef COUNTS
  float own_noise = noise[0] * gain_of (band);
  float scale = own_noise > 0.0 ? 1.0 / own_noise : 0.0;
  if (i < COUNTERS)
    bins[i] = 0u;
#endif
  float square = 0.0, most = 0.0;
  uint n = 0u;
  barrier ();
  share_quads (band + 1);
  int rows = rows_of (band + 1), across = across_of (band + 1);
#if RULE == SURE
  ivec2 extent = band_size (band + 1);
  int every = sure_step (extent.x, extent.y);
#endif
  for (int row = first_row; row < rows; row += row_step) {
#if RULE == SURE
    bool shared_out = row % extent.y % every == every / 2;
#else
    const bool shared_out = false;
#endif
    for (int x = first_x; x < across; x += reach) {
      vec4 magnitude = magnitudes (band + 1, row, x, masked), counted = max (magnitude, 0.0);
      square += dot (counted, counted);
      most = max (most, max (max (counted.x, counted.y), max (counted.z, counted.w)));
      for (int c = 0; c < 4; c++)
        if (magnitude[c] >= 0.0) {
          n++;
#ifdef COUNTS
          count (magnitude[c] * scale, shared_out);
#endif
        }
    }
  }
  squares[i] = square;
  largest[i] = most;
  number[i] = n;
  barrier ();
  reduce (i, i, 128);
#ifdef COUNTS
  if (i < COUNTERS && bins[i] > 0u)
    atomicAdd (sums[band * COUNTERS + i], bins[i]);
#endif
  if (i == 0) {
    int at = place_of (band, int (gl_WorkGroupID.x));
    sums[at] = floatBitsToUint (squares[0]);
    sums[at + 1] = floatBitsToUint (largest[0]);
    sums[at + 2] = number[0];
  }
  memoryBarrierBuffer ();
  barrier ();
  if (i == 0)
    is_last = atomicAdd (sums[DONE], 1u) == gl_NumWorkGroups.x * gl_NumWorkGroups.z - 1u;
  barrier ();
  if (is_last)
    finish (i);
}
