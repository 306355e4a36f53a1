// SPDX-License-Identifier: MIT
// Mean or MEDIAN of this frame and `earlier` frames before it; this frame is added to the history.
// `before1` is one frame old, and so on.
#include "include/median.glsl"

uniform sampler2D source;
uniform sampler2D before1, before2;
#if FRAMES > 3
uniform sampler2D before3, before4;
#endif
#if FRAMES > 5
uniform sampler2D before5, before6;
#endif
uniform int earlier;

layout (location = 0) out vec4 kept;
layout (location = 1) out vec4 result;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  vec4 value[FRAMES];
  value[0] = texelFetch (source, p, 0);
  value[1] = texelFetch (before1, p, 0);
  value[2] = texelFetch (before2, p, 0);
#if FRAMES > 3
  value[3] = texelFetch (before3, p, 0);
  value[4] = texelFetch (before4, p, 0);
#endif
#if FRAMES > 5
  value[5] = texelFetch (before5, p, 0);
  value[6] = texelFetch (before6, p, 0);
#endif
  kept = value[0];
  result = statistic (value, earlier + 1);
}
