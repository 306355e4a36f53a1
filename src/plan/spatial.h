// SPDX-License-Identifier: MIT
// Spatial filters, each in a file of its own: plan/spatial/NAME.c has its row, how it is
// planned and, unless it takes steps that there are, the row of its step NAME. The code
// of this step is in engine/reference/spatial/NAME.c, engine/cpu/spatial/NAME.c and
// shaders/spatial/NAME.glsl. Lists of all, and with them the kinds, are made from the
// names of the files (list.py).
#pragma once

#include "filter/rows.h"
#include "plan/planner.h"

#define ODL_SPATIAL_PLAN(NAME, name) odl_plan_##name (OdlPlanner *b, int item)
void ODL_SPATIAL_FILTERS (ODL_SPATIAL_PLAN);

#define ODL_SPATIAL_STEP(NAME, name) odl_step_##name
extern const OdlStepRow ODL_SPATIAL_STEPS (ODL_SPATIAL_STEP);
