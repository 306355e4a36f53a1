// SPDX-License-Identifier: MIT
// Mean or MEDIAN of this frame and `earlier` frames before it; this frame is added to the history.
#include "include/samples.glsl"
#include "include/quads.glsl"
#include "include/past.glsl"
#include "include/median.glsl"

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int index = quad_index (quad);
  vec4 value[FRAMES];
  value[0] = from_quad (source[index]);
  for (int back = 1; back < FRAMES; back++)
    value[back] = back <= earlier ? kept[kept_index (index, back)] : vec4 (0.0);
  kept[kept_index (index, 0)] = value[0];
  target[index] = to_quad (statistic (value, earlier + 1));
}
