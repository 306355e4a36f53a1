// SPDX-License-Identifier: MIT
// For the test of the border: texel (x, y) holds the folded index x + first among y + 1 samples,
// by the general rule and, where one reflection is enough, by the short one (elsewhere -1).
#include "include/border.glsl"

uniform int first;

layout (location = 0) out vec4 folded;

void main ()
{
  int index = int (gl_FragCoord.x) + first;
  int n = int (gl_FragCoord.y) + 1;
  bool is_near = index >= -(n - 1) && index <= 2 * (n - 1);
  int near = is_near ? border_fold_near (index, n) : -1;
  folded = vec4 (float (border_fold (index, n)), float (near), 0.0, 1.0);
}
