// SPDX-License-Identifier: MIT
// The plain reference: equation 1.5 of the source of published.h, and likewise in three
// and four dimensions, in double precision and one sample at a time.
#pragma once

#include <stddef.h>

#include "published.h"

// Samples of one volume's result: all, or where these take too long so many that lie all
// over it.
typedef struct {
  size_t n;
  size_t *at; // places in the volume
  double *value;
} Plain;

// `data`: all volumes of the job; the result is that of volume `time`.
void plain_make (Plain *plain, const PublishedJob *job, const float *data, int time);
void plain_clear (Plain *plain);
