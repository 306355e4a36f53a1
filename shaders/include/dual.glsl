// SPDX-License-Identifier: MIT
// Filters of the dual tree (src/wavelet/dual_tree.h) in blocks, which begin at every fourth sample
// of a line before analysis (after synthesis). Of OUTPUTS results number o is a sum over samples j
// of a window that begins ORIGIN samples before the block. TAPS writes it out, sample by sample:
// READ_LOW (j), READ_HIGH (j), LOW (o, j, tap), HIGH (o, j, tap). FIRST is for level 1.

// Samples put before a line of n samples, whose level is halved; as many come behind it.
int dual_before (int n)
{
#ifdef FIRST
  return 0;
#else
  return (n & 3) != 0 ? 1 : 0;
#endif
}

// With what is put before and behind it.
int dual_extended (int n)
{
#ifdef FIRST
  return n + (n & 1);
#else
  return n + 2 * dual_before (n);
#endif
}

int dual_mirrored (int at, int n)
{
  int i = (at < 0 ? -1 - at : at) % (2 * n);
  return i < n ? i : 2 * n - 1 - i;
}

// Right for what lies at most n beyond an end; what lies farther is nobody's sample, but read.
int mirrored_once (int at, int n)
{
  return clamp (at < 0 ? -1 - at : min (at, 2 * n - 1 - at), 0, n - 1);
}

// The sample that stands at `at`, counted from what is put before the line.
int dual_index (int at, int n)
{
  return clamp (dual_mirrored (at, dual_extended (n)) - dual_before (n), 0, n - 1);
}
