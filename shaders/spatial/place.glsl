// SPDX-License-Identifier: MIT
// Subsamples a stationary band by 2^LEVEL and places it where the Mallat layout has the decimated
// band. BAND is 0 for LL, 1 for HL (right), 2 for LH (below), 3 for HH.
SAMPLE filtered (ivec2 p)
{
  ivec2 side = ivec2 (BAND % 2, BAND / 2);
  ivec2 low = (size + (1 << LEVEL) - 1) >> LEVEL;
  ivec2 all_of_it = (size + (1 << (LEVEL - 1)) - 1) >> (LEVEL - 1);
  ivec2 from = side * low;
  ivec2 end = low + side * (all_of_it - low);
  if (any (lessThan (p, from)) || any (greaterThanEqual (p, end)))
    return at (p);
  return second_at ((2 * (p - from) + side) << (LEVEL - 1));
}
