// SPDX-License-Identifier: MIT
// 1 + SLOPE log2 (TIMES f) within 0 … 1: decibels, as src/plan/spatial/log_compress.c says.
#define LEAST_AMPLITUDE 1e-12

SAMPLE filtered (ivec2 p)
{
  SAMPLE amplitude = max (TIMES * (at (p) + bias), SAMPLE (LEAST_AMPLITUDE));
  return clamp (1.0 + SLOPE * log2 (amplitude), 0.0, 1.0) - bias;
}
