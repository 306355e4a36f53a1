// SPDX-License-Identifier: MIT
// Spatial filters, each in a file of its own: plan/spatial/NAME.c has its row, how it is
// planned and, unless it takes steps that there are, the row of its step NAME. The code
// of this step is in engine/reference/spatial/NAME.c, engine/cpu/spatial/NAME.c and
// shaders/spatial/NAME.glsl. Lists of all, and with them the kinds, are made from the
// names of the files (list.py).
#pragma once

#include "filter/rows.h"
#include "plan/kernel.h"
#include "plan/planner.h"

#define ODL_SPATIAL_PLAN(NAME, name) odl_plan_##name (OdlPlanner *b, int item)
void ODL_SPATIAL_FILTERS (ODL_SPATIAL_PLAN);

#define ODL_SPATIAL_STEP(NAME, name) odl_step_##name
extern const OdlStepRow ODL_SPATIAL_STEPS (ODL_SPATIAL_STEP);

// Time steps of the kernel of item `item`, which convolves in 4 dimensions, and whether
// it goes on with the first frame behind the last one.
int odl_plan_convolve_duration (const OdlRecipe *recipe,
                                int item,
                                const OdlGeometry *geometry);
bool odl_plan_convolve_wraps (const OdlRecipe *recipe, int item);

// Convolves the current picture with each of `n` kernels of one size, whose results are
// `slots`: steps that follow one another, so that engines may read it once for all of
// them (odl_plan_bank_at). In four dimensions, pass by pass, the picture of
// each time step.
void odl_plan_bank (OdlPlanner *b,
                    int item,
                    const OdlKernel *kernels,
                    int n,
                    OdlBorder border,
                    int *slots);

// Time steps that item `item`, structure-tensor or adaptive in 4 dimensions, looks at.
int odl_plan_tensor_duration (const OdlRecipe *recipe, int item);

// What all their rows have.
#define SPATIAL_FILTER(NAME, text) \
  .kind = ODL_FILTER_##NAME, .name = (text), .domain = ODL_DOMAIN_SPATIAL
#define SPATIAL_STEP(text) \
  .name = (text), .class = ODL_STEP_CLASS_SPATIAL, .phase = ODL_PHASE_FILTER

// The parameter `size`, and the side that it says, odd, 3 … ODL_PLAN_MAX_SIDE.
static const char *const odl_spatial_sides[]
    = { "3", "5", "7", "9", "11", "13", "15", "17", "19", NULL };
#define SIZE CHOICE ("size", N_ ("Size"), N_ ("pixels"), odl_spatial_sides)

static inline int
odl_spatial_side (const OdlPlanner *b, int item)
{
  return 3 + 2 * (int) odl_recipe_get (b->recipe, item, "size", 0);
}
