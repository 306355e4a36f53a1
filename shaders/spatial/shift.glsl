// SPDX-License-Identifier: MIT
// A picture of SOURCE_SIZE samples moved into one of another size: sample p comes from p - (DX, DY),
// beyond the picture by BORDER, times WEIGHT. With SECOND it is added to that of another picture.
#include "include/moved.glsl"

SAMPLE filtered (ivec2 p)
{
  ivec2 by = ivec2 (round (vec2 (DX, DY)));
  ivec2 from = ivec2 (source_of (p.x, by.x, SOURCE_SIZE.x), source_of (p.y, by.y, SOURCE_SIZE.y));
  SAMPLE moved = min (from.x, from.y) < 0
                     ? SAMPLE (0.0)
                     : WEIGHT * texelFetch (source, max (from, ivec2 (0)), 0);
#ifdef SECOND
  moved += second_at (p);
#endif
  return moved;
}
