// SPDX-License-Identifier: MIT
// A step of anisotropic diffusion: what flows from the four neighbours, less the larger the
// difference is. SHARPNESS is 1 / kappa^2.
SAMPLE flow (ivec2 p, SAMPLE f)
{
  SAMPLE d = at (clamp (p, ivec2 (0), size - 1)) - f;
  SAMPLE square = d * d * SHARPNESS;
  return d * (RATIONAL > 0.5 ? 1.0 / (1.0 + square) : exp (-square));
}

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  // Summed by pairs so that a flipped picture gives the same sums.
  SAMPLE across = flow (p - ivec2 (1, 0), f) + flow (p + ivec2 (1, 0), f);
  SAMPLE down = flow (p - ivec2 (0, 1), f) + flow (p + ivec2 (0, 1), f);
  return f + RATE * (across + down);
}
