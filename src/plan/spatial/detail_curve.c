// SPDX-License-Identifier: MIT
// A rule drawn by hand, for details inside a transform: sign (x) T c (|x| / T), where the
// curve c goes through (0, 0) and straight from point to point of 1/2, 1, 3/2, 2 and 3
// thresholds T, and beyond rises as x does. Above x it enhances. T = 0 changes nothing.
#include <glib/gi18n-lib.h>

#include "filter/inside.h"
#include "plan/spatial.h"

#define POINT(name, title, value, place) \
  { \
    NUMBER (name, title, N_ ("thresholds"), 0, 6, 0.05), \
        .default_value = (value), .tacit = true, .offset = (place) \
  }

static const OdlParameter parameters[] = {
  { NUMBER ("threshold", N_ ("Threshold"), N_ ("of full scale"), 0, 1, 0.001),
    .default_value = 0.05 },
  POINT ("half", N_ ("½ becomes"), 0, 1),
  POINT ("one", N_ ("1 becomes"), 0.25, 2),
  POINT ("more", N_ ("1½ becomes"), 1.25, 3),
  POINT ("two", N_ ("2 becomes"), 2, 4),
  POINT ("three", N_ ("3 becomes"), 3, 5),
};

const OdlFilter odl_filter_detail_curve = {
  SPATIAL_FILTER (DETAIL_CURVE, "detail-curve"),
  .label = N_ ("Curve for details"),
  .description = N_ ("Makes of each detail what a curve drawn by hand says, inside a "
                     "transform."),
  PARAMETERS (parameters),
};

enum { THRESHOLD, HALF, ONE, MORE, TWO, THREE };

const OdlStepRow odl_step_detail_curve = {
  SPATIAL_STEP ("detail-curve"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("threshold", THRESHOLD), ODL_STEP_VALUE ("half", HALF),
              ODL_STEP_VALUE ("one", ONE), ODL_STEP_VALUE ("more", MORE),
              ODL_STEP_VALUE ("two", TWO), ODL_STEP_VALUE ("three", THREE) },
};

void
odl_plan_detail_curve (OdlPlanner *b, int item)
{
  if (odl_recipe_transform_around (b->recipe, item) < 0) {
    odl_planner_note (
        b, _ ("without “detail-curve”: it only works between “transform” and “inverse”"));
    return;
  }
  double *values
      = odl_planner_add_picture_step (b, ODL_STEP_DETAIL_CURVE, item)->parameters.values;
  for (size_t i = 0; i < G_N_ELEMENTS (parameters); i++)
    values[i] = odl_recipe_get (b->recipe, item, parameters[i].key, 0);
}
