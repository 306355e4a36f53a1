// SPDX-License-Identifier: MIT
// Mean and variance of the square about a sample, of the step's side.
#pragma once

#include "engine/reference/context.h"

typedef struct {
  double mean;
  double variance;
} LocalStatistics;

static inline LocalStatistics
local_statistics (const StepContext *c, int x, int y)
{
  const int radius = c->step->side / 2, n = c->step->side * c->step->side;
  LocalStatistics found = { 0 };

  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++)
      found.mean += at (c, x + dx, y + dy) / n;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      const double d = at (c, x + dx, y + dy) - found.mean;
      found.variance += d * d / n;
    }
  return found;
}
