// SPDX-License-Identifier: MIT
// What the filters stabilise and restore share.
#pragma once

#include <math.h>

#include "plan/spatial.h"

// In the order of the choices.
typedef enum {
  ODL_STABILISER_ANSCOMBE,
  ODL_STABILISER_LOG,
  ODL_STABILISER_BOX_COX,
} OdlStabiliser;

// The step's rule is ODL_N_STABILISING times the method plus one of these.
typedef enum {
  ODL_STABILISE_FORWARD,
  ODL_STABILISE_ALGEBRAIC, // the inverse function
  ODL_STABILISE_UNBIASED, // what has the right mean, see plan/spatial/restore.c
  ODL_N_STABILISING,
} OdlStabilising;

// Indices of the step's values.
enum {
  ODL_STABILISER_SCALE, // photons at full scale, the floor, or λ
  ODL_STABILISER_UNIT, // what full scale becomes before it is put to 1
  ODL_STABILISER_NOISE, // σ between both, of full scale; UNBIASED of log and box-cox
};

// Of photons: D = 2 √(3/8) is what none at all becomes.
#define ODL_ANSCOMBE_NONE 1.2247448713915890

// Adds the step of recipe item `item`, by the method of item `from`.
OdlStep *
odl_plan_stabiliser (OdlPlanner *b, int item, int from, OdlStabilising direction);
