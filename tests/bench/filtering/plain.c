// SPDX-License-Identifier: MIT
#include "plain.h"

#include <glib.h>

#include "base/parallel.h"

#define MOST_PRODUCTS ((size_t) 1000000000)
#define STRIDE ((size_t) 1000003) // a prime number

static double
convolve (const PublishedJob *job, const float *data, const int at[4])
{
  const int sizes[] = { job->width, job->height, job->depth, job->times };
  int sides[4], k[4];
  double sum = 0;

  for (int a = 0; a < 4; a++)
    sides[a] = a < job->dimensions ? job->side : 1;
  for (k[3] = 0; k[3] < sides[3]; k[3]++)
    for (k[2] = 0; k[2] < sides[2]; k[2]++)
      for (k[1] = 0; k[1] < sides[1]; k[1]++)
        for (k[0] = 0; k[0] < sides[0]; k[0]++) {
          size_t from = 0, coefficient = 0;
          bool inside = true;
          for (int a = 3; a >= 0; a--) {
            const int p = at[a] + sides[a] / 2 - k[a];
            inside = inside && p >= 0 && p < sizes[a];
            from = from * (size_t) sizes[a] + (size_t) p;
            coefficient = coefficient * (size_t) sides[a] + (size_t) k[a];
          }
          if (inside)
            sum += (double) job->kernel[coefficient] * (double) data[from];
        }
  return sum;
}

void
plain_make (Plain *plain, const PublishedJob *job, const float *data, int time)
{
  const size_t width = (size_t) job->width, height = (size_t) job->height;
  const size_t all = width * height * (size_t) job->depth;
  size_t products = 1;

  for (int d = 0; d < job->dimensions; d++)
    products *= (size_t) job->side;
  plain->n = MIN (all, MOST_PRODUCTS / products);
  plain->at = g_new (size_t, plain->n);
  plain->value = g_new (double, plain->n);
  ODL_PARALLEL_FOR
  for (size_t i = 0; i < plain->n; i++) {
    const size_t at = plain->n < all ? i * STRIDE % all : i;
    plain->at[i] = at;
    plain->value[i] = convolve (job, data,
                                (int[]){ (int) (at % width), (int) (at / width % height),
                                         (int) (at / width / height), time });
  }
}

void
plain_clear (Plain *plain)
{
  g_free (plain->at);
  g_free (plain->value);
}
