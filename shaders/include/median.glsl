// SPDX-License-Identifier: MIT
// Mean or, with MEDIAN, median of the first `count` of FRAMES (3, 5, 7) values, per component. The
// sorting networks are those of src/engine/cpu/kernels/kernels.h.
#ifdef MEDIAN
#define EXCHANGE(a, b) \
  low = min (value[a], value[b]); value[b] = max (value[a], value[b]); value[a] = low;

vec4 middle (vec4 value[FRAMES])
{
  vec4 low;
#if FRAMES == 3
  EXCHANGE (0, 1) EXCHANGE (1, 2) EXCHANGE (0, 1)
#elif FRAMES == 5
  EXCHANGE (0, 1) EXCHANGE (3, 4) EXCHANGE (0, 3) EXCHANGE (1, 4) EXCHANGE (1, 2) EXCHANGE (2, 3)
  EXCHANGE (1, 2)
#else
  EXCHANGE (0, 5) EXCHANGE (0, 3) EXCHANGE (1, 6) EXCHANGE (2, 4) EXCHANGE (0, 1) EXCHANGE (3, 5)
  EXCHANGE (2, 6) EXCHANGE (2, 3) EXCHANGE (3, 6) EXCHANGE (4, 5) EXCHANGE (1, 4) EXCHANGE (1, 3)
  EXCHANGE (3, 4)
#endif
  return value[FRAMES / 2];
}

// Missing frames are padded alternately with values below and above all. An even count has two
// middle values: one more low padding selects the one, one more high padding the other.
vec4 statistic (vec4 value[FRAMES], int count)
{
  const float far = 3.0e38;
  vec4 other[FRAMES];
  if (count == FRAMES)
    return middle (value);
  for (int k = 0; k < FRAMES; k++) {
    float end = ((k - count) & 1) == 0 ? -far : far;
    other[k] = k < count ? value[k] : vec4 (-end);
    value[k] = k < count ? value[k] : vec4 (end);
  }
  return 0.5 * (middle (value) + middle (other));
}
#else
vec4 statistic (vec4 value[FRAMES], int count)
{
  vec4 sum = vec4 (0.0);
  for (int k = 0; k < FRAMES; k++)
    if (k < count)
      sum += value[k];
  return sum / float (count);
}
#endif
