// SPDX-License-Identifier: MIT
// Synthesis of the stationary transform along one axis: at () has the low band, second_at ()
// the high one.
SAMPLE filtered (ivec2 p)
{
  SAMPLE sum = SAMPLE (0.0);
  for (int k = 0; k < TAPS; k++) {
    ivec2 q = p + (first + k) * spacing;
    sum += taps[k].x * at (q) + taps[k].y * second_at (q);
  }
  return sum;
}
