// SPDX-License-Identifier: MIT
// The least of SIDE samples along AXIS (1 is x, 2 is y), or the GREATEST.
SAMPLE filtered (ivec2 p)
{
  ivec2 along = ivec2 (2 - AXIS, AXIS - 1);
  SAMPLE least = at (p), greatest = least;
  for (int k = -(SIDE / 2); k <= SIDE / 2; k++) {
    SAMPLE f = at (p + k * along);
    least = min (least, f);
    greatest = max (greatest, f);
  }
  return GREATEST > 0.5 ? greatest : least;
}
