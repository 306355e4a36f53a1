// SPDX-License-Identifier: MIT
// Illumination and texture: T. Wong et al., "Discrete wavelet transform on consumer-level
// graphics hardware", IEEE Transactions on Multimedia 9 (2007), section VII-B.
#include "plan/planner.h"

// At least so much of what the low band looks at counts as picture.
#define LEAST_INSIDE 0.1

// What rounding leaves of black.
#define LEAST_BLACK 1e-4

static double
black_of (const OdlPlanner *b)
{
  return MAX (odl_planner_black (b), LEAST_BLACK);
}

static int
plan_grey (OdlPlanner *b, int item)
{
  const OdlSlot *own = &g_array_index (b->slots, OdlSlot, b->picture);

  if (own->channels == 1)
    return b->picture;
  const int grey = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LUMA, b->picture, grey, item);
  odl_geometry_luma_weights (&b->geometry, step->parameters.weights);
  return grey;
}

// The slot with the low band of the picture, as if there were nothing around it: what is
// black counts neither as light nor as place.
static int
plan_illumination (OdlPlanner *b, int item, int levels)
{
  const int original = b->picture;
  const int grey = plan_grey (b, item);
  const int inside = odl_planner_add_slot_like (b, grey, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_INSIDE, grey, inside, item);

  step->parameters.tolerance = black_of (b);
  const int place = odl_plan_low_band (b, item, levels, inside);
  b->picture = odl_plan_low_band (b, item, levels, original);
  step = odl_planner_add_picture_step (b, ODL_STEP_DIVIDE, item);
  step->reads[1] = place;
  step->parameters.least = LEAST_INSIDE;
  const int illumination = b->picture;
  b->picture = original;
  return illumination;
}

void
odl_plan_decouple (OdlPlanner *b, int item)
{
  const int levels = odl_planner_levels (b, item);
  const int illumination = plan_illumination (b, item, levels);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_DECOUPLE, item);
  OdlStepParameters *own = &step->parameters;

  step->reads[1] = illumination;
  own->illumination = odl_recipe_get (b->recipe, item, "illumination", 0);
  own->texture = odl_recipe_get (b->recipe, item, "texture", 0);
  own->brightness = odl_recipe_get (b->recipe, item, "brightness", 0);
  own->least = odl_recipe_get (b->recipe, item, "least", 0);
  own->tolerance = black_of (b);
  b->divides = true;
}
