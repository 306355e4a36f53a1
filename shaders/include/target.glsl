// SPDX-License-Identifier: MIT
// Where synthesis writes: quads of a buffer; target_layout: quads of a row, of a channel. Or,
// with TARGET_IMAGE, the texels of the texture that is drawn. `size` stands before.
#ifdef TARGET_IMAGE
layout (binding = 0, TARGET_IMAGE) restrict writeonly uniform highp image2D picture;

void put_quad (int q, int row, vec4 value)
{
  for (int c = 0; c < 4; c++)
    if (4 * q + c < size.x)
      imageStore (picture, ivec2 (4 * q + c, row), vec4 (value[c], 0.0, 0.0, 1.0));
}
#else
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform ivec2 target_layout;

void put_quad (int q, int row, vec4 value)
{
  target[int (gl_WorkGroupID.z) * target_layout.y + row * target_layout.x + q] = to_quad (value);
}
#endif
