// SPDX-License-Identifier: MIT
// The second picture, and a curve of what the first has more (src/plan/spatial/multi_scale_contrast.c).
SAMPLE filtered (ivec2 p)
{
  SAMPLE g = second_at (p), d = at (p) - g, a = abs (d);
  SAMPLE gain = pow (SAMPLE (AMPLE) / max (a, SAMPLE (AMPLE / 32.0)), SAMPLE (1.0 - EXPONENT));
  SAMPLE share = a * a / max (a * a + GATE * GATE, SAMPLE (1e-30));
  return g + d * (1.0 + share * (gain - 1.0));
}
