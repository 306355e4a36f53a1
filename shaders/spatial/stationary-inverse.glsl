// SPDX-License-Identifier: MIT
// Stationary synthesis along one axis: at () reads the low band, second_at () the high one.
SAMPLE filtered (ivec2 p)
{
  SAMPLE sum = SAMPLE (0.0);
  for (int k = 0; k < TAPS; k++) {
    ivec2 q = p + (first + k) * spacing;
    sum += taps[k].x * at (q) + taps[k].y * second_at (q);
  }
  return sum;
}
