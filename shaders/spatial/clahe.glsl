// SPDX-License-Identifier: MIT
// The curves that EQUALISE found, the second picture, for SIDE * SIDE tiles of BINS numbers
// (src/plan/equalise.h).
SAMPLE curve_at (ivec2 tile, SAMPLE place)
{
  int bin = min (int (place), BINS - 2);
  int first = (tile.y * SIDE + tile.x) * BINS + bin;
  return mix (number_at (first), number_at (first + 1), place - float (bin));
}

SAMPLE filtered (ivec2 p)
{
  vec2 tile = vec2 (size / SIDE + int (any (notEqual (size % SIDE, ivec2 (0)))));
  vec2 middle = vec2 (p) / tile - 0.5;
  ivec2 before = ivec2 (floor (middle));
  vec2 share = middle - vec2 (before);
  ivec2 a = max (before, ivec2 (0)), b = min (before + 1, ivec2 (SIDE - 1));
  SAMPLE place = clamp (at (p) + bias, 0.0, 1.0) * float (BINS - 1);
  SAMPLE upper = mix (curve_at (a, place), curve_at (ivec2 (b.x, a.y), place), share.x);
  SAMPLE lower = mix (curve_at (ivec2 (a.x, b.y), place), curve_at (b, place), share.x);
  return mix (upper, lower, share.y) - bias;
}
