// SPDX-License-Identifier: MIT
// Copies the bands of a level, `size` samples together, to their places in the Mallat layout; LL
// only with WITH_APPROX. source_layout: quads per row of a band, quads per channel. Of a volume the
// octants of a level, DEPTH slices of the picture's TARGET_DEPTH; z of the work group is the slice of
// a channel, and LL of the high slices is detail.
#include "include/samples.glsl"
#include "include/quads.glsl"

layout (std430, binding = 0) restrict readonly buffer Approx { SOURCE_QUAD approx[]; };
layout (std430, binding = 1) restrict readonly buffer Details { SOURCE_QUAD details[]; };
layout (std430, binding = 2) restrict buffer Target { TARGET_QUAD target[]; };
uniform ivec2 source_layout;

float coefficient (ivec2 p, float kept)
{
  ivec2 low = (size + 1) / 2;
  bool right = p.x >= low.x, below = p.y >= low.y;
  if (right)
    p.x -= low.x;
  p.y += (right ? low.y : 0) + (below ? low.y : 0); // HL, LH, HH are 1, 2, 3 bands further
  int slice = int (gl_WorkGroupID.z);
#ifdef DEPTH
  below = below || slice % DEPTH >= (DEPTH + 1) / 2; // all are details
#endif
  int i = slice * source_layout.y + p.y * source_layout.x + (p.x >> 2);
  if (right || below)
    return from_quad (details[i])[p.x & 3];
#ifdef WITH_APPROX
  return from_quad (approx[i])[p.x & 3];
#else
  return kept;
#endif
}

int place_of (ivec2 quad)
{
#ifdef DEPTH
  int slice = int (gl_WorkGroupID.z);
  slice = slice / DEPTH * TARGET_DEPTH + slice % DEPTH;
  return slice * target_layout.y + quad.y * target_layout.x + quad.x;
#else
  return quad_index (quad);
#endif
}

void main ()
{
  ivec2 quad = own_quad ();
  if (quad.x < 0 || 4 * quad.x >= size.x)
    return;
  int at = place_of (quad);
  // A quad may also contain samples of other levels.
#ifdef TARGET_HALF
  vec4 result = vec4 (unpackHalf2x16 (target[at].x),
                      unpackHalf2x16 (target[at].y));
#else
  vec4 result = target[at];
#endif
  for (int c = 0; c < 4; c++)
    if (4 * quad.x + c < size.x)
      result[c] = coefficient (ivec2 (4 * quad.x + c, quad.y), result[c]);
  target[at] = to_quad (result);
}
