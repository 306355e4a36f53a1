// SPDX-License-Identifier: MIT
// 1 where one of the 3 x 3 samples about it exceeds TOLERANCE, else 0.
#include "include/most.glsl"

SAMPLE filtered (ivec2 p)
{
  return 1.0 - step (most_about (p), SAMPLE (TOLERANCE)) - bias;
}
