// SPDX-License-Identifier: MIT
// The filter “sharpen” with 4 neighbours, as code of one's own:
//   ondelette-cli process IN.png --filter glsl:file=sharpen.glsl,amount=1 --trust-code -o OUT.png
//
// parameter: amount 0..4 = 0.5  Amount

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  SAMPLE near = at (p + ivec2 (-1, 0)) + at (p + ivec2 (1, 0)) + at (p + ivec2 (0, -1))
                + at (p + ivec2 (0, 1));
  return f - AMOUNT * (near - 4.0 * f);
}
