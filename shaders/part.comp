// SPDX-License-Identifier: MIT
// A part of a picture as it is read back: `size` pixels from `origin` on, row by row, the CHANNELS of a
// pixel side by side, to target[first …]. PART 0: floats, times scale. 1: words of sign and
// magnitude, which is rounded down. 2: bytes, rounded, four to a word. Samples are limited to 0 … limit before
// they are scaled, if limit > 0. source_layout: quads per row, quads per channel.
#include "include/samples.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { uint target[]; };
uniform ivec2 size, origin, source_layout;
uniform int first;
uniform float scale, limit, bias;

// Number `i` of the part.
float value (int i)
{
  int pixel = i / CHANNELS, channel = i % CHANNELS;
  int x = origin.x + pixel % size.x, y = origin.y + pixel / size.x;
  int quad = channel * source_layout.y + y * source_layout.x + (x >> 2);
  float sample_value = from_quad (source[quad])[x & 3] + bias;
  return (limit > 0.0 ? clamp (sample_value, 0.0, limit) : sample_value) * scale;
}

uint byte_of (float scaled)
{
  return uint (clamp (scaled + 0.5, 0.0, 255.0));
}

void main ()
{
  int n = size.x * size.y * CHANNELS;
  int from = 4 * int (gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 256u);
#if PART == 2
  uint word = 0u;
  for (int i = 0; i < 4; i++)
    if (from + i < n)
      word |= byte_of (value (from + i)) << (8 * i);
  if (from < n)
    target[(first + from) >> 2] = word;
#else
  for (int i = from; i < min (from + 4, n); i++) {
    float scaled = value (i);
#if PART == 1
    target[first + i] = uint (abs (scaled)) | (scaled < 0.0 ? 0x80000000u : 0u);
#else
    target[first + i] = floatBitsToUint (scaled);
#endif
  }
#endif
}
