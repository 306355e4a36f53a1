// SPDX-License-Identifier: MIT
#include "plan/equalise.h"

double
odl_equalise_limit (double clip, int samples, int bins)
{
  return clip > 0 ? MAX ((int) (clip * samples / bins), 1) : 0;
}

void
odl_equalise_clip (guint32 *counts, int bins, guint32 limit)
{
  guint32 taken = 0;

  for (int i = 0; i < bins; i++)
    if (counts[i] > limit) {
      taken += counts[i] - limit;
      counts[i] = limit;
    }
  const guint32 each = taken / (guint32) bins;
  guint32 rest = taken % (guint32) bins;
  const int distance = rest > 0 ? bins / (int) rest : 1;
  for (int i = 0; i < bins; i++)
    counts[i] += each;
  for (int i = 0; rest > 0; i += distance, rest--)
    counts[i]++;
}
