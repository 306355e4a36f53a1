// SPDX-License-Identifier: MIT
// Samples in buffers: rows of quads (four adjacent samples) or pairs, as floats or, with
// SOURCE_HALF and TARGET_HALF, half floats.
#ifdef SOURCE_HALF
#define SOURCE_PAIR uint
#define SOURCE_QUAD uvec2
#else
#define SOURCE_PAIR vec2
#define SOURCE_QUAD vec4
#endif

#ifdef TARGET_HALF
#define TARGET_PAIR uint
#define TARGET_QUAD uvec2
#else
#define TARGET_PAIR vec2
#define TARGET_QUAD vec4
#endif

vec2 from_pair (vec2 stored)
{
  return stored;
}

vec2 from_pair (uint stored)
{
  return unpackHalf2x16 (stored);
}

vec4 from_quad (vec4 stored)
{
  return stored;
}

vec4 from_quad (uvec2 stored)
{
  return vec4 (unpackHalf2x16 (stored.x), unpackHalf2x16 (stored.y));
}

// The rounding of packHalf2x16 is implementation-defined: unless the driver is known to round
// (PACK_ROUNDS), it only gets values that are half floats already.
#if defined TARGET_HALF && !defined PACK_ROUNDS
#define HALF_TARGET
#endif
#include "include/store.glsl"

TARGET_PAIR to_pair (vec2 value)
{
#ifdef TARGET_HALF
  return packHalf2x16 (store (value.xyxy).xy);
#else
  return value;
#endif
}

TARGET_QUAD to_quad (vec4 value)
{
#ifdef TARGET_HALF
  value = store (value);
  return uvec2 (packHalf2x16 (value.xy), packHalf2x16 (value.zw));
#else
  return value;
#endif
}
