// SPDX-License-Identifier: MIT
// f + LEVEL.
SAMPLE filtered (ivec2 p)
{
  return at (p) + SAMPLE (LEVEL);
}
