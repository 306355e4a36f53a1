// SPDX-License-Identifier: MIT
// Quads one sample wide over every second column (AXIS 0) or row (AXIS 1) of the viewport,
// starting with line PARITY: six vertices per line, no buffers. Each parity thus has its own
// fragment program without branches.
uniform ivec2 extent; // of the viewport

void main ()
{
  const ivec2 corners[6] = ivec2[6](ivec2 (0, 0), ivec2 (1, 0), ivec2 (0, 1),
                                    ivec2 (1, 0), ivec2 (1, 1), ivec2 (0, 1));
  ivec2 corner = corners[gl_VertexID % 6];
  ivec2 position = corner * extent;
  position[AXIS] = 2 * (gl_VertexID / 6) + PARITY + corner[AXIS];
  gl_Position = vec4 (2.0 * vec2 (position) / vec2 (extent) - 1.0, 0.0, 1.0);
}
