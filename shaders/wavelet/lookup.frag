// SPDX-License-Identifier: MIT
// One pass of the transform along AXIS, forward or inverse: output sample n is the sum over k <
// COUNT of kernels[k][alpha] s[R], for all four components, where alpha and beta come from texel n
// + LEFT of the table's row and R from texel beta + k. A negative R counts as zero. The table
// defines direction and border (src/engine/gl/lookup/table.h).
#include "include/store.glsl"

uniform sampler2D source; // low | high of an earlier pass, or samples
uniform sampler2D addresses; // R address, G alpha, B beta
uniform int level_row; // of `addresses`
uniform vec3 kernels[COUNT];

layout (location = 0) out vec4 result;

void main ()
{
  ivec2 p = ivec2 (gl_FragCoord.xy);
  vec4 own = texelFetch (addresses, ivec2 (p[AXIS] + LEFT, level_row), 0);
  int alpha = int (own.g);
  int beta = int (own.b);
  vec4 sum = vec4 (0.0);
  for (int k = 0; k < COUNT; k++) {
    p[AXIS] = int (texelFetch (addresses, ivec2 (beta + k, level_row), 0).r);
    if (p[AXIS] >= 0)
      sum += kernels[k][alpha] * texelFetch (source, p, 0);
  }
  result = store (sum);
}
