// SPDX-License-Identifier: MIT
// How filters of the dual tree's coefficients are planned.
#include <glib/gi18n-lib.h>

#include "plan/planner.h"

// A step that writes a picture of the size that `across` and `down` levels have.
static OdlStep *
add (OdlPlanner *b,
     OdlStepKind kind,
     OdlAxis axis,
     int read,
     int across,
     int down,
     int item)
{
  const OdlSlot from = g_array_index (b->slots, OdlSlot, read);
  const int out = odl_planner_add_slot (
      b, ODL_SLOT_PICTURE, MAX (across, down), odl_dual_size (b->geometry.width, across),
      odl_dual_size (b->geometry.height, down), from.channels);
  OdlStep *step = odl_planner_add_step (b, kind, read, out, item);

  g_array_index (b->slots, OdlSlot, out).details = from.details;
  step->axis = axis;
  step->level = MAX (across, down);
  return step;
}

static int
plan_band (OdlPlanner *b, OdlAxis axis, int level, int read, int band, int item)
{
  const int down = axis == ODL_AXIS_X ? level - 1 : level;
  OdlStep *step = add (b, ODL_STEP_DUAL_FORWARD, axis, read, level, down, item);

  step->band = band;
  g_array_index (b->slots, OdlSlot, step->writes).details |= band == 1;
  return step->writes;
}

// A step that leaves of a band what its gains say.
static OdlStep *
add_shrink (OdlPlanner *b, int item, int level, int *band, double gain)
{
  OdlStep *step = add (b, ODL_STEP_DUAL_SHRINK, ODL_AXIS_NONE, *band, level, level, item);

  step->parameters.gains[0] = step->parameters.gains[1] = gain;
  *band = step->writes;
  return step;
}

// `numbers`: the slot with the measured threshold, or none.
static void
plan_shrink (OdlPlanner *b, int item, int level, int band, int *slot, int numbers)
{
  OdlStep *step = add_shrink (b, item, level, slot, 1);

  step->reads[1] = numbers;
  odl_planner_set_rule (b, item, step);
  if (numbers != ODL_PLAN_NO_SLOT)
    return;
  step->parameters.thresholds[0] = odl_planner_threshold (b, item, level, band - 1);
  step->parameters.thresholds[1]
      = odl_planner_falling_threshold (b, item, level, band - 1);
}

static bool
is_bivariate (const OdlPlanner *b, int item)
{
  return b->recipe->items[item].filter->kind == ODL_FILTER_BIVARIATE;
}

static int
plan_bivariate (OdlPlanner *b, int item, int level, int band, int read, int parent)
{
  OdlStep *step
      = add (b, ODL_STEP_DUAL_BIVARIATE, ODL_AXIS_NONE, read, level, level, item);
  const OdlParameter *sigma
      = odl_filter_parameter (b->recipe->items[item].filter, "sigma");
  const double gain = odl_planner_noise_gain (b, item, NULL, level, band - 1);

  step->reads[1] = parent;
  step->side = 3 + 2 * (int) odl_recipe_get (b->recipe, item, "window", 0);
  step->parameters.sigma
      = gain
        * odl_parameter_usual (sigma, 0, odl_recipe_get (b->recipe, item, "sigma", 0));
  step->parameters.weight = odl_planner_parent_weight (b, item, NULL, level, band - 1);
  return step->writes;
}

static void
plan_scale (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS])
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlParameter *falling = odl_filter_parameter (own->filter, "falling-gains");

  for (int level = 1; level <= levels; level++)
    for (int band = 1; band < ODL_BANDS; band++) {
      const int i = ODL_DETAIL_BANDS * (level - 1) + band - 1;
      const double rising = odl_recipe_item_followed (own, falling, i);
      const double other = odl_recipe_get (b->recipe, item, falling->key, i);
      OdlStep *step = add_shrink (b, item, level, &bands[level][band], rising);
      step->parameters.gains[1] = other == ODL_VALUE_AUTO ? rising : other;
    }
  add_shrink (b, item, levels, &bands[levels][0],
              odl_recipe_get (b->recipe, item, "base", 0));
}

// Of all levels but, for bivariate shrinkage, the coarsest one, which has no parents.
static void
plan_filter (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS])
{
  const bool measured = odl_planner_measures (b, item);
  int numbers[ODL_MAX_LEVELS + 1][ODL_BANDS];

  if (b->recipe->items[item].filter->kind == ODL_FILTER_SCALE_BANDS) {
    plan_scale (b, item, levels, bands);
    return;
  }
  if (measured)
    odl_plan_measures (b, item, levels, true, (const int (*)[ODL_BANDS]) bands, numbers);
  for (int level = 1; level <= levels; level++)
    for (int band = 1; band < ODL_BANDS; band++)
      if (!is_bivariate (b, item))
        plan_shrink (b, item, level, band, &bands[level][band],
                     measured ? numbers[level][band] : ODL_PLAN_NO_SLOT);
      else if (level < levels)
        bands[level][band] = plan_bivariate (b, item, level, band, bands[level][band],
                                             bands[level + 1][band]);
}

static void
plan_level (OdlPlanner *b, int item, int level, int approximation, int bands[ODL_BANDS])
{
  for (int right = 0; right < 2; right++) {
    const int half = plan_band (b, ODL_AXIS_X, level, approximation, right, item);
    for (int below = 0; below < 2; below++)
      bands[right + 2 * below] = plan_band (b, ODL_AXIS_Y, level, half, below, item);
  }
}

static int
plan_sum (OdlPlanner *b, OdlAxis axis, int level, int low, int high, int item)
{
  const int across = axis == ODL_AXIS_X ? level - 1 : level;
  OdlStep *step = add (b, ODL_STEP_DUAL_INVERSE, axis, low, across, level - 1, item);

  step->reads[1] = high;
  step->level = level;
  return step->writes;
}

// The direction that the recipe asks for alone is put at the top left, where there is
// room for all of it: in its place among the others lines of odd length have none for the
// last coefficient.
static void
plan_place (OdlPlanner *b, int item, int level, int band, bool falling, int read)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_DUAL_PLACE, item);

  step->reads[1] = read;
  step->level = level;
  step->band = band;
  step->rule = (band > 0 && falling ? ODL_PLACE_FALLING : 0)
               | (b->recipe->direction != 0 ? ODL_PLACE_ALONE : 0);
}

// As OdlDetails has them.
static void
plan_places (OdlPlanner *b, int item, int levels, bool falling, int bands[][ODL_BANDS])
{
  const int alone = b->recipe->direction / ODL_DETAIL_BANDS;

  odl_planner_set_approximation (b, levels);
  if (alone > 0 && alone <= levels) {
    const int band = 1 + b->recipe->direction % ODL_DETAIL_BANDS;
    plan_place (b, item, alone, band, falling, bands[alone][band]);
    b->details = (OdlDetails){ .levels = 1, .alone = alone };
  } else if (alone == 0) {
    for (int level = 1; level <= levels; level++)
      for (int band = level == levels ? 0 : 1; band < ODL_BANDS; band++)
        plan_place (b, item, level, band, falling, bands[level][band]);
  }
  b->details.directions = falling ? -1 : 1;
}

// Zeros in the place of all but the filtered details of the level that the view shows.
static void
keep_level (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS])
{
  const int kept = odl_planner_kept_level (b, levels);

  for (int level = 1; level <= levels; level++)
    for (int band = level == levels ? 0 : 1; band < ODL_BANDS; band++)
      if (level != kept || band == 0)
        add_shrink (b, item, level, &bands[level][band], 0);
}

void
odl_plan_dual_tree (OdlPlanner *b, int item, int levels, OdlViewKind view)
{
  bool acts[ODL_RECIPE_MAX_FILTERS] = { false };

  acts[item] = true;
  odl_planner_dual_tree (b, item, levels, view, acts);
}

void
odl_planner_dual_tree (OdlPlanner *b,
                       int item,
                       int levels,
                       OdlViewKind view,
                       const bool acts[])
{
  int bands[ODL_MAX_LEVELS + 1][ODL_BANDS];

  b->dual = true;
  bands[0][0] = b->picture;
  for (int level = 1; level <= levels; level++)
    plan_level (b, item, level, bands[level - 1][0], bands[level]);
  for (int i = 0; i < b->recipe->n_items
                  && (odl_view_is_filtered (view) || !odl_view_is_analysis (view));
       i++)
    if (acts[i])
      plan_filter (b, i, levels, bands);
  int approximation = bands[levels][0];
  if (odl_view_is_analysis (view)) {
    odl_planner_note (b, odl_view_is_falling (view)
                             ? _ ("the view shows the magnitudes of the dual tree in "
                                  "directions −75°, −15° and −45°")
                             : _ ("the view shows the magnitudes of the dual tree in "
                                  "directions +75°, +15° and +45°; the views falling and "
                                  "filtered-falling have the other ones"));
    plan_places (b, item, levels, odl_view_is_falling (view), bands);
    return;
  }
  if (odl_view_level (view) > 0) {
    keep_level (b, item, levels, bands);
    approximation = bands[levels][0];
  }
  for (int level = levels; level >= 1; level--) {
    const int *own = bands[level];
    const int low = plan_sum (b, ODL_AXIS_Y, level, approximation, own[2], item);
    const int high = plan_sum (b, ODL_AXIS_Y, level, own[1], own[3], item);
    approximation = plan_sum (b, ODL_AXIS_X, level, low, high, item);
  }
  b->picture = approximation;
}
