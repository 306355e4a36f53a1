// SPDX-License-Identifier: MIT
// Undoes the nearest “stabilise” before it that is not undone yet. The inverse function
// (algebraic) of a mean is not the mean of the inverse function: where noise was removed
// between both, the picture gets too dark. The unbiased return, with σ what the noise was
// between both (0 makes log and box-cox algebraic):
//
// anscombe, with D = N t: D²/4 + √(3/2)/4 D⁻¹ − 11/8 D⁻² + 5/8 √(3/2) D⁻³ − 1/8 photons,
// and none up to D = 2 √(3/8). M. Mäkitalo, A. Foi, "A closed-form approximation of the
// exact unbiased inverse of the Anscombe variance-stabilizing transformation", IEEE
// Transactions on Image Processing 20 (2011), pages 2697 to 2698.
//
// log: the mean of a log-normal distribution, e^(s²/2) times as much, where s is σ times
// ln (1 + 1 / floor). J. Aitchison, J. Brown, "The lognormal distribution" (1957).
//
// box-cox: two terms of the Taylor series, t^(1/λ) + σ²/2 · (1/λ) (1/λ − 1) t^(1/λ − 2),
// the second one below σ in proportion to t.
#include <glib/gi18n-lib.h>

#include "plan/stabiliser.h"

static const char *const returns[] = { N_ ("unbiased"), N_ ("algebraic"), NULL };

static const OdlParameter parameters[] = {
  { CHOICE ("return", N_ ("Return"), "", returns), .tacit = true },
  { NUMBER ("noise", N_ ("Noise (σ)"), N_ ("of full scale"), 0, 0.5, 0.001),
    .measurable = true, .tacit = true, .offset = 1 },
};

const OdlFilter odl_filter_restore = {
  SPATIAL_FILTER (RESTORE, "restore"),
  .label = N_ ("Restore"),
  .description = N_ ("Undoes “stabilise”, after the filters between both."),
  PARAMETERS (parameters),
};

// −1: there is none.
static int
find_open (const OdlRecipe *recipe, int item)
{
  int closed = 0;

  for (int i = item - 1; i >= 0; i--) {
    const OdlRecipeItem *before = &recipe->items[i];
    if (!odl_recipe_item_acts (before))
      continue;
    if (before->filter->kind == ODL_FILTER_RESTORE)
      closed++;
    else if (before->filter->kind == ODL_FILTER_STABILISE && closed-- == 0)
      return i;
  }
  return -1;
}

void
odl_plan_restore (OdlPlanner *b, int item)
{
  const bool algebraic = odl_recipe_get (b->recipe, item, "return", 0) != 0;
  const int open = find_open (b->recipe, item);

  if (open < 0) {
    odl_planner_note (b, _ ("without “restore”: no “stabilise” stands before it"));
    return;
  }
  OdlStep *step = odl_plan_stabiliser (
      b, item, open, algebraic ? ODL_STABILISE_ALGEBRAIC : ODL_STABILISE_UNBIASED);
  step->parameters.values[ODL_STABILISER_NOISE]
      = algebraic ? 0 : MAX (odl_recipe_get (b->recipe, item, "noise", 0), 0);
}
