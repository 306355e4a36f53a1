// SPDX-License-Identifier: MIT
// The filter “box”, the mean of a square: a radius of 2 is its size of 5. Loops count their turns:
// one sample has at most 16000, in all loops together, and what comes after them goes on.
//
// parameter: radius 0..9 = 1 px  Radius of the square

SAMPLE filtered (ivec2 p)
{
  int r = int (RADIUS + 0.5);
  SAMPLE sum = SAMPLE (0.0);

  for (int y = -r; y <= r; y++)
    for (int x = -r; x <= r; x++)
      sum += at (p + ivec2 (x, y));
  return sum / float ((2 * r + 1) * (2 * r + 1));
}
