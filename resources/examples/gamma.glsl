// SPDX-License-Identifier: MIT
// The filter “gamma”: sign (f) |f|^gamma. A SAMPLE is one number, or one for each colour, so that
// functions such as pow () want another SAMPLE beside it.
//
// parameter: gamma 0.1..5 = 0.7  Gamma

SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  return sign (f) * pow (max (abs (f), SAMPLE (1e-30)), SAMPLE (GAMMA));
}
