// SPDX-License-Identifier: MIT
// Test of the border functions: texel (x, y) holds the folded index x + first of a line of y + 1
// samples: R by the general function, G by the fast one within its range (else -1), B the
// transformed length. `border` selects the kind.
#include "include/border.glsl"

uniform int first;
uniform int border;

layout (location = 0) out vec4 folded;

void main ()
{
  int index = int (gl_FragCoord.x) + first;
  int n = int (gl_FragCoord.y) + 1;
  int near = -1;
  if (border == BORDER_WHOLE_SAMPLE && index >= -(n - 1) && index <= 2 * (n - 1))
    near = border_fold_near (index, n);
  if (border == BORDER_PERIODIC && index >= -n && index < 2 * n)
    near = border_wrap_near (index, n);
  folded = vec4 (float (border_index (border, index, n)), float (near),
                 float (border_length (border, n)), 1.0);
}
