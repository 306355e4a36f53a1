// SPDX-License-Identifier: MIT
// Soft thresholding of a band by what BAYES found, the second picture's first number
// (src/plan/numbers.h). Details lack the bias.
SAMPLE filtered (ivec2 p)
{
  SAMPLE f = at (p);
  SAMPLE most = SAMPLE (number_at (0));
  return f - clamp (f, -most, most);
}
