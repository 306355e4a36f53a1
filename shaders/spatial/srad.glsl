// SPDX-License-Identifier: MIT
// A step of speckle reducing anisotropic diffusion (src/plan/spatial/srad.c).
#define LEAST_FLOW 1e-20

SAMPLE nearest (ivec2 p)
{
  return at (clamp (p, ivec2 (0), size - 1));
}

// The share of the sample that flows.
SAMPLE share_at (ivec2 p)
{
  SAMPLE f = nearest (p);
  SAMPLE left = nearest (p - ivec2 (1, 0)) - f, right = nearest (p + ivec2 (1, 0)) - f;
  SAMPLE up = nearest (p - ivec2 (0, 1)) - f, down = nearest (p + ivec2 (0, 1)) - f;
  SAMPLE squares = (left * left + right * right) + (up * up + down * down);
  SAMPLE laplacian = (left + right) + (up + down);
  SAMPLE mean = COMPRESSED > 0.5 ? SAMPLE (1.0) : f + bias + 0.25 * laplacian;
  SAMPLE variance = 0.5 * squares - 0.0625 * laplacian * laplacian;
  return min (SCALE * mean * mean / max (FLOOR * mean * mean + variance, SAMPLE (LEAST_FLOW)), 1.0);
}

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p), own = share_at (p);
  SAMPLE right = share_at (min (p + ivec2 (1, 0), size - 1));
  SAMPLE below = share_at (min (p + ivec2 (0, 1), size - 1));
  SAMPLE sum = right * (nearest (p + ivec2 (1, 0)) - f) + below * (nearest (p + ivec2 (0, 1)) - f)
               + own * ((nearest (p - ivec2 (1, 0)) - f) + (nearest (p - ivec2 (0, 1)) - f));
  return f + RATE * sum;
}
