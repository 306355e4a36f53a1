// SPDX-License-Identifier: MIT
// Quads of a row of `source`, a buffer that the shader declares with `bias`. Loads that branches
// guard wait for one another: the quads of a line are loaded all, from the nearest place in the row
// (COLUMN), and what lies outside is mended after that.
#ifdef BIASED
#define LOADED(at) (from_quad (source[at]) + bias)
#else
#define LOADED(at) from_quad (source[at])
#endif
#define COLUMN(at) clamp (at, 0, target_layout.x - 1)

float sample_at (int x, int row)
{
  int folded = FOLD (x, size.x), at = max (folded, 0);
  float value = LOADED (row + (at >> 2))[at & 3];
  return INSIDE (folded) ? value : 0.0;
}

// Samples from 4 `at` on.
vec4 folded_quad (int at, int row)
{
  if (at >= 0 && 4 * at + 3 < size.x)
    return LOADED (row + at);
  return vec4 (sample_at (4 * at, row), sample_at (4 * at + 1, row),
               sample_at (4 * at + 2, row), sample_at (4 * at + 3, row));
}

// The same of a row that has `wide` samples (0: a row of zeros), of which `quad` has been loaded.
vec4 mended (vec4 quad, int at, int row, int wide)
{
#if BORDER == BORDER_ZERO
  return mix (vec4 (0.0), quad, lessThan (uvec4 (4 * at + ivec4 (0, 1, 2, 3)), uvec4 (wide)));
#else
  return at >= 0 && 4 * at + 3 < wide ? quad : folded_quad (at, row);
#endif
}
