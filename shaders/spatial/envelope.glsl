// SPDX-License-Identifier: MIT
// The magnitude of the analytic signal of each column, by a Hilbert transform of SIDE taps under a
// Hamming window (src/plan/spatial/envelope.c). ZERO is what waves swing about.
#define PI 3.14159265358979
#define REACH (SIDE / 2)

SAMPLE filtered (ivec2 p)
{
  SAMPLE turned = SAMPLE (0.0);
  for (int k = 1; k <= REACH; k += 2) {
    float tap = 2.0 / (PI * float (k)) * (0.54 + 0.46 * cos (PI * float (k) / float (REACH)));
    turned += tap * (at (p - ivec2 (0, k)) - at (p + ivec2 (0, k)));
  }
  SAMPLE own = at (p) + bias - ZERO;
  return sqrt (own * own + turned * turned) - bias;
}
