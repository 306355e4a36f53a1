// SPDX-License-Identifier: MIT
// Whole-sample reflection: maps any index to 0 .. n - 1 about samples 0 and n - 1, repeatedly.
// The same as odl_border_fold in src/wavelet/border.c; a test compares them index by index.
// (% of a negative number is undefined in GLSL, hence floor.)
int border_fold (int index, int n)
{
  if (n == 1)
    return 0;
  int period = 2 * (n - 1);
  int i = index - period * int (floor (float (index) / float (period)));
  return i < n ? i : period - i;
}
