// SPDX-License-Identifier: MIT
// How far back in time the result of a plan depends on.
#include <math.h>

#include "plan/plan.h"

static bool
is_recursive (const OdlStep *step)
{
  return odl_step_row (step->kind)->recursive;
}

int
odl_plan_frames (const OdlPlan *plan)
{
  int frames = 1;

  g_return_val_if_fail (plan != NULL, 1);
  for (int i = 0; i < plan->n_steps; i++) {
    if (is_recursive (&plan->steps[i]))
      return 0;
    frames += MAX (plan->steps[i].frames - 1, 0);
  }
  return frames;
}

// Number of grey levels from 0 to 1.
static double
levels_of (const OdlGeometry *geometry)
{
  if (geometry->steps > 0)
    return geometry->steps;
  return geometry->bits <= 8 ? 255 : 65535;
}

// The least n with (1 − weight)ⁿ below `rest`.
static int
frames_until (double weight, double rest)
{
  return weight >= 1 ? 0 : (int) floor (log (rest) / log1p (-weight)) + 1;
}

int
odl_plan_lead_in (const OdlPlan *plan)
{
  int n_recursive = 0, frames = 0;

  g_return_val_if_fail (plan != NULL, 0);
  for (int i = 0; i < plan->n_steps; i++)
    n_recursive += is_recursive (&plan->steps[i]);
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (is_recursive (step))
      frames += frames_until (step->parameters.weight,
                              0.5 / levels_of (&plan->geometry) / n_recursive);
    else
      frames += MAX (step->frames - 1, 0);
  }
  return frames;
}

int64_t
odl_lead_in_begin (const OdlRecipe *recipe, const OdlGeometry *geometry, int64_t wanted)
{
  g_autoptr (OdlPlan) plan = odl_plan_new (recipe, geometry, NULL);

  return plan != NULL ? MAX (wanted - odl_plan_lead_in (plan), 0) : wanted;
}
