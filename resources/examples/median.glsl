// SPDX-License-Identifier: MIT
// The filter “median” of 3 × 3 samples. An array has a fixed number of elements, and an index
// beyond them means the last one, or the first. Comparing is for min () and max (), which take
// each colour by itself.

SAMPLE filtered (ivec2 p)
{
  SAMPLE value[9];

  for (int i = 0; i < 9; i++)
    value[i] = at (p + ivec2 (i % 3 - 1, i / 3 - 1));
  for (int last = 8; last >= 4; last--) // the largest goes to the end
    for (int i = 0; i < last; i++) {
      SAMPLE low = min (value[i], value[i + 1]);
      value[i + 1] = max (value[i], value[i + 1]);
      value[i] = low;
    }
  return value[4];
}
