// SPDX-License-Identifier: MIT
// Where the bands of a picture or volume of coefficients lie.
#include "plan/numbers.h"

bool
odl_plan_has_octants (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_LAYOUT
        && plan->slots[plan->steps[i].reads[1]].kind == ODL_SLOT_OCTANTS)
      return true;
  return false;
}

OdlDetails
odl_plan_details_at (const OdlPlan *plan, int z)
{
  const int depth = MAX (plan->geometry.depth, 1);
  OdlDetails details = plan->details;

  if (!odl_plan_has_octants (plan) || z < odl_level_size (depth, details.levels))
    return details;
  details.height = 0;
  while (details.levels > 1 && z >= odl_level_size (depth, details.levels - 1))
    details.levels--;
  details.width = odl_level_size (plan->geometry.width, details.levels);
  return details;
}

// The whole of the picture.
static bool
find_alone (const OdlPlan *plan, int level, int band, OdlBandPlace *found)
{
  const OdlSlot *slot = &plan->slots[plan->result];

  *found = (OdlBandPlace){ .name = odl_details_band_name (&ODL_NO_DETAILS, band),
                           .to = { slot->width, slot->height, 1 } };
  return plan->band == ODL_BANDS * level + band;
}

bool
odl_plan_find_band (const OdlPlan *plan, int level, int band, OdlBandPlace *found)
{
  const bool alone = plan->details.alone > 0 && plan->details.directions != 0;
  static const char *const names[ODL_OCTANTS]
      = { "LLL", "HLL", "LHL", "HHL", "LLH", "HLH", "LHH", "HHH" };
  const bool octants = odl_plan_has_octants (plan);
  if (plan->band != 0)
    return find_alone (plan, level, band, found);
  const int lengths[] = { plan->geometry.width, plan->geometry.height,
                          octants ? plan->geometry.depth : 1 };

  if (level < 1 || level > (alone ? plan->details.alone : plan->details.levels)
      || band < 0 || band >= (octants ? ODL_OCTANTS : ODL_BANDS)
      || (band == 0 && level < plan->details.levels)
      || (alone && (band == 0 || level < plan->details.alone)))
    return false;
  found->name = octants ? names[band] : odl_details_band_name (&plan->details, band);
  for (int axis = 0; axis < 3; axis++) {
    const int length = odl_level_size (lengths[axis], level - 1);
    const int low = odl_low_count (length);
    const bool high = (band >> axis & 1) != 0 && !alone;
    found->from[axis] = high ? low : 0;
    found->to[axis] = high ? length : low;
    if (found->from[axis] == found->to[axis])
      return false;
  }
  return true;
}
