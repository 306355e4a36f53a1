// SPDX-License-Identifier: MIT
// ā f + b̄, where of every square, with mean m and variance v, a = v / (v + eps) and
// b = (1 − a) m, and ā and b̄ are their means over the squares that f is in: K. He, J.
// Sun, X. Tang, "Guided image filtering", IEEE Transactions on Pattern Analysis and
// Machine Intelligence 35 (2013), equations 5, 6 and 8, where the picture is its own
// guide. Squares are mirrored at the borders instead of cut.
//
// Of the variance there is no difference of two means, which single precision would leave
// little of: it has a step, and means are those of `box`. Sums of two pictures are
// twice their MIX, which is why products are doubled.
#include "plan/local.h"

static const OdlParameter parameters[] = {
  { NUMBER ("eps",
            N_ ("Smoothed variance"),
            N_ ("of full scale, squared"),
            0,
            0.2,
            0.0005),
    .default_value = 0.01 },
  { INTEGER ("radius", N_ ("Radius"), N_ ("pixels"), 1, ODL_PLAN_MAX_SIDE / 2),
    .default_value = 4, .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_guided = {
  SPATIAL_FILTER (GUIDED, "guided"),
  .label = N_ ("Guided"),
  .description = N_ ("Smooths what varies little, and leaves edges without a seam."),
  PARAMETERS (parameters),
};

enum { EPS, INVERSE };

// With a `side`, a of the square; without, twice the product of both pictures, or with
// `inverse` of the first one and of 1 less the second one.
const OdlStepRow odl_step_guided = {
  SPATIAL_STEP ("guided"),
  .square = true,
  .amplifies = true,
  .fields = { ODL_STEP_STRUCTURE (side, INT), ODL_STEP_VALUE ("eps", EPS),
              ODL_STEP_VALUE ("inverse", INVERSE) },
};

static OdlStep *
add (OdlPlanner *b, int item, OdlStepKind kind, int first, int second)
{
  const int out = odl_planner_add_slot_like (b, first, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, kind, first, out, item);

  step->reads[1] = second;
  return step;
}

static int
plan_product (OdlPlanner *b, int item, int first, int second, bool inverse)
{
  OdlStep *step = add (b, item, ODL_STEP_GUIDED, first, second);

  step->parameters.values[INVERSE] = inverse;
  return step->writes;
}

void
odl_plan_guided (OdlPlanner *b, int item)
{
  const int side = 1 + 2 * (int) odl_recipe_get (b->recipe, item, "radius", 0);
  const int mean = odl_plan_box_mean (b, item, side, b->picture);
  OdlStep *gains = add (b, item, ODL_STEP_GUIDED, b->picture, ODL_PLAN_NO_SLOT);
  const int a = gains->writes;

  gains->side = side;
  gains->parameters.values[EPS] = odl_recipe_get (b->recipe, item, "eps", 0);
  const int rest
      = odl_plan_box_mean (b, item, side, plan_product (b, item, mean, a, true));
  const int gain = odl_plan_box_mean (b, item, side, a);
  const int product = plan_product (b, item, b->picture, gain, false);
  OdlStep *sum = add (b, item, ODL_STEP_MIX, product, rest);
  sum->parameters.weight = 0.5;
  b->picture = sum->writes;
}
