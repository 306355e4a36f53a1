// SPDX-License-Identifier: MIT
// Copies pictures to the bands of a level, LL, HL, LH, HH, of ROWS rows each, one below the other.
// Of each that is there LAYOUT_n says its size in quads per row and rows.
#include "include/samples.glsl"
#include "include/quads.glsl"

#ifdef LAYOUT_0
layout (std430, binding = 0) restrict readonly buffer Ll { SOURCE_QUAD ll[]; };
#endif
#ifdef LAYOUT_1
layout (std430, binding = 1) restrict readonly buffer Hl { SOURCE_QUAD hl[]; };
#endif
#ifdef LAYOUT_2
layout (std430, binding = 2) restrict readonly buffer Lh { SOURCE_QUAD lh[]; };
#endif
#ifdef LAYOUT_3
layout (std430, binding = 3) restrict readonly buffer Hh { SOURCE_QUAD hh[]; };
#endif
layout (std430, binding = 4) restrict writeonly buffer Target { TARGET_QUAD target[]; };

#define COPY(picture, layout_of_it) \
  if (quad.x < layout_of_it.x && y < layout_of_it.y) \
    target[quad_index (quad)] = to_quad (from_quad (picture[ \
      (int (gl_WorkGroupID.z) * layout_of_it.y + y) * layout_of_it.x + quad.x]))

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0)
    return;
  int band = quad.y / ROWS, y = quad.y % ROWS;
#ifdef LAYOUT_0
  if (band == 0)
    COPY (ll, LAYOUT_0);
#endif
#ifdef LAYOUT_1
  if (band == 1)
    COPY (hl, LAYOUT_1);
#endif
#ifdef LAYOUT_2
  if (band == 2)
    COPY (lh, LAYOUT_2);
#endif
#ifdef LAYOUT_3
  if (band == 3)
    COPY (hh, LAYOUT_3);
#endif
}
