// SPDX-License-Identifier: MIT
// 0 beyond the threshold that TROUGH measured, whose numbers are the second picture
// (src/plan/numbers.h): the first is the edge. Samples UNIT apart count as whole numbers. LOW
// keeps the low side.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p), value = f + bias;
  if (UNIT > 0.0)
    value = floor (value / UNIT + 0.5);
  SAMPLE above = step (second_at (ivec2 (0)), value); // 1 from the edge on
  SAMPLE gone = LOW > 0.5 ? above : 1.0 - above;
  return mix (f, SAMPLE (-bias), gone);
}
