// SPDX-License-Identifier: MIT
// YCbCr to RGB, as image/ycbcr.c. The including file defines vec2 difference_at (ivec2), which
// reads stored differences (blue, red). One sample covers 2^SHIFT_X x 2^SHIFT_Y pixels; along x
// the first is sited on pixel 0, or with CENTRED_X in the centre of its pixels, along y in the
// centre.
uniform vec4 ranges; // offset and scale of luma; of the differences
uniform vec4 mixing; // red difference in red; blue and red in green; blue in blue
uniform ivec2 chroma_size; // samples of a difference

vec2 differences_at (ivec2 p)
{
#if SHIFT_X == 0 && SHIFT_Y == 0
  return difference_at (p);
#else
  const vec2 pitch = 1.0 / vec2 (float (1 << SHIFT_X), float (1 << SHIFT_Y));
  vec2 at = (vec2 (p) + 0.5) * pitch - 0.5;
#ifndef CENTRED_X
  at.x = float (p.x) * pitch.x;
#endif
  vec2 before = floor (at);
  vec2 t = at - before;
  ivec2 last = chroma_size - 1;
  ivec2 p0 = clamp (ivec2 (before), ivec2 (0), last);
  ivec2 p1 = clamp (ivec2 (before) + 1, ivec2 (0), last);
  vec2 left = mix (difference_at (p0), difference_at (ivec2 (p0.x, p1.y)), t.y);
#if SHIFT_X == 0
  return left;
#else
  vec2 right = mix (difference_at (ivec2 (p1.x, p0.y)), difference_at (p1), t.y);
  return mix (left, right, t.x);
#endif
#endif
}

// Scaled luma with stored differences.
vec3 tinted (float luma, vec2 differences)
{
  vec2 d = (differences - ranges.z) * ranges.w;
  return luma + vec3 (mixing.x * d.y, mixing.y * d.x + mixing.z * d.y, mixing.w * d.x);
}

vec3 colour_of (float luma, vec2 differences)
{
  return tinted ((luma - ranges.x) * ranges.y, differences);
}
