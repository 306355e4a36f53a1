// SPDX-License-Identifier: MIT
// A plain copy of one texture, texel by texel: what the benchmark compares passes with.
uniform sampler2D source;
layout (location = 0) out vec4 value;

void main ()
{
  value = texelFetch (source, ivec2 (gl_FragCoord.xy), 0);
}
