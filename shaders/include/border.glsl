// SPDX-License-Identifier: MIT
// Whole-sample reflection: maps any index to 0 .. n - 1 about samples 0 and n - 1, repeatedly.
// The same as odl_border_fold in src/wavelet/border.c; a test compares them index by index.
// (% of a negative number is undefined in GLSL; the reflection about 0 makes it positive.)
int border_fold (int index, int n)
{
  if (n == 1)
    return 0;
  int period = 2 * (n - 1);
  int i = abs (index) % period;
  return i < n ? i : period - i;
}

// The same for indices -(n - 1) .. 2 (n - 1), one reflection per side, without division: for
// kernels that reach less far than the picture is wide.
int border_fold_near (int index, int n)
{
  int last = n - 1;
  return last - abs (last - abs (index));
}

// The engine says which of the two is right for a pass and a size, or that the pass runs over
// the INTERIOR, where no kernel reaches a border.
#if defined INTERIOR
#define FOLD(index, n) (index)
#elif defined FOLD_FAR
#define FOLD border_fold
#else
#define FOLD border_fold_near
#endif
