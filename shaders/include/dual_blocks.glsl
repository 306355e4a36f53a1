// SPDX-License-Identifier: MIT
// Both complex coefficients of a 2 x 2 block of a band of the dual tree, whose rows are `above` and
// `below` (src/wavelet/dual_tree.h): their powers, and the block with shares of them left.
vec2 block_powers (vec2 above, vec2 below)
{
  vec2 re = vec2 (above.x - below.y, above.x + below.y);
  vec2 im = vec2 (above.y + below.x, above.y - below.x);
  return 0.5 * (re * re + im * im);
}

// (above, below)
vec4 scaled_block (vec2 above, vec2 below, vec2 shares)
{
  vec2 re = 0.5 * shares * vec2 (above.x - below.y, above.x + below.y);
  vec2 im = 0.5 * shares * vec2 (above.y + below.x, above.y - below.x);
  return vec4 (re.y + re.x, im.x + im.y, im.x - im.y, re.y - re.x);
}
