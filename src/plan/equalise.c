// SPDX-License-Identifier: MIT
#include "plan/equalise.h"

#include "base/clones.h"

double
odl_equalise_limit (double clip, int samples, int bins)
{
  return clip > 0 ? MAX ((int) (clip * samples / bins), 1) : 0;
}

ODL_ROW_LOOP
static guint32
clip (guint32 *counts, int bins, guint32 limit)
{
  guint32 taken = 0;

  for (int i = 0; i < bins; i++) {
    const guint32 left = MIN (counts[i], limit);
    taken += counts[i] - left;
    counts[i] = left;
  }
  return taken;
}

guint32
odl_equalise_clip (guint32 *counts, int bins, guint32 limit)
{
  const guint32 taken = clip (counts, bins, limit);
  guint32 rest = taken % (guint32) bins;
  const int distance = rest > 0 ? bins / (int) rest : 1;

  for (int i = 0; rest > 0; i += distance, rest--)
    counts[i]++;
  return taken / (guint32) bins;
}
