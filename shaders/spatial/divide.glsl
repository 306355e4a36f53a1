// SPDX-License-Identifier: MIT
// f / max (g, LEAST), where g is the second picture.
SAMPLE filtered (ivec2 p)
{
  return (at (p) + bias) / max (second_at (p) + bias, SAMPLE (LEAST)) - bias;
}
