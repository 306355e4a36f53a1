// SPDX-License-Identifier: MIT
// 0 beyond the threshold that TROUGH measured, whose numbers are the second picture
// (src/plan/numbers.h), and outside of the field. Samples UNIT apart count as whole numbers.
// LOW keeps the low side.
#define EDGE 0
#define LIMIT 6

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p), value = f + bias;
  if (UNIT > 0.0)
    value = floor (value / UNIT + 0.5);
  // 1 from the edge, and from the limit on; what is kept lies between the two.
  SAMPLE above = step (SAMPLE (number_at (EDGE)), value);
  SAMPLE beyond = step (SAMPLE (number_at (LIMIT)), value);
  return mix (SAMPLE (-bias), f, abs (above - beyond));
}
