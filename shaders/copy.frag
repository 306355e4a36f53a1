// SPDX-License-Identifier: MIT
// Copies a texture: the benchmark's baseline for passes.
uniform sampler2D source;
layout (location = 0) out vec4 value;

void main ()
{
  value = texelFetch (source, ivec2 (gl_FragCoord.xy), 0);
}
