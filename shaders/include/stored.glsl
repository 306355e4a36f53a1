// SPDX-License-Identifier: MIT
// Samples in the image's format, in words of a buffer: STORED bits each (32: floats), SIGNED or
// not, STORED_CHANNELS interleaved. source_layout: bytes per row, bytes before the first. With
// WHOLE_QUADS, rows are word-aligned and four samples fill whole words. PADDED: beyond `extent` are zeros.
#include "include/scaled.glsl"

uniform ivec2 source_layout;
uniform float bias; // subtracted from scaled samples, except alpha

#ifdef PADDED
uniform ivec2 extent;
#endif

float stored_at (int x, int y, int channel)
{
#ifdef PADDED
  if (x >= extent.x || y >= extent.y)
    return minimum; // 0 when it is scaled
#endif
  int at = source_layout.y + y * source_layout.x + (x * STORED_CHANNELS + channel) * (STORED / 8);
  uint word = stored[at >> 2];
#if STORED == 32
  return uintBitsToFloat (word);
#elif defined SIGNED
  return float (bitfieldExtract (int (word), (at & 3) * 8, STORED));
#else
  return float (bitfieldExtract (word, (at & 3) * 8, STORED));
#endif
}

// Samples 4 q .. 4 q + 3 of a row; those beyond its end repeat the last.
vec4 stored_quad (int q, int y, int channel)
{
#ifdef WHOLE_QUADS
  int i = ((source_layout.y + y * source_layout.x) >> 2) + q * (STORED / 8);
#if STORED == 8
  uint word = stored[i];
  return vec4 (uvec4 (word, word >> 8, word >> 16, word >> 24) & 255u);
#elif STORED == 32
  return uintBitsToFloat (uvec4 (stored[i], stored[i + 1], stored[i + 2], stored[i + 3]));
#elif defined SIGNED
  ivec2 words = ivec2 (int (stored[i]), int (stored[i + 1]));
  return vec4 ((words.xxyy << ivec4 (16, 0, 16, 0)) >> 16);
#else
  uvec2 words = uvec2 (stored[i], stored[i + 1]);
  return vec4 ((words.xxyy >> uvec4 (0, 16, 0, 16)) & 65535u);
#endif
#else
  int last = size.x - 1;
  return vec4 (stored_at (min (4 * q, last), y, channel),
               stored_at (min (4 * q + 1, last), y, channel),
               stored_at (min (4 * q + 2, last), y, channel),
               stored_at (min (4 * q + 3, last), y, channel));
#endif
}

vec4 loaded (vec4 samples, int channel)
{
  return scaled_samples (samples) - (channel < 3 ? bias : 0.0);
}
