// SPDX-License-Identifier: MIT
// Border handling by index folding, as in src/wavelet/border.c; a test compares both for every
// index. Values of OdlBorder:
#define BORDER_WHOLE_SAMPLE 0
#define BORDER_PERIODIC 1
#define BORDER_ZERO 2

// Whole-sample reflection of any index to 0 .. n - 1, about samples 0 and n - 1. (% of a negative
// number is undefined in GLSL; the reflection about 0 makes it positive.)
int border_fold (int index, int n)
{
  if (n == 1)
    return 0;
  int period = 2 * (n - 1);
  int i = abs (index) % period;
  return i < n ? i : period - i;
}

// Likewise for indices -(n - 1) .. 2 (n - 1), without division: for kernels that reach less than
// the picture's width.
int border_fold_near (int index, int n)
{
  int last = n - 1;
  return last - abs (last - abs (index));
}

// Periodic: any index, and the fast variant for -n .. 2 n - 1.
int border_wrap (int index, int n)
{
  return index >= 0 ? index % n : n - 1 - (-1 - index) % n;
}

int border_wrap_near (int index, int n)
{
  return index < 0 ? index + n : index >= n ? index - n : index;
}

// Zero: -1 where a sample counts as zero. texelFetch of it is undefined in GLES, so check INSIDE
// (folded) before fetching, or fetch max (folded, 0) and multiply.
int border_cut (int index, int n)
{
  return index < 0 || index >= n ? -1 : index;
}

int border_index (int border, int index, int n)
{
  return border == BORDER_WHOLE_SAMPLE ? border_fold (index, n)
         : border == BORDER_PERIODIC   ? border_wrap (index, n)
                                       : border_cut (index, n);
}

// Number of samples of n that are transformed; a remaining one becomes the last low coefficient.
int border_length (int border, int n)
{
  return border == BORDER_WHOLE_SAMPLE || n <= 1 ? n : n / 2 * 2;
}

// The engine selects the variant for a pass and size: BORDER (default whole-sample), FOLD_FAR, or
// INTERIOR where no kernel reaches a border.
#ifndef BORDER
#define BORDER BORDER_WHOLE_SAMPLE
#endif
#if defined INTERIOR
#define FOLD(index, n) (index)
#elif BORDER == BORDER_ZERO
#define FOLD border_cut
#elif BORDER == BORDER_PERIODIC && defined FOLD_FAR
#define FOLD border_wrap
#elif BORDER == BORDER_PERIODIC
#define FOLD border_wrap_near
#elif defined FOLD_FAR
#define FOLD border_fold
#else
#define FOLD border_fold_near
#endif
#if BORDER == BORDER_ZERO && !defined INTERIOR
#define INSIDE(folded) ((folded) >= 0)
#else
#define INSIDE(folded) true
#endif
