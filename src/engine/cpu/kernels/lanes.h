// SPDX-License-Identifier: MIT
// ODL_LANES floats in one register: the few operations that the lifting kernels need, in
// the vector language of gcc and clang, and as intrinsics where that is shorter or
// better.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "filter/filter.h"
#include "wavelet/wavelet.h"

#if defined __SSE2__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

typedef float Lanes __attribute__ ((vector_size (ODL_LANES * 4)));
typedef float UnalignedLanes
    __attribute__ ((vector_size (ODL_LANES * 4), aligned (4), may_alias));
typedef int32_t IntLanes __attribute__ ((vector_size (ODL_LANES * 4)));
typedef uint32_t UIntLanes __attribute__ ((vector_size (ODL_LANES * 4)));

#define INLINE static inline __attribute__ ((always_inline))

INLINE Lanes
lanes_load (const float *from)
{
  return *(const UnalignedLanes *) from;
}

INLINE void
lanes_store (float *to, Lanes value)
{
  *(UnalignedLanes *) to = value;
}

INLINE Lanes
lanes_all (float value)
{
  return value - (Lanes){ 0 };
}

// `value` as a register holds it: a product that a sum then takes is rounded by itself in
// every loop, where compilers would fuse the two in some.
INLINE Lanes
lanes_rounded (Lanes value)
{
#if defined __AVX512VL__
  __asm__("" : "+v"(value));
#elif defined __SSE2__
  __asm__("" : "+x"(value));
#elif defined __aarch64__
  __asm__("" : "+w"(value));
#endif
  return value;
}

// Bits of `value` where `mask` is set, else 0.
INLINE Lanes
lanes_keep (IntLanes mask, Lanes value)
{
  return (Lanes) (mask & (IntLanes) value);
}

INLINE Lanes
lanes_select (IntLanes mask, Lanes yes, Lanes no)
{
  return (Lanes) ((mask & (IntLanes) yes) | (~mask & (IntLanes) no));
}

// 16 bytes, whatever the number of lanes. LANES_PICK_BYTES: picking costs one
// instruction.
typedef uint8_t Bytes16 __attribute__ ((vector_size (16)));

#if defined __SSSE3__ || defined __aarch64__
#define LANES_PICK_BYTES 1

// Byte i is byte places[i] of `from`, 0 where that is 0x80.
INLINE Bytes16
bytes_pick (Bytes16 from, Bytes16 places)
{
#ifdef __SSSE3__
  return (Bytes16) _mm_shuffle_epi8 ((__m128i) from, (__m128i) places);
#else
  return (Bytes16) vqtbl1q_u8 ((uint8x16_t) from, (uint8x16_t) places);
#endif
}
#else
#define LANES_PICK_BYTES 0
#endif

// Stores the first `count` lanes, 0 … ODL_LANES.
INLINE void
lanes_store_part (float *to, Lanes value, int count)
{
#if ODL_LANES == 16 && defined __AVX512F__
  _mm512_mask_storeu_ps (to, (__mmask16) ((1u << count) - 1), (__m512) value);
#else
  memcpy (to, &value, count * sizeof *to);
#endif
}

// Stores `count` lanes, or all when there are more.
INLINE void
lanes_store_first (float *to, Lanes value, int count)
{
  if (count >= ODL_LANES)
    lanes_store (to, value);
  else
    lanes_store_part (to, value, count);
}

#if ODL_LANES == 16 && defined __AVX512F__
// clang-format off
#define EVEN_LANES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_LANES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define FIRST_ZIP 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define SECOND_ZIP 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
// clang-format on

// The lanes one to the right; the last comes from `following`.
INLINE Lanes
lanes_next (Lanes value, Lanes following)
{
  return (Lanes) _mm512_alignr_epi32 ((__m512i) following, (__m512i) value, 1);
}

// The lanes one to the left; the first comes from `preceding`.
INLINE Lanes
lanes_previous (Lanes preceding, Lanes value)
{
  return (Lanes) _mm512_alignr_epi32 ((__m512i) value, (__m512i) preceding, 15);
}

INLINE Lanes
lanes_min (Lanes a, Lanes b)
{
  return (Lanes) _mm512_min_ps ((__m512) a, (__m512) b);
}

INLINE Lanes
lanes_max (Lanes a, Lanes b)
{
  return (Lanes) _mm512_max_ps ((__m512) a, (__m512) b);
}

// `value` where its magnitude is above `limit`, else 0.
INLINE Lanes
lanes_above (Lanes value, Lanes limit)
{
  const __mmask16 above
      = _mm512_cmp_ps_mask (_mm512_abs_ps ((__m512) value), (__m512) limit, _CMP_GT_OQ);
  return (Lanes) _mm512_maskz_mov_ps (above, (__m512) value);
}

INLINE bool
lanes_all_finite (Lanes value)
{
  const __m512 largest = _mm512_set1_ps (__FLT_MAX__);
  return _mm512_cmp_ps_mask (_mm512_abs_ps ((__m512) value), largest, _CMP_LE_OQ)
         == 0xffff;
}

INLINE void
lanes_split (const float *from, Lanes *even, Lanes *odd)
{
  const Lanes a = lanes_load (from), b = lanes_load (from + ODL_LANES);

  *even = __builtin_shufflevector (a, b, EVEN_LANES);
  *odd = __builtin_shufflevector (a, b, ODD_LANES);
}

INLINE void
lanes_zip (Lanes even, Lanes odd, Lanes *first, Lanes *second)
{
  *first = __builtin_shufflevector (even, odd, FIRST_ZIP);
  *second = __builtin_shufflevector (even, odd, SECOND_ZIP);
}

INLINE Lanes
lanes_floor (Lanes value)
{
  return (Lanes) _mm512_roundscale_ps ((__m512) value, _MM_FROUND_TO_NEG_INF);
}

INLINE Lanes
lanes_root (Lanes value)
{
  return (Lanes) _mm512_sqrt_ps ((__m512) value);
}

#elif ODL_LANES == 8 && defined __AVX2__

INLINE Lanes
lanes_next (Lanes value, Lanes following)
{
  const __m256 mixed = _mm256_blend_ps ((__m256) value, (__m256) following, 0x01);
  return (Lanes) _mm256_permutevar8x32_ps (mixed,
                                           _mm256_setr_epi32 (1, 2, 3, 4, 5, 6, 7, 0));
}

INLINE Lanes
lanes_previous (Lanes preceding, Lanes value)
{
  const __m256 mixed = _mm256_blend_ps ((__m256) value, (__m256) preceding, 0x80);
  return (Lanes) _mm256_permutevar8x32_ps (mixed,
                                           _mm256_setr_epi32 (7, 0, 1, 2, 3, 4, 5, 6));
}

INLINE Lanes
lanes_min (Lanes a, Lanes b)
{
  return (Lanes) _mm256_min_ps ((__m256) a, (__m256) b);
}

INLINE Lanes
lanes_max (Lanes a, Lanes b)
{
  return (Lanes) _mm256_max_ps ((__m256) a, (__m256) b);
}

INLINE Lanes
lanes_above (Lanes value, Lanes limit)
{
  const __m256 sign = _mm256_set1_ps (-0.0f);
  const __m256 above = _mm256_cmp_ps (_mm256_andnot_ps (sign, (__m256) value),
                                      (__m256) limit, _CMP_GT_OQ);
  return (Lanes) _mm256_and_ps (above, (__m256) value);
}

INLINE bool
lanes_all_finite (Lanes value)
{
  const __m256 size = _mm256_andnot_ps (_mm256_set1_ps (-0.0f), (__m256) value);
  const __m256 largest = _mm256_set1_ps (__FLT_MAX__);
  return _mm256_movemask_ps (_mm256_cmp_ps (size, largest, _CMP_LE_OQ)) == 0xff;
}

// The halves are put where one in-lane shuffle per phase does the rest.
INLINE void
lanes_split (const float *from, Lanes *even, Lanes *odd)
{
  const __m256 a = _mm256_insertf128_ps (_mm256_castps128_ps256 (_mm_loadu_ps (from)),
                                         _mm_loadu_ps (from + 8), 1);
  const __m256 b = _mm256_insertf128_ps (_mm256_castps128_ps256 (_mm_loadu_ps (from + 4)),
                                         _mm_loadu_ps (from + 12), 1);

  *even = (Lanes) _mm256_shuffle_ps (a, b, 0x88);
  *odd = (Lanes) _mm256_shuffle_ps (a, b, 0xdd);
}

INLINE void
lanes_zip (Lanes even, Lanes odd, Lanes *first, Lanes *second)
{
  const __m256 a = _mm256_unpacklo_ps ((__m256) even, (__m256) odd);
  const __m256 b = _mm256_unpackhi_ps ((__m256) even, (__m256) odd);

  *first = (Lanes) _mm256_permute2f128_ps (a, b, 0x20);
  *second = (Lanes) _mm256_permute2f128_ps (a, b, 0x31);
}

INLINE Lanes
lanes_floor (Lanes value)
{
  return (Lanes) _mm256_floor_ps ((__m256) value);
}

INLINE Lanes
lanes_root (Lanes value)
{
  return (Lanes) _mm256_sqrt_ps ((__m256) value);
}

#elif ODL_LANES == 4

INLINE Lanes
lanes_root (Lanes value)
{
#if defined __SSE2__
  return (Lanes) _mm_sqrt_ps ((__m128) value);
#elif defined __aarch64__
  return (Lanes) vsqrtq_f32 ((float32x4_t) value);
#else
  for (int i = 0; i < 4; i++)
    value[i] = __builtin_sqrtf (value[i]);
  return value;
#endif
}

// Numbers from 2²³ on are whole.
INLINE Lanes
lanes_floor (Lanes value)
{
  const IntLanes small = (value < 0x1p23f) & (value > -0x1p23f);
  const Lanes cut = __builtin_convertvector(
      __builtin_convertvector(lanes_keep (small, value), IntLanes), Lanes);

  return lanes_select (small, cut - lanes_keep (cut > value, lanes_all (1)), value);
}

INLINE Lanes
lanes_next (Lanes value, Lanes following)
{
#ifdef __SSE2__
  const __m128 mixed = _mm_move_ss ((__m128) value, (__m128) following);
  return (Lanes) _mm_shuffle_ps (mixed, mixed, _MM_SHUFFLE (0, 3, 2, 1));
#else
  return __builtin_shufflevector (value, following, 1, 2, 3, 4);
#endif
}

INLINE Lanes
lanes_previous (Lanes preceding, Lanes value)
{
#ifdef __SSE2__
  const __m128 turned
      = _mm_shuffle_ps ((__m128) value, (__m128) value, _MM_SHUFFLE (2, 1, 0, 3));
  const __m128 last = _mm_shuffle_ps ((__m128) preceding, (__m128) preceding, 3);
  return (Lanes) _mm_move_ss (turned, last);
#else
  return __builtin_shufflevector (preceding, value, 3, 4, 5, 6);
#endif
}

INLINE Lanes
lanes_min (Lanes a, Lanes b)
{
#ifdef __SSE2__
  return (Lanes) _mm_min_ps ((__m128) a, (__m128) b);
#else
  return lanes_select (a < b, a, b);
#endif
}

INLINE Lanes
lanes_max (Lanes a, Lanes b)
{
#ifdef __SSE2__
  return (Lanes) _mm_max_ps ((__m128) a, (__m128) b);
#else
  return lanes_select (a > b, a, b);
#endif
}

INLINE Lanes
lanes_above (Lanes value, Lanes limit)
{
#ifdef __SSE2__
  const __m128 size = _mm_andnot_ps (_mm_set1_ps (-0.0f), (__m128) value);
  return (Lanes) _mm_and_ps (_mm_cmpgt_ps (size, (__m128) limit), (__m128) value);
#else
  return lanes_keep ((value > limit) | (value < -limit), value);
#endif
}

INLINE bool
lanes_all_finite (Lanes value)
{
  const float largest = __FLT_MAX__;
  const IntLanes finite = (value <= largest) & (value >= -largest);
  return (finite[0] & finite[1] & finite[2] & finite[3]) != 0;
}

INLINE void
lanes_split (const float *from, Lanes *even, Lanes *odd)
{
  const Lanes a = lanes_load (from), b = lanes_load (from + 4);

#ifdef __SSE2__
  *even = (Lanes) _mm_shuffle_ps ((__m128) a, (__m128) b, 0x88);
  *odd = (Lanes) _mm_shuffle_ps ((__m128) a, (__m128) b, 0xdd);
#else
  *even = __builtin_shufflevector (a, b, 0, 2, 4, 6);
  *odd = __builtin_shufflevector (a, b, 1, 3, 5, 7);
#endif
}

INLINE void
lanes_zip (Lanes even, Lanes odd, Lanes *first, Lanes *second)
{
#ifdef __SSE2__
  *first = (Lanes) _mm_unpacklo_ps ((__m128) even, (__m128) odd);
  *second = (Lanes) _mm_unpackhi_ps ((__m128) even, (__m128) odd);
#else
  *first = __builtin_shufflevector (even, odd, 0, 4, 1, 5);
  *second = __builtin_shufflevector (even, odd, 2, 6, 3, 7);
#endif
}

#endif

// As odl_wavelet_round.
INLINE Lanes
lanes_whole (Lanes value)
{
  const IntLanes sign = (IntLanes) value & (int32_t) 0x80000000;
  const Lanes size = (Lanes) ((IntLanes) value & 0x7fffffff);

  return (Lanes) ((IntLanes) lanes_floor (size + (float) ODL_WAVELET_ROUND) | sign);
}

// Calls DO with the rule as a constant.
#define BY_RULE(rule, DO) \
  switch (rule) { \
  case ODL_SHRINK_HARD: \
    DO (ODL_SHRINK_HARD); \
    break; \
  case ODL_SHRINK_GARROTE: \
    DO (ODL_SHRINK_GARROTE); \
    break; \
  case ODL_SHRINK_FIRM: \
    DO (ODL_SHRINK_FIRM); \
    break; \
  case ODL_SHRINK_HYPERBOLIC: \
    DO (ODL_SHRINK_HYPERBOLIC); \
    break; \
  case ODL_SHRINK_SOFT: \
  default: \
    DO (ODL_SHRINK_SOFT); \
  }

// What a rule leaves of 1, of magnitudes `size` beyond `limit`; a constant rule.
INLINE Lanes
lanes_share (Lanes size, Lanes limit, OdlShrinkingRule rule)
{
  const Lanes one = lanes_all (1), excess = (size - limit) / size;

  if (rule == ODL_SHRINK_HARD)
    return one;
  if (rule == ODL_SHRINK_GARROTE)
    return excess * (one + limit / size);
  if (rule == ODL_SHRINK_FIRM)
    return lanes_min (excess + excess, one);
  if (rule == ODL_SHRINK_HYPERBOLIC)
    return lanes_root (excess * (one + limit / size));
  return excess;
}

// Soft shrinkage by `limit`: value − clamp (value, −limit, limit).
INLINE Lanes
lanes_shrink (Lanes value, Lanes limit)
{
  return value - lanes_max (lanes_min (value, limit), -limit);
}
