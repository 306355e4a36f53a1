// SPDX-License-Identifier: MIT
// Shrinks the magnitudes of complex coefficients of the dual tree; an invocation takes a block.
//   numbers  with SECOND: those of BAYES
#include "include/quads.glsl"
#include "include/dual_blocks.glsl"
#include "include/rule.glsl"

layout (std430, binding = 0) readonly buffer Source { vec2 source[]; };
#ifdef SECOND
layout (std430, binding = 1) readonly buffer Numbers { float numbers[]; };
layout (std430, binding = 2) writeonly buffer Target { vec2 target[]; };
#else
layout (std430, binding = 1) writeonly buffer Target { vec2 target[]; };
#endif

uniform float parameters[5];

void main ()
{
  ivec2 block = ivec2 (gl_GlobalInvocationID.xy);
  int row = 2 * target_layout.x;
  int at = int (gl_WorkGroupID.z) * 2 * target_layout.y + 2 * block.y * row + block.x;
  if (any (greaterThanEqual (block, size / 2)))
    return;
#ifdef SECOND
  vec2 thresholds = vec2 (sqrt (2.0) * numbers[0]);
#else
  vec2 thresholds = vec2 (RISING, FALLING);
#endif
  vec2 magnitudes = sqrt (block_powers (source[at], source[at + row]));
#if RULE > 0
  vec2 shares = SHARE_OF (magnitudes, thresholds);
#else
  vec2 rest = magnitudes - (HARD > 0.5 ? vec2 (0.0) : thresholds);
  // A magnitude of 0 has no share.
  vec2 shares = mix (vec2 (0.0), rest / max (magnitudes, vec2 (1e-30)),
                     greaterThan (magnitudes, thresholds));
#endif
  shares *= vec2 (RISING_GAIN, FALLING_GAIN);
  vec4 result = scaled_block (source[at], source[at + row], shares);
  target[at] = result.xy;
  target[at + row] = result.zw;
}
