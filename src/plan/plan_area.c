// SPDX-License-Identifier: MIT
// Filters that change a part of the picture only: f inside, what came outside.
#include <glib/gi18n-lib.h>

#include "image/area.h"
#include "plan/planner.h"

static int
load (OdlPlanner *b, OdlImage *mask)
{
  const int slot = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LOAD, ODL_PLAN_NO_SLOT, slot, -1);

  step->input = ++b->n_operands;
  step->parameters.operand = mask;
  return slot;
}

// 0 where `mask` is.
static int
keep (OdlPlanner *b, int picture, int mask)
{
  const int slot = odl_planner_add_slot_like (b, picture, ODL_SLOT_PICTURE, 0);

  odl_planner_add_step (b, ODL_STEP_KEEP, picture, slot, -1)->reads[1] = mask;
  return slot;
}

void
odl_plan_area (OdlPlanner *b, int source)
{
  OdlImage *inside = odl_operands_find (b->geometry.operands, ODL_AREA_INSIDE);
  OdlImage *outside = odl_operands_find (b->geometry.operands, ODL_AREA_OUTSIDE);

  if (inside == NULL || outside == NULL || b->picture == source)
    return;
  const OdlExtent extent = odl_image_info (inside)->extent;
  if (b->geometry.depth > 1 || extent.x != b->geometry.width
      || extent.y != b->geometry.height) {
    odl_planner_note (b, _ ("everywhere: the ultrasound region is that of a picture of "
                            "another size"));
    return;
  }
  const int kept = keep (b, source, load (b, outside));
  const int filtered = keep (b, b->picture, load (b, inside));
  const int out = odl_planner_add_slot_like (b, source, ODL_SLOT_PICTURE, 0);
  odl_planner_add_step (b, ODL_STEP_ADD, filtered, out, -1)->reads[1] = kept;
  b->picture = out;
}
