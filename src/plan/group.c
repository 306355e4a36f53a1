// SPDX-License-Identifier: MIT
#include "plan/group.h"

static const OdlGroupLevel no_level = { -1, -1, -1, -1, -1 };

// The field of a level for such a step; NULL for steps other than the five.
static int *
member_of (OdlGroupLevel *level, const OdlStep *step)
{
  if (step->kind == ODL_STEP_THRESHOLD)
    return &level->threshold;
  if (step->axis == ODL_AXIS_Z)
    return NULL;
  if (step->kind == ODL_STEP_FORWARD)
    return step->axis == ODL_AXIS_X ? &level->forward_x : &level->forward_y;
  if (step->kind == ODL_STEP_INVERSE)
    return step->axis == ODL_AXIS_X ? &level->inverse_x : &level->inverse_y;
  return NULL;
}

OdlGroup
odl_plan_group (const OdlPlan *plan, int index)
{
  OdlGroup group = { .first = -1, .last = -1 };

  for (int l = 0; l < ODL_MAX_LEVELS; l++)
    group.level[l] = no_level;
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->group != index)
      continue;
    group.first = group.n_steps == 0 ? i : group.first;
    group.last = i;
    group.n_steps++;
    int *member
        = step->level > 0 ? member_of (&group.level[step->level - 1], step) : NULL;
    if (member == NULL)
      continue;
    *member = i;
    group.levels = MAX (group.levels, step->level);
  }
  return group;
}

// Steps besides the five of every level; −1: one of these is missing, or steps that are
// not of the group stand among its own.
static int
count_others (const OdlGroup *group)
{
  for (int l = 0; l < group->levels; l++) {
    const OdlGroupLevel *level = &group->level[l];
    if (level->forward_x < 0 || level->forward_y < 0 || level->threshold < 0
        || level->inverse_y < 0 || level->inverse_x < 0)
      return -1;
  }
  return group->levels > 0 && group->last - group->first + 1 == group->n_steps
             ? group->n_steps - 5 * group->levels
             : -1;
}

bool
odl_group_is_plain (const OdlGroup *group)
{
  return count_others (group) == 0;
}

bool
odl_group_is_measured (const OdlPlan *plan, const OdlGroup *group)
{
  const int others = count_others (group);
  int measures = 0;

  for (int i = group->first; others > 0 && i <= group->last; i++)
    measures += odl_step_class (&plan->steps[i]) == ODL_STEP_CLASS_MEASURE;
  return others > 0 && measures == others;
}

OdlGroupLevel
odl_plan_group_level (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];

  if (own->group < 0 || own->level < 1)
    return no_level;
  return odl_plan_group (plan, own->group).level[own->level - 1];
}

int
odl_plan_group_reader (const OdlPlan *plan, int step)
{
  const OdlStep *own = &plan->steps[step];

  if (own->group < 0 || own->level < 1)
    return -1;
  const OdlGroup group = odl_plan_group (plan, own->group);
  const OdlGroupLevel *level = &group.level[own->level - 1];
  if (step == level->forward_x)
    return level->forward_y;
  if (step == level->inverse_y)
    return level->inverse_x;
  return step == level->inverse_x && own->level > 1
             ? group.level[own->level - 2].inverse_y
             : -1;
}
