// SPDX-License-Identifier: MIT
// Steps that weigh coefficients: of two pictures, or of one.
#include "plan/planner.h"

OdlStep *
odl_planner_add_combine (OdlPlanner *b,
                         int item,
                         int level,
                         int bands,
                         int others,
                         int *combined)
{
  *combined = odl_planner_add_slot_like (
      b, bands, b->volumetric ? ODL_SLOT_OCTANTS : ODL_SLOT_BANDS, level);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_COMBINE, bands, *combined, item);

  step->reads[1] = others;
  step->level = level;
  return step;
}

// The shares of the details of a level.
static void
set_shares (const OdlPlanner *b, int item, int level, const char *key, double *shares)
{
  for (int band = 0; band < ODL_DETAIL_BANDS; band++)
    shares[1 + band]
        = odl_recipe_get (b->recipe, item, key, ODL_DETAIL_BANDS * (level - 1) + band);
}

void
odl_planner_combine (OdlPlanner *b,
                     int item,
                     int levels,
                     const int bands[],
                     const int others[],
                     int combined[])
{
  for (int level = 1; level <= levels; level++) {
    OdlStep *step = odl_planner_add_combine (b, item, level, bands[level], others[level],
                                             &combined[level]);
    step->rule = (int) odl_recipe_get (b->recipe, item, "rule", 0);
    step->parameters.own[0] = odl_recipe_get (b->recipe, item, "first-base", 0);
    step->parameters.other[0] = odl_recipe_get (b->recipe, item, "second-base", 0);
    set_shares (b, item, level, "first", step->parameters.own);
    set_shares (b, item, level, "second", step->parameters.other);
  }
}

// A sum with itself, of which nothing is taken the second time.
void
odl_planner_scale (OdlPlanner *b, int item, int levels, const int bands[], int scaled[])
{
  for (int level = 1; level <= levels; level++) {
    OdlStep *step = odl_planner_add_combine (b, item, level, bands[level], bands[level],
                                             &scaled[level]);
    step->rule = ODL_RULE_SUM;
    step->parameters.own[0] = odl_recipe_get (b->recipe, item, "base", 0);
    set_shares (b, item, level, "gains", step->parameters.own);
  }
}
