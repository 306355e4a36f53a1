// SPDX-License-Identifier: MIT
// f + g, where g is the second picture. Both are without the bias, as the sum is.
SAMPLE filtered (ivec2 p)
{
  return at (p) + second_at (p) + bias;
}
