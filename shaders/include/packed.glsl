// SPDX-License-Identifier: MIT
// Reads one sample of a picture with 2 x 2 samples per texel.
float packed_at (sampler2D source, ivec2 p)
{
  vec4 four = texelFetch (source, p >> 1, 0);
  vec2 two = (p.x & 1) == 1 ? four.yw : four.xz;
  return (p.y & 1) == 1 ? two.y : two.x;
}
