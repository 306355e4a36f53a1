// SPDX-License-Identifier: MIT
// The least or the greatest of the side² samples about each, along one axis and then the
// other: exact. J. Serra, "Image analysis and mathematical morphology" (1982).
#include "plan/spatial.h"

static const char *const operations[]
    = { N_ ("erode"), N_ ("dilate"), N_ ("open"), N_ ("close"), NULL };
static const OdlParameter parameters[] = {
  { CHOICE ("operation", N_ ("Operation"), "", operations) },
  { SIZE, .offset = 1 },
};

const OdlFilter odl_filter_morphology = {
  SPATIAL_FILTER (MORPHOLOGY, "morphology"),
  .label = N_ ("Morphology"),
  .description = N_ ("Removes bright or dark spots that are smaller than a square, or "
                     "makes dark or bright parts grow by it."),
  PARAMETERS (parameters),
};

enum { GREATEST };

const OdlStepRow odl_step_morphology = {
  SPATIAL_STEP ("morphology"),
  .keeps_whole = odl_step_always,
  .fields = { ODL_STEP_STRUCTURE (axis, INT), ODL_STEP_STRUCTURE (side, INT),
              ODL_STEP_VALUE ("greatest", GREATEST) },
};

static void
add (OdlPlanner *b, int item, bool greatest)
{
  for (OdlAxis axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_MORPHOLOGY, item);
    step->axis = axis;
    step->side = odl_spatial_side (b, item);
    step->parameters.values[GREATEST] = greatest;
  }
}

// Opening is eroding, then dilating; closing the other way round.
void
odl_plan_morphology (OdlPlanner *b, int item)
{
  const int operation = (int) odl_recipe_get (b->recipe, item, "operation", 0);
  const bool dilates_first = operation % 2 == 1;

  add (b, item, dilates_first);
  if (operation >= 2)
    add (b, item, !dilates_first);
}
