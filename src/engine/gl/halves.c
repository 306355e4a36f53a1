// SPDX-License-Identifier: MIT
#include "engine/gl/halves.h"

#include "engine/gl/compute_steps.h"

// Source, bands, result and coarser results come to 3.625 images for three levels, and to
// less than 3.667, but for rounding, for any number.
#define STRIPS 3
#define STRIPS_OF_MANY_LEVELS 4
#define MANY_LEVELS 4

bool
odl_gl_writes_half (const OdlStep *step)
{
  return (step->kind == ODL_STEP_FORWARD && step->axis == ODL_AXIS_X)
         || (step->kind == ODL_STEP_INVERSE && step->axis == ODL_AXIS_Y);
}

bool
odl_gl_is_room (const OdlPlan *plan, int slot, int step)
{
  const bool bands = plan->slots[slot].kind == ODL_SLOT_BANDS;

  for (int i = step; i < plan->n_steps; i++) {
    const OdlStep *later = &plan->steps[i];
    if (odl_step_reads (later, slot))
      return false;
    // Other steps than synthesis write the flat form of a picture.
    if (later->writes == slot && (bands || later->kind == ODL_STEP_INVERSE))
      return i > step + 1;
  }
  return false;
}

// What a step takes the place of reads what that one reads.
static bool
stays (const OdlPlan *plan, int slot, int step)
{
  const int writer = odl_gl_last_writer (plan, slot, step);

  if (odl_gl_last_writer (plan, slot, plan->n_steps) != writer)
    return false;
  return writer < 0 || !odl_gl_is_fused_threshold (plan, writer)
         || stays (plan, plan->steps[writer].reads[0], writer);
}

bool
odl_gl_must_stay (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];

  if (odl_gl_last_writer (plan, own->writes, plan->n_steps) != step)
    return false; // nobody sees it
  for (int r = 0; r < 3; r++)
    if (own->reads[r] != ODL_PLAN_NO_SLOT && !stays (plan, own->reads[r], step))
      return true;
  return false;
}

static int
levels_of (const OdlPlan *plan, int item)
{
  int levels = 0;

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].item == item)
      levels = MAX (levels, plan->steps[i].level);
  return levels;
}

int
odl_gl_strip_rows (const OdlPlan *plan, int step, int strips_from, int rows)
{
  const OdlStep *own = &plan->steps[step];
  const OdlSlot *slot = &plan->slots[own->writes];
  const int strips
      = levels_of (plan, own->item) < MANY_LEVELS ? STRIPS : STRIPS_OF_MANY_LEVELS;

  // Analysis along y would need rows of the strips beside.
  if (own->kind != ODL_STEP_INVERSE
      || (double) slot->width * slot->height * slot->channels < strips_from)
    return rows;
  return (rows + strips - 1) / strips;
}
