// SPDX-License-Identifier: MIT
// (1 - weight) f + weight g, where g is the second picture.
SAMPLE filtered (ivec2 p)
{
  return (1.0 - WEIGHT) * at (p) + WEIGHT * second_at (p);
}
