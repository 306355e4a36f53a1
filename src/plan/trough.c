// SPDX-License-Identifier: MIT
#include "plan/trough.h"

#include "plan/numbers.h"

OdlTroughBins
odl_trough_bins (int most, double unit)
{
  g_return_val_if_fail (most >= 2 && most <= ODL_TROUGH_MOST_BINS,
                        (OdlTroughBins){ .count = 1 });
  if (unit <= 0)
    return (OdlTroughBins){ .count = most };
  const int steps = (int) (1 / unit + 0.5);
  const int width = (steps + most) / most; // (steps + 1) / most, rounded up
  return (OdlTroughBins){ .count = steps / width + 1, .width = width, .steps = steps };
}

static guint64
smoothed (const guint32 *counts, int n, int radius, int i)
{
  guint64 sum = 0;

  for (int k = MAX (i - radius, 0); k <= MIN (i + radius, n - 1); k++)
    sum += counts[k];
  return sum;
}

// The next trough after bin `after`, as the bin that it lies before; n for none.
static int
next_trough (const guint64 *s, int n, int after)
{
  for (int a = MAX (after, 1); a < n - 1;) {
    int b = a;
    while (b + 1 < n && s[b + 1] == s[a])
      b++;
    if (s[a - 1] > s[a] && b + 1 < n && s[b + 1] > s[b] && (a + b + 1) / 2 > after)
      return (a + b + 1) / 2;
    a = b + 1;
  }
  return n;
}

// In counts from the side that is kept, of which more than `least` of all shall be.
static OdlTrough
find_from_start (const guint32 *own, int n, int radius, double share, double least)
{
  g_autofree guint64 *s = g_new (guint64, n);
  OdlTrough trough = { 0 };
  double total = 0, kept = 0;

  for (int i = 0; i < n; i++) {
    s[i] = smoothed (own, n, radius, i);
    total += own[i];
  }
  int before = 0;
  for (int at = next_trough (s, n, 0), next; at < n; at = next) {
    double sum = 0;
    next = next_trough (s, n, at);
    for (int i = before; i < at; i++)
      kept += own[i];
    before = at;
    for (int i = at; i < next; i++)
      sum += own[i];
    trough.n_troughs++;
    if (trough.bin == 0 && sum > share * total && kept > least * total) {
      trough.bin = at;
      trough.share = sum / total;
    }
  }
  return trough;
}

OdlTrough
odl_trough_find (const guint32 *counts, int n, int radius, double share, bool low)
{
  g_autofree guint32 *own = g_new (guint32, n); // from the side that is kept
  OdlTrough trough = { 0 };
  double total = 0;

  for (int i = 0; i < n; i++) {
    own[i] = counts[low ? i : n - 1 - i];
    total += own[i];
  }
  const guint32 end = own[0];
  if (end > share * total) {
    own[0] = 0;
    trough = find_from_start (own, n, radius, share, share);
    trough.outside = trough.bin > 0;
    own[0] = end;
  }
  if (trough.bin == 0)
    trough = find_from_start (own, n, radius, share, ODL_TROUGH_KEPT * share);
  if (trough.bin > 0 && !low)
    trough.bin = n - trough.bin;
  return trough;
}

int
odl_trough_list (const guint32 *counts,
                 int n,
                 int radius,
                 bool low,
                 bool outside,
                 int troughs[])
{
  g_autofree guint32 *own = g_new (guint32, n);
  g_autofree guint64 *s = g_new (guint64, n);
  int found = 0;

  for (int i = 0; i < n; i++)
    own[i] = counts[low ? i : n - 1 - i];
  if (outside)
    own[0] = 0;
  for (int i = 0; i < n; i++)
    s[i] = smoothed (own, n, radius, i);
  for (int at = next_trough (s, n, 0); at < n; at = next_trough (s, n, at))
    troughs[found++] = low ? at : n - at;
  return found;
}

// The least value of bin `bin`: in units where samples are whole, else a fraction of full
// scale.
static double
value_of (const OdlTroughBins *bins, int bin)
{
  return bins->width > 0 ? (double) bin * bins->width : (double) bin / bins->count;
}

void
odl_trough_tell (const OdlTroughBins *bins,
                 const OdlTrough *trough,
                 bool low,
                 double given,
                 double numbers[])
{
  const bool found = given >= 0 || trough->bin > 0;
  const double edge = given >= 0 ? given : value_of (bins, trough->bin);

  numbers[ODL_TROUGH_EDGE] = found ? edge
                             : low ? ODL_TROUGH_NO_EDGE
                                   : -ODL_TROUGH_NO_EDGE;
  numbers[ODL_TROUGH_THRESHOLD] = found ? edge / MAX (bins->steps, 1) : 0;
  numbers[ODL_TROUGH_SHARE] = trough->share;
  numbers[ODL_TROUGH_FOUND] = found;
  numbers[ODL_TROUGH_TROUGHS] = trough->n_troughs;
  numbers[ODL_TROUGH_COUNT] = bins->count;
  numbers[ODL_TROUGH_LIMIT] = trough->outside ? value_of (bins, low ? 1 : bins->count - 1)
                              : low           ? -ODL_TROUGH_NO_EDGE
                                              : ODL_TROUGH_NO_EDGE;
}
