// SPDX-License-Identifier: MIT
// The kernels of measuring steps, for ODL_LANES floats in a register; kernels.h says what
// they do. Lines are read up to a vector beyond their end.
#pragma once

#include "engine/cpu/kernels/lanes.h"
#include "engine/cpu/kernels/variant.h"

typedef uint8_t ByteLanes __attribute__ ((vector_size (ODL_LANES)));
typedef uint8_t UnalignedByteLanes
    __attribute__ ((vector_size (ODL_LANES), aligned (1), may_alias));
typedef uint16_t ShortLanes __attribute__ ((vector_size (2 * ODL_LANES)));
typedef uint16_t UnalignedShortLanes
    __attribute__ ((vector_size (2 * ODL_LANES), aligned (1), may_alias));

// Bit i is set where lane i of `mask` is.
INLINE uint32_t
lanes_bits (IntLanes mask)
{
#if ODL_LANES == 16 && defined __AVX512DQ__
  return _mm512_movepi32_mask ((__m512i) mask);
#elif ODL_LANES == 8 && defined __AVX2__
  return (uint32_t) _mm256_movemask_ps ((__m256) mask);
#elif ODL_LANES == 4 && defined __SSE2__
  return (uint32_t) _mm_movemask_ps ((__m128) mask);
#else
  uint32_t bits = 0;
  for (int i = 0; i < ODL_LANES; i++)
    bits |= (uint32_t) (mask[i] & 1) << i;
  return bits;
#endif
}

INLINE IntLanes
lanes_numbers (void)
{
  IntLanes numbers = { 0 };

  for (int i = 0; i < ODL_LANES; i++)
    numbers[i] = i;
  return numbers;
}

INLINE IntLanes
lanes_choose (IntLanes mask, IntLanes yes, IntLanes no)
{
  return (mask & yes) | (~mask & no);
}

INLINE Lanes
lanes_size (Lanes value)
{
  return (Lanes) ((IntLanes) value & 0x7fffffff);
}

// Where samples i … of `n` are inside: in the line, and the mask, if any, above a half.
INLINE IntLanes
lanes_inside (const float *mask, IntLanes numbers, int i, int n)
{
  const IntLanes inside
      = mask != NULL ? lanes_load (mask + i) > 0.5f : (IntLanes){ 0 } - 1;

  return i + ODL_LANES <= n ? inside : inside & (numbers < n - i);
}

// `count` values, which is constant.
INLINE void
flag_values (const float *line,
             const float *values,
             int count,
             float tolerance,
             int n,
             uint64_t *restrict bits)
{
  Lanes value[ODL_CPU_FLAG_VALUES];
  const Lanes limit = lanes_all (tolerance);

  for (int k = 0; k < ODL_CPU_FLAG_VALUES; k++)
    value[k] = lanes_all (values[k < count ? k : 0]);
  for (int word = 0; 64 * word < n; word++) {
    const int left = n - 64 * word;
    uint64_t flags = 0;
    for (int i = 0; i < 64 && i < left; i += ODL_LANES) {
      const Lanes sample = lanes_load (line + 64 * word + i);
      Lanes nearest = lanes_size (sample - value[0]);
      for (int k = 1; k < count; k++)
        nearest = lanes_min (nearest, lanes_size (sample - value[k]));
      flags |= (uint64_t) lanes_bits (nearest <= limit) << i;
    }
    bits[word] = left < 64 ? flags & (((uint64_t) 1 << left) - 1) : flags;
  }
}

static void
flag_line (const float *line,
           const float *values,
           int count,
           float tolerance,
           int n,
           uint64_t *restrict bits)
{
  if (count == 1)
    flag_values (line, values, 1, tolerance, n, bits);
  else if (count == 2)
    flag_values (line, values, 2, tolerance, n, bits);
  else if (count == 3)
    flag_values (line, values, 3, tolerance, n, bits);
  else
    flag_values (line, values, count, tolerance, n, bits);
}

static void
spread_line (const uint64_t *bits, float *restrict out, int n)
{
  const IntLanes own = ((IntLanes){ 0 } + 1) << lanes_numbers ();
  const Lanes one = lanes_all (1);

  for (int i = 0; i < n; i += ODL_LANES) {
    const IntLanes word = (IntLanes){ 0 } + (int32_t) (uint32_t) (bits[i / 64] >> i % 64);
    lanes_store_first (out + i, lanes_keep ((word & own) != 0, one), n - i);
  }
}

// ---- of all lanes, in pairs, which wait for each other less than a row of sums would
// ---

INLINE double
lanes_sum (Lanes value)
{
#if ODL_LANES == 16 && defined __AVX512F__
  const __m512d low = _mm512_cvtps_pd (_mm512_castps512_ps256 ((__m512) value));
  const __m512i high = _mm512_shuffle_i64x2 ((__m512i) value, (__m512i) value, 0xee);
  return _mm512_reduce_add_pd (
      low + _mm512_cvtps_pd (_mm512_castps512_ps256 ((__m512) high)));
#else
  double sums[ODL_LANES] = { 0 };
  for (int k = 0; k < ODL_LANES; k++)
    sums[k] = (double) value[k];
  for (int half = ODL_LANES / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      sums[k] += sums[k + half];
  return sums[0];
#endif
}

INLINE float
lanes_largest (Lanes value)
{
#if ODL_LANES == 16 && defined __AVX512F__
  return _mm512_reduce_max_ps ((__m512) value);
#else
  for (int half = ODL_LANES / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      value[k] = value[k] > value[k + half] ? value[k] : value[k + half];
  return value[0];
#endif
}

INLINE uint32_t
lanes_total (IntLanes value)
{
#if ODL_LANES == 16 && defined __AVX512F__
  return (uint32_t) _mm512_reduce_add_epi32 ((__m512i) value);
#else
  for (int half = ODL_LANES / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      value[k] += value[k + half];
  return (uint32_t) value[0];
#endif
}

INLINE void
measure_values (const float *details,
                const float *mask,
                float scale,
                int n,
                OdlCpuMeasured *restrict m)
{
  const IntLanes numbers = lanes_numbers (), zero = { 0 };
  const IntLanes last = zero + (ODL_CPU_MEASURED_BINS - 1);
  const Lanes factor = lanes_all (scale);
  Lanes sum = { 0 }, largest = { 0 };
  IntLanes count = { 0 };

  for (int i = 0; i < n; i += ODL_LANES) {
    const IntLanes inside = lanes_inside (mask, numbers, i, n);
    const Lanes size = lanes_keep (inside, lanes_size (lanes_load (details + i)));
    if (m->bins != NULL) {
      IntLanes bin = ((IntLanes) (size * factor) >> 21) - m->first_bin;
      bin &= bin > zero;
      bin = lanes_choose (bin < last, bin, last);
      bin = lanes_choose (inside, bin, zero + ODL_CPU_MEASURED_BINS);
      *(UnalignedByteLanes *) (m->bins + i) = __builtin_convertvector(bin, ByteLanes);
    }
    sum += size * size;
    largest = lanes_max (largest, size);
    count -= inside;
  }
  const float most = lanes_largest (largest);
  m->sum += lanes_sum (sum);
  m->largest = most > m->largest ? most : m->largest;
  m->count += mask != NULL ? lanes_total (count) : (uint32_t) n;
}

static void
measure_line (const float *details,
              const float *mask,
              float scale,
              int n,
              OdlCpuMeasured *restrict m)
{
  if (mask != NULL)
    measure_values (details, mask, scale, n, m);
  else
    measure_values (details, NULL, scale, n, m);
}

INLINE void
place_values (const float *details,
              const float *mask,
              float scale,
              int n,
              uint16_t *restrict places)
{
  const IntLanes numbers = lanes_numbers ();
  const IntLanes outside = (IntLanes){ 0 } + ODL_CPU_PLACE (ODL_CPU_POINTS, 0);
  const Lanes factor = lanes_all (scale), points = lanes_all (ODL_CPU_POINT_SCALE);
  const Lanes last = lanes_all (ODL_CPU_POINTS - 1), half = lanes_all (0.5f);
  const Lanes shares = lanes_all (ODL_CPU_SHARES);

  for (int i = 0; i < n; i += ODL_LANES) {
    const IntLanes inside = lanes_inside (mask, numbers, i, n);
    const Lanes size = lanes_size (lanes_keep (inside, lanes_load (details + i)));
    const Lanes place = lanes_min (size * factor * points, last);
    const IntLanes point = __builtin_convertvector(place, IntLanes);
    const Lanes rest = place - __builtin_convertvector(point, Lanes);
    const IntLanes share = __builtin_convertvector(rest * shares + half, IntLanes);
    *(UnalignedShortLanes *) (places + i) = __builtin_convertvector(
        lanes_choose (inside, ODL_CPU_PLACE (point, share), outside), ShortLanes);
  }
}

static void
place_line (const float *details,
            const float *mask,
            float scale,
            int n,
            uint16_t *restrict places)
{
  if (mask != NULL)
    place_values (details, mask, scale, n, places);
  else
    place_values (details, NULL, scale, n, places);
}

// Appends the lanes that are set.
INLINE uint32_t *
append_lanes (uint32_t *to, IntLanes values, IntLanes wanted)
{
  uint32_t bits = lanes_bits (wanted);

#if ODL_LANES == 16 && defined __AVX512F__
  _mm512_storeu_si512 (to,
                       _mm512_maskz_compress_epi32 ((__mmask16) bits, (__m512i) values));
  return to + __builtin_popcount (bits);
#else
  for (; bits != 0; bits &= bits - 1)
    *to++ = (uint32_t) values[__builtin_ctz (bits)];
  return to;
#endif
}

INLINE void
pick_values (const float *details, const float *mask, int n, OdlCpuPicked *restrict p)
{
  const IntLanes numbers = lanes_numbers (), outside = (IntLanes){ 0 } + 0x7fffffff;
  const int32_t from = (int32_t) p->from, to = (int32_t) p->to;
  IntLanes below = { 0 }, count = { 0 };
  uint32_t *end = p->picked + p->n_picked;

  for (int i = 0; i < n; i += ODL_LANES) {
    const IntLanes inside = lanes_inside (mask, numbers, i, n);
    const IntLanes size = (IntLanes) lanes_size (lanes_load (details + i));
    const IntLanes value = lanes_choose (inside, size, outside);
    below -= value < from;
    count -= inside;
    end = append_lanes (end, value, (value >= from) & (value < to) & inside);
  }
  p->below += lanes_total (below);
  p->count += mask != NULL ? lanes_total (count) : (uint32_t) n;
  p->n_picked = (size_t) (end - p->picked);
}

static void
pick_line (const float *details, const float *mask, int n, OdlCpuPicked *restrict p)
{
  if (mask != NULL)
    pick_values (details, mask, n, p);
  else
    pick_values (details, NULL, n, p);
}

static size_t
below_line (const uint32_t *values, size_t n, uint32_t limit)
{
  IntLanes below = { 0 };
  size_t i = 0, sum = 0;

  for (; i + ODL_LANES <= n; i += ODL_LANES) {
    IntLanes value;
    memcpy (&value, values + i, sizeof value);
    below -= value < (int32_t) limit;
  }
  for (; i < n; i++)
    sum += values[i] < limit;
  for (int k = 0; k < ODL_LANES; k++)
    sum += (uint32_t) below[k];
  return sum;
}
