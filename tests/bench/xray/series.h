// SPDX-License-Identifier: MIT
// Times of several runs, and what is said of them.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_RUNS 1000

static inline int
compare_times (const void *a, const void *b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

// Prints "NAME MEDIAN MEAN LEAST DEVIATION", and sorts the times.
static inline void
print_series (const char *name, double *ms, int runs)
{
  double sum = 0, squares = 0;

  for (int i = 0; i < runs; i++)
    sum += ms[i];
  const double mean = sum / runs;
  for (int i = 0; i < runs; i++)
    squares += (ms[i] - mean) * (ms[i] - mean);
  qsort (ms, (size_t) runs, sizeof *ms, compare_times);
  printf ("%s %.4f %.4f %.4f %.4f\n", name, ms[runs / 2], mean, ms[0],
          sqrt (squares / runs));
  fflush (stdout);
}
