// SPDX-License-Identifier: MIT
// The largest samples of PARTS parts of a picture of CHANNELS channels, as many rows each
// (src/plan/numbers.h). One work group for each part, x of the work group.
#include "include/samples.glsl"
#define THREADS 256
layout (local_size_x = THREADS) in;

layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict writeonly buffer Target { float target[]; };
uniform ivec2 size; // samples of the picture
uniform ivec2 source_layout; // quads per row, quads per channel
uniform float bias;
shared float largest[THREADS];

void main ()
{
  int own = int (gl_LocalInvocationIndex), part = int (gl_WorkGroupID.x);
  int from = size.y * part / PARTS, to = size.y * (part + 1) / PARTS;
  int quads = (size.x + 3) / 4;
  float found = 0.0;
  for (int i = own; i < quads * (to - from) * CHANNELS; i += THREADS) {
    int row = i / quads, column = i - row * quads, channel = row / (to - from);
    int y = from + row - channel * (to - from);
    vec4 four = from_quad (source[channel * source_layout.y + y * source_layout.x + column]);
    for (int c = 0; c < 4; c++)
      if (4 * column + c < size.x)
        found = max (found, four[c] + bias);
  }
  largest[own] = found;
  for (int step = THREADS / 2; step > 0; step /= 2) {
    barrier ();
    if (own < step)
      largest[own] = max (largest[own], largest[own + step]);
  }
  if (own == 0)
    target[part] = largest[0];
}
