// SPDX-License-Identifier: MIT
// 1 + SLOPE log2 (TIMES f) within 0 … 1: decibels, as src/plan/spatial/log_compress.c says. With
// SECOND the reference of the frame is the largest of the numbers of PEAK, or TIMES holds it.
#define LEAST_AMPLITUDE 1e-12

#if defined SECOND && !defined NUMBERS_ARE_UNIFORMS
float times ()
{
  float reference = LEAST_REFERENCE;
  for (int i = 0; i < PARTS; i++)
    reference = max (reference, number_at (i));
  return TIMES / reference;
}
#else
float times ()
{
  return TIMES;
}
#endif

SAMPLE filtered (ivec2 p)
{
  SAMPLE amplitude = max (times () * (at (p) + bias), SAMPLE (LEAST_AMPLITUDE));
  return clamp (1.0 + SLOPE * log2 (amplitude), 0.0, 1.0) - bias;
}
