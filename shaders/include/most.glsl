// SPDX-License-Identifier: MIT
// The greatest of the 3 x 3 samples about p.
SAMPLE most_about (ivec2 p)
{
  SAMPLE most = at (p);
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      most = max (most, at (p + ivec2 (x, y)));
  return most + bias;
}
