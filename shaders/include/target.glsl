// SPDX-License-Identifier: MIT
// Output of synthesis, after place_target: quads of a buffer; target_layout: quads per row, per
// channel. With TARGET_IMAGE, texels of the texture to draw. `size` must be declared before.
int target_quad; // of the first row that this lane writes

#ifdef TARGET_IMAGE
layout (binding = 0, TARGET_IMAGE) restrict writeonly uniform highp image2D picture;

void place_target (int q)
{
  target_quad = q;
}

void put_quad (int row, vec4 value)
{
  for (int c = 0; c < 4; c++)
    if (4 * target_quad + c < size.x)
      imageStore (picture, ivec2 (4 * target_quad + c, row), vec4 (value[c], 0.0, 0.0, 1.0));
}
#else
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 target_layout;

void place_target (int q)
{
  target_quad = int (gl_WorkGroupID.z) * target_layout.y + q;
}

void put_quad (int row, vec4 value)
{
  target[target_quad + row * target_layout.x] = to_quad (value);
}
#endif
