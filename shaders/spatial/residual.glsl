// SPDX-License-Identifier: MIT
// f - g, where g is the second picture. Details have no bias, and f and g have the same.
SAMPLE filtered (ivec2 p)
{
  return at (p) - second_at (p);
}
