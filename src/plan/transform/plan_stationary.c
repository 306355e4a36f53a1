// SPDX-License-Identifier: MIT
// How filters of the stationary transform's coefficients are planned.
#include <glib/gi18n-lib.h>

#include "plan/planner.h"

static OdlStep *
add_stationary (OdlPlanner *b,
                OdlStepKind kind,
                OdlAxis axis,
                int level,
                int read,
                int item)
{
  const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, kind, read, out, item);

  step->axis = axis;
  step->level = level;
  step->wavelet = odl_recipe_item_wavelet (&b->recipe->items[item]);
  step->border = b->border;
  return step;
}

// The slot with one band along one axis of slot `read`.
static int
plan_band (OdlPlanner *b, OdlAxis axis, int level, int read, int band, int item)
{
  OdlStep *step
      = add_stationary (b, ODL_STEP_STATIONARY_FORWARD, axis, level, read, item);
  OdlSlot *slots = (OdlSlot *) (void *) b->slots->data;

  step->band = band;
  slots[step->writes].details = slots[read].details || band == 1;
  return step->writes;
}

// All four bands of a level, in the order of PLACE. The step that computes a band also
// shrinks it, which saves reading and writing it again.
static void
plan_stationary_level (OdlPlanner *b,
                       int item,
                       int level,
                       int approximation,
                       bool filters,
                       int bands[ODL_BANDS])
{
  for (int right = 0; right < 2; right++) {
    const int half = plan_band (b, ODL_AXIS_X, level, approximation, right, item);
    for (int below = 0; below < 2; below++) {
      const int band = right + 2 * below;
      bands[band] = plan_band (b, ODL_AXIS_Y, level, half, below, item);
      OdlStep *step = &g_array_index (b->steps, OdlStep, b->steps->len - 1);
      if (filters && band > 0) {
        odl_planner_set_rule (b, item, step);
        step->parameters.threshold = odl_planner_threshold (b, item, level, band - 1);
      }
    }
  }
}

static int
plan_sum (OdlPlanner *b, OdlAxis axis, int level, int low, int high, int item)
{
  OdlStep *step = add_stationary (b, ODL_STEP_STATIONARY_INVERSE, axis, level, low, item);

  step->reads[1] = high;
  g_array_index (b->slots, OdlSlot, step->writes).details
      = g_array_index (b->slots, OdlSlot, low).details;
  return step->writes;
}

// Along y, then x: the reverse order of analysis.
int
odl_planner_stationary_sum (OdlPlanner *b,
                            int item,
                            int level,
                            const int bands[ODL_BANDS])
{
  const int low = plan_sum (b, ODL_AXIS_Y, level, bands[0], bands[2], item);
  const int high = plan_sum (b, ODL_AXIS_Y, level, bands[1], bands[3], item);

  return plan_sum (b, ODL_AXIS_X, level, low, high, item);
}

static void
plan_place (OdlPlanner *b, int item, int level, int band, int read)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_PLACE, item);

  step->reads[1] = read;
  step->level = level;
  step->band = band;
}

void
odl_planner_stationary_level (OdlPlanner *b,
                              int item,
                              int level,
                              int approximation,
                              int bands[ODL_BANDS])
{
  plan_stationary_level (b, item, level, approximation, false, bands);
}

// A step that shrinks a detail band, which becomes the shrunk one.
static OdlStep *
add_shrink (OdlPlanner *b, int item, int *band)
{
  const int out = odl_planner_add_slot_like (b, *band, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SHRINK, *band, out, item);

  g_array_index (b->slots, OdlSlot, out).details = true;
  *band = out;
  return step;
}

void
odl_planner_stationary_shrink (OdlPlanner *b,
                               int item,
                               int levels,
                               int bands[][ODL_BANDS])
{
  b->parts = true;
  for (int level = 1; level <= levels; level++)
    for (int band = 1; band < ODL_BANDS; band++) {
      OdlStep *step = add_shrink (b, item, &bands[level][band]);
      odl_planner_set_rule (b, item, step);
      step->parameters.threshold = odl_planner_threshold (b, item, level, band - 1);
    }
}

// The details of all levels, shrunk by thresholds that are measured.
void
odl_planner_stationary_measured (OdlPlanner *b,
                                 int item,
                                 int levels,
                                 int bands[][ODL_BANDS])
{
  int numbers[ODL_MAX_LEVELS + 1][ODL_BANDS];

  b->shrinks = true;
  odl_plan_measures (b, item, levels, true, (const int (*)[ODL_BANDS]) bands, numbers);
  for (int level = 1; level <= levels; level++)
    for (int band = 1; band < ODL_BANDS; band++) {
      OdlStep *step = add_shrink (b, item, &bands[level][band]);
      step->reads[1] = numbers[level][band];
      if (b->recipe->items[item].filter->kind == ODL_FILTER_NEIGH_SHRINK) {
        step->level = level;
        step->side = odl_planner_window (b, item);
      }
    }
}

void
odl_planner_stationary_scale (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS])
{
  for (int level = 1; level <= levels; level++)
    for (int band = 1; band < ODL_BANDS; band++)
      bands[level][band]
          = odl_planner_gain (b, item, bands[level][band],
                              odl_recipe_get (b->recipe, item, "gains",
                                              ODL_DETAIL_BANDS * (level - 1) + band - 1));
  bands[levels][0] = odl_planner_scale_base (b, item, bands[levels][0]);
}

static void
plan_view (OdlPlanner *b, int item, int level, int levels, const int bands[ODL_BANDS])
{
  for (int band = level == levels ? 0 : 1; band < ODL_BANDS; band++)
    plan_place (b, item, level, band, bands[band]);
}

// Whether the recipe asks for one band alone, and there is one.
static bool
wants_one (const OdlPlanner *b, int levels)
{
  const int level = b->recipe->band / ODL_BANDS, band = b->recipe->band % ODL_BANDS;

  return level >= 1 && level <= levels && (band > 0 || level == levels);
}

// All samples of it.
static void
show_one (OdlPlanner *b, const int bands[][ODL_BANDS])
{
  const int level = b->recipe->band / ODL_BANDS, band = b->recipe->band % ODL_BANDS;

  b->picture = bands[level][band];
  b->band = b->recipe->band;
  b->details = band > 0 ? (OdlDetails){ .levels = 1, .alone = level } : ODL_NO_DETAILS;
}

static void
note_view (OdlPlanner *b, int levels)
{
  odl_planner_note (b, _ ("the stationary transform keeps every coefficient; of level n "
                          "the view shows every 2ⁿ-th one along either side"));
  odl_planner_set_approximation (b, levels);
}

void
odl_planner_stationary_view (OdlPlanner *b,
                             int item,
                             int levels,
                             const int bands[][ODL_BANDS])
{
  if (wants_one (b, levels)) {
    show_one (b, bands);
    return;
  }
  for (int level = 1; level <= levels; level++)
    plan_view (b, item, level, levels, bands[level]);
  note_view (b, levels);
}

void
odl_planner_stationary_keep (OdlPlanner *b, int item, int levels, int bands[][ODL_BANDS])
{
  const int kept = odl_planner_kept_level (b, levels);

  for (int level = 1; level <= levels; level++)
    for (int band = level == levels ? 0 : 1; band < ODL_BANDS; band++)
      if (level != kept || band == 0)
        bands[level][band] = odl_planner_gain (b, item, bands[level][band], 0);
}

void
odl_plan_stationary (OdlPlanner *b, int item, int levels, OdlViewKind view)
{
  const bool scales = b->recipe->items[item].filter->kind == ODL_FILTER_SCALE_BANDS;
  // What is not done by the steps of analysis.
  const bool later
      = (odl_planner_measures (b, item) || scales) && view != ODL_VIEW_ANALYSIS;
  const bool one = odl_view_is_analysis (view) && wants_one (b, levels);
  int bands[ODL_MAX_LEVELS + 1][ODL_BANDS] = { 0 };
  int approximation = b->picture;

  for (int level = 1; level <= levels; level++) {
    plan_stationary_level (b, item, level, approximation,
                           view != ODL_VIEW_ANALYSIS && !later, bands[level]);
    approximation = bands[level][0];
    if (odl_view_is_analysis (view) && !later && !one)
      plan_view (b, item, level, levels, bands[level]);
  }
  if (later && scales)
    odl_planner_stationary_scale (b, item, levels, bands);
  else if (later)
    odl_planner_stationary_measured (b, item, levels, bands);
  approximation = bands[levels][0];
  if (one) {
    show_one (b, (const int (*)[ODL_BANDS]) bands);
    return;
  }
  for (int level = 1; level <= levels && odl_view_is_analysis (view) && later; level++)
    plan_view (b, item, level, levels, bands[level]);
  if (odl_view_is_analysis (view)) {
    note_view (b, levels);
    return;
  }
  if (odl_view_level (view) > 0) {
    odl_planner_stationary_keep (b, item, levels, bands);
    approximation = bands[levels][0];
  }
  for (int level = levels; level >= 1; level--) {
    bands[level][0] = approximation;
    approximation = odl_planner_stationary_sum (b, item, level, bands[level]);
  }
  b->picture = approximation;
}
