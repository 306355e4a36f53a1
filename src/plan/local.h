// SPDX-License-Identifier: MIT
// What spatial filters share that look at the mean and the variance of squares.
#pragma once

#include "plan/spatial.h"

// The numbers of the step LEE, as in plan/spatial/lee.c.
typedef struct {
  double noise; // variance, of full scale
  double speckle; // likewise, of the mean
  double variance_share;
  double mean_share;
} OdlLocalGain;

// Adds that step, with the recipe's `size`, for recipe item `item`.
void odl_plan_local_gain (OdlPlanner *b, int item, const OdlLocalGain *gain);

// Adds the steps that make the means of the squares of slot `read`, side² samples each,
// and returns the slot with them (plan/spatial/box.c).
int odl_plan_box_mean (OdlPlanner *b, int item, int side, int read);
