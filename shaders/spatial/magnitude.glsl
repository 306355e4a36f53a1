// SPDX-License-Identifier: MIT
// √((f - ZERO)² + (g - ZERO)²) of two pictures.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p) + bias - ZERO, g = second_at (p) + bias - ZERO;
  return sqrt (f * f + g * g) - bias;
}
