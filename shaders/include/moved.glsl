// SPDX-License-Identifier: MIT
// Where a sample of a moved picture comes from, after border.glsl.
// -1: what is there is 0.
int source_of (int at, int by, int n)
{
#if BORDER == BORDER_PERIODIC
  int count = border_length (BORDER, n);
  return at >= count ? at : border_wrap (at - by, count);
#else
  return border_index (BORDER, at - by, n);
#endif
}
