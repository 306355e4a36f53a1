// SPDX-License-Identifier: MIT
// f, within the range of the 3 x 3 samples of the second picture about it, or beyond by TOLERANCE of
// that range.
SAMPLE filtered (ivec2 p)
{
  SAMPLE least = second_at (p), most = least;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      SAMPLE g = second_at (p + ivec2 (dx, dy));
      least = min (least, g);
      most = max (most, g);
    }
  SAMPLE more = TOLERANCE * (most - least);
  return clamp (at (p), least - more, most + more) - bias;
}
