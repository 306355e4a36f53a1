// SPDX-License-Identifier: MIT
#include "engine/gl/fragment/halves.h"

#include "engine/gl/compiler.h"
#include "plan/flow.h"
#include "plan/group.h"

// Source, bands and result of colours come to 3.646 images for three levels, and to less
// than 3.667, but for rounding, for any number.
#define STRIPS 3
#define STRIPS_OF_MANY_LEVELS 4
#define MANY_LEVELS 4

bool
odl_gl_is_scratch (const OdlPlan *plan, int slot, int step)
{
  const int reader = odl_plan_group_reader (plan, step);
  const bool bands = plan->slots[slot].kind == ODL_SLOT_BANDS;

  for (int i = step; i < plan->n_steps; i++) {
    const OdlStep *later = &plan->steps[i];
    if (odl_step_reads (later, slot))
      return false;
    // Steps other than synthesis write the flat form of a picture.
    if (later->writes == slot && (bands || later->kind == ODL_STEP_INVERSE))
      return i > reader;
  }
  return false;
}

// A step that replaces another one reads what that one reads.
static bool
stays (const OdlPlan *plan, int slot, int step)
{
  const int writer = odl_plan_last_writer (plan, slot, step);

  if (odl_plan_last_writer (plan, slot, plan->n_steps) != writer)
    return false;
  return writer < 0 || !odl_plan_is_fused_threshold (plan, writer)
         || stays (plan, plan->steps[writer].reads[0], writer);
}

// Whether the inputs of `step` still exist at the end, or can be drawn again.
static bool
can_be_repeated (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];

  for (int r = 0; r < 3; r++)
    if (own->reads[r] != ODL_PLAN_NO_SLOT && !stays (plan, own->reads[r], step))
      return false;
  return true;
}

static bool
is_seen (const OdlPlan *plan, int step)
{
  return odl_plan_last_writer (plan, plan->steps[step].writes, plan->n_steps) == step;
}

bool
odl_gl_must_stay (const OdlPlan *plan, int step)
{
  return is_seen (plan, step) && !can_be_repeated (plan, step);
}

int
odl_gl_strip_rows (const OdlPlan *plan, int step, int strips_from, int rows)
{
  const OdlStep *own = &plan->steps[step];

  // Analysis along y would need rows of the adjacent strips.
  if (own->kind != ODL_STEP_INVERSE)
    return rows;
  const OdlGroup group = odl_plan_group (plan, own->group);
  const OdlSlot *finest = &plan->slots[plan->steps[group.level[0].inverse_x].writes];
  const int finest_rows = (finest->height + 1) / 2;
  const int strips = group.levels < MANY_LEVELS ? STRIPS : STRIPS_OF_MANY_LEVELS;
  if ((double) finest->width * finest->height * finest->channels < strips_from)
    return rows;
  return MIN (rows, (finest_rows + strips - 1) / strips);
}

// Whether synthesis along y (`step`) has read, of the coarser result in the same rows,
// what it needs before a strip is written over it.
static bool
reads_in_time (const OdlPlan *plan, int step, int strips_from)
{
  const OdlStep *own = &plan->steps[step];
  const int height = plan->slots[own->writes].height;
  const int rows = (height + 1) / 2;
  const int strip = odl_gl_strip_rows (plan, step, strips_from, rows);
  OdlGlKernel kernel;

  odl_gl_kernel_init (&kernel, own, height);
  const OdlGlTapRange range = odl_gl_kernel_range (&kernel);
  const int reach = MAX (-range.first, range.first + range.count - 1);
  // With a periodic border the topmost strip depends on the bottom rows.
  return strip == rows || reach < (own->border == ODL_BORDER_PERIODIC ? 1 : strip);
}

int
odl_gl_alias_slot (const OdlPlan *plan, int step, int strips_from)
{
  const OdlStep *own = &plan->steps[step];

  if (own->kind != ODL_STEP_INVERSE || own->axis != ODL_AXIS_X || own->level == 1)
    return ODL_PLAN_NO_SLOT;
  const OdlGroup group = odl_plan_group (plan, own->group);
  const int finest = plan->steps[group.level[0].inverse_x].writes;
  const int along_y = group.level[own->level - 1].inverse_y;
  return odl_gl_is_scratch (plan, finest, step)
                 && reads_in_time (plan, odl_plan_group_reader (plan, step), strips_from)
                 && (!is_seen (plan, step) || can_be_repeated (plan, along_y))
             ? finest
             : ODL_PLAN_NO_SLOT;
}
