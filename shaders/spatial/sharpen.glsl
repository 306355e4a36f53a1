// SPDX-License-Identifier: MIT
// f - amount * Laplacian of f. The Laplacian weights the four neighbours with 1, with 8 neighbours
// also the diagonal ones; the centre weight makes the sum zero.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  SAMPLE near = at (p + ivec2 (-1, 0)) + at (p + ivec2 (1, 0)) + at (p + ivec2 (0, -1))
                + at (p + ivec2 (0, 1));
  SAMPLE far = at (p + ivec2 (-1, -1)) + at (p + ivec2 (1, -1)) + at (p + ivec2 (-1, 1))
               + at (p + ivec2 (1, 1));
  float diagonal = NEIGHBOURS == 8.0 ? 1.0 : 0.0;
  return f - AMOUNT * (near - 4.0 * f + diagonal * (far - 4.0 * f));
}
