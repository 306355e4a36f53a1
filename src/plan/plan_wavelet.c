// SPDX-License-Identifier: MIT
// How filters of wavelet coefficients are planned.
#include <math.h>

#include <glib/gi18n-lib.h>

#include "plan/planner.h"

// The border that the recipe asks for, or the wavelet's own.
static OdlBorder
border_for (const OdlRecipe *recipe, const OdlWavelet *wavelet)
{
  if (recipe->border == ODL_BORDER_AUTO)
    return wavelet->border;
  const OdlBorder wanted = (OdlBorder) (recipe->border - 1);
  return (wavelet->borders & 1u << wanted) != 0 ? wanted : wavelet->border;
}

// The step between two values that the samples can take, so that those of 12 bits come
// back as they were, too; float samples count as 16 bits.
static double
quantum_of (const OdlGeometry *geometry)
{
  if (geometry->steps > 0)
    return 1.0 / geometry->steps;
  return 1 / (ldexp (1, MIN (geometry->bits, 16)) - 1);
}

static void
plan_transform_step (OdlPlanner *b,
                     OdlStepKind kind,
                     OdlAxis axis,
                     int level,
                     int read,
                     int details,
                     int write,
                     int item)
{
  OdlStep *step = odl_planner_add_step (b, kind, read, write, item);

  step->axis = axis;
  step->level = level;
  step->reads[1] = details;
  step->wavelet = odl_recipe_item_wavelet (&b->recipe->items[item]);
  step->border = border_for (b->recipe, step->wavelet);
  step->quantum = step->wavelet->reversible ? quantum_of (&b->geometry) : 0;
}

static void
plan_forward (OdlPlanner *b, int item, int levels, int bands[])
{
  int read = b->picture;

  for (int level = 1; level <= levels; level++) {
    const int half = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_HALF, level);
    bands[level] = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_BANDS, level);
    plan_transform_step (b, ODL_STEP_FORWARD, ODL_AXIS_X, level, read, ODL_PLAN_NO_SLOT,
                         half, item);
    plan_transform_step (b, ODL_STEP_FORWARD, ODL_AXIS_Y, level, half, ODL_PLAN_NO_SLOT,
                         bands[level], item);
    read = bands[level];
  }
}

// Details that equal a hard threshold are common: those of whole samples lie on a grid,
// and thresholds are round numbers. Each engine would round some of them up and others
// down, and a kept one differs from a lost one by all that it is. So the limit lies
// a little beyond what rounding errors reach; what equals the threshold is lost.
#define BEYOND_TIES 2e-6

static double
limit_of (double threshold, bool hard)
{
  return hard && threshold > 0 ? threshold + BEYOND_TIES : threshold;
}

static double
threshold_of (const OdlPlanner *b, int item, int level, int band)
{
  const bool each = b->recipe->items[item].filter->kind == ODL_FILTER_SHRINKAGE;
  const char *key = each ? "thresholds" : "threshold";
  const int i = each ? ODL_DETAIL_BANDS * (level - 1) + band : 0;

  return odl_parameter_usual (odl_filter_parameter (b->recipe->items[item].filter, key),
                              i, odl_recipe_get (b->recipe, item, key, i));
}

static void
plan_thresholds (OdlPlanner *b, int item, int levels, const int bands[], int filtered[])
{
  const OdlFilterKind kind = b->recipe->items[item].filter->kind;

  for (int level = 1; level <= levels; level++) {
    filtered[level] = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_BANDS, level);
    OdlStep *step = odl_planner_add_step (b, ODL_STEP_THRESHOLD, bands[level],
                                          filtered[level], item);
    step->level = level;
    step->parameters.hard = kind == ODL_FILTER_HARD_THRESHOLD;
    for (int band = 0; band < ODL_DETAIL_BANDS; band++)
      step->parameters.thresholds[band]
          = limit_of (threshold_of (b, item, level, band), step->parameters.hard);
  }
}

static void
plan_inverse (OdlPlanner *b,
              int item,
              int levels,
              const int bands[],
              const int filtered[])
{
  int approximation = bands[levels];

  for (int level = levels; level >= 1; level--) {
    const int half = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_HALF, level);
    const int out
        = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_PICTURE, level - 1);
    plan_transform_step (b, ODL_STEP_INVERSE, ODL_AXIS_Y, level, approximation,
                         filtered[level], half, item);
    plan_transform_step (b, ODL_STEP_INVERSE, ODL_AXIS_X, level, half, ODL_PLAN_NO_SLOT,
                         out, item);
    approximation = out;
  }
  b->picture = approximation;
}

static void
plan_layout (OdlPlanner *b, int item, int levels, const int bands[], const int details[])
{
  const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);

  for (int level = levels; level >= 1; level--) {
    OdlStep *step = odl_planner_add_step (
        b, ODL_STEP_LAYOUT, level == levels ? bands[level] : ODL_PLAN_NO_SLOT, out, item);
    step->reads[1] = details[level];
    step->level = level;
  }
  b->picture = out;
  b->approx_width = odl_level_size (b->geometry.width, levels);
  b->approx_height = odl_level_size (b->geometry.height, levels);
}

static void
note_wavelet (OdlPlanner *b, const OdlWavelet *wavelet)
{
  const OdlBorder border = border_for (b->recipe, wavelet);

  if (b->recipe->border != ODL_BORDER_AUTO
      && border != (OdlBorder) (b->recipe->border - 1))
    odl_planner_note (b, _ ("border “%s”: “%s” is not for the wavelet %s"),
                      odl_border_names[border + 1], odl_border_names[b->recipe->border],
                      wavelet->label);
  b->reversible |= wavelet->reversible;
}

// A text may have other than one threshold for each level; a single one stands for all.
static void
note_thresholds (OdlPlanner *b, int item, int levels)
{
  const int n = b->recipe->items[item].n_given;

  if (n > 1 && n < levels)
    odl_planner_note (
        b, _ ("%d thresholds for %d levels: the last one stands for the others"), n,
        levels);
  else if (n > levels)
    odl_planner_note (
        b, _ ("%d thresholds were given: those beyond level %d are dropped"), n, levels);
}

void
odl_plan_wavelet (OdlPlanner *b, int item)
{
  const bool last = item == odl_recipe_last_wavelet_item (b->recipe);
  const OdlViewKind view = last ? b->recipe->view : ODL_VIEW_SYNTHESIS;
  const int wanted = (int) odl_recipe_get (b->recipe, item, "levels", 0);
  const int possible = odl_max_levels (b->geometry.width, b->geometry.height);
  const int levels = MIN (wanted, possible);
  int bands[ODL_MAX_LEVELS + 1] = { 0 };
  int filtered[ODL_MAX_LEVELS + 1] = { 0 };

  if (levels < wanted)
    odl_planner_note (b, _ ("%d of %d levels: the image of %d × %d pixels has no more"),
                      levels, wanted, b->geometry.width, b->geometry.height);
  note_thresholds (b, item, wanted);
  if (levels == 0) // one pixel
    return;
  note_wavelet (b, odl_recipe_item_wavelet (&b->recipe->items[item]));
  plan_forward (b, item, levels, bands);
  if (view == ODL_VIEW_ANALYSIS) {
    plan_layout (b, item, levels, bands, bands);
    return;
  }
  plan_thresholds (b, item, levels, bands, filtered);
  if (view == ODL_VIEW_FILTERED_ANALYSIS)
    plan_layout (b, item, levels, bands, filtered);
  else
    plan_inverse (b, item, levels, bands, filtered);
}
