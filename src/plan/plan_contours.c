// SPDX-License-Identifier: MIT
// How active contours, and the mask that they give, are planned.
#include <glib/gi18n-lib.h>

#include "image/contour/contour.h"
#include "plan/planner.h"

// Lines of one sample in pictures up to so many along their longer side, and so on.
#define SAMPLES_OF_LINE 1000

// The last step of a kind so far; −1: there is none. Valid until the next one is added.
static int
last_of (const OdlPlanner *b, OdlStepKind kind)
{
  for (int i = (int) b->steps->len - 1; i >= 0; i--)
    if (g_array_index (b->steps, OdlStep, i).kind == kind)
      return i;
  return -1;
}

// What SNAKES found, drawn over the picture that slot `over` holds, or filled; a new
// slot.
static int
add_outline (OdlPlanner *b, int item, int over, int numbers, bool filled)
{
  const int out = odl_planner_add_slot_like (b, over, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_OUTLINE, over, out, item);

  step->reads[1] = numbers;
  step->parameters.filled = filled;
  step->parameters.thickness
      = 1 + MAX (b->geometry.width, b->geometry.height) / SAMPLES_OF_LINE;
  return out;
}

void
odl_plan_contours (OdlPlanner *b, int item)
{
  const int cut = last_of (b, ODL_STEP_CUT);
  const int numbers
      = odl_planner_add_numbers (b, odl_contour_numbers (b->geometry.height), 1, true);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SNAKES, b->picture, numbers, item);

  step->parameters.tension = odl_recipe_get (b->recipe, item, "tension", 0);
  step->parameters.rigidity = odl_recipe_get (b->recipe, item, "rigidity", 0);
  step->parameters.diffusion = odl_recipe_get (b->recipe, item, "reach", 0);
  step->parameters.smallest = odl_recipe_get (b->recipe, item, "smallest", 0);
  for (int i = 0; i < ODL_PULLS_VALUES; i++)
    step->parameters.pulls[i] = odl_recipe_get (b->recipe, item, "pulls", i);
  step->parameters.n_pulls = odl_pulls_count (step->parameters.pulls);
  if (cut >= 0) {
    const OdlStep *own = &g_array_index (b->steps, OdlStep, cut);
    step->reads[1] = own->reads[0];
    step->reads[2] = own->reads[1];
    step->parameters.low = own->parameters.low;
    step->parameters.unit = own->parameters.unit;
  }
  b->cuts = true;
  b->picture = add_outline (b, item, b->picture, numbers,
                            odl_recipe_get (b->recipe, item, "output", 0) != 0);
}

void
odl_plan_mask (OdlPlanner *b, int item)
{
  const int snakes = last_of (b, ODL_STEP_SNAKES), cut = last_of (b, ODL_STEP_CUT);
  int mask = ODL_PLAN_NO_SLOT;

  if (snakes >= 0)
    mask = add_outline (b, item, b->origin,
                        g_array_index (b->steps, OdlStep, snakes).writes, true);
  else if (cut >= 0)
    mask = g_array_index (b->steps, OdlStep, cut).writes;
  if (mask == ODL_PLAN_NO_SLOT) {
    odl_planner_note (b, _ ("without “mask”: neither contours nor a threshold stand "
                            "before it"));
    return;
  }
  b->cuts = true;
  const int out = odl_planner_add_slot_like (b, b->origin, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_KEEP, b->origin, out, item);
  step->reads[1] = mask;
  step->parameters.fill = b->geometry.low_is_bright;
  b->picture = out;
}
