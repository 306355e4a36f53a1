// SPDX-License-Identifier: MIT
// How measured thresholds are planned.
#include <math.h>

#include "filter/measure.h"
#include "plan/numbers.h"
#include "plan/planner.h"
#include "plan/trough.h"

static int
add_mask (OdlPlanner *b, int item, int level, int read)
{
  const int channels = g_array_index (b->slots, OdlSlot, b->origin).channels;
  const int mask = odl_planner_add_slot (
      b, ODL_SLOT_MASK, level, odl_level_size (b->geometry.width, level),
      odl_level_size (b->geometry.height, level), channels);
  if (b->volumetric)
    g_array_index (b->slots, OdlSlot, mask).depth
        = odl_level_size (b->geometry.depth, level);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_MASK, read, mask, item);

  step->level = level;
  step->parameters.tolerance = level == 0 ? odl_planner_black (b) : 0;
  return mask;
}

// `wavelet` NULL: of the dual tree.
static void
set_gains (OdlStep *step, const OdlWavelet *wavelet, int level)
{
  step->level = level;
  for (OdlDetailBand band = 0; band < ODL_DETAIL_BANDS; band++)
    step->parameters.gains[band] = wavelet != NULL
                                       ? odl_noise_gain_of_band (wavelet, level, band)
                                       : odl_noise_gain_of_dual_band (level, band);
}

static OdlFoundThreshold
threshold_of (const OdlPlanner *b, int item)
{
  switch (b->recipe->items[item].filter->kind) {
  case ODL_FILTER_SURE_SHRINK:
    return ODL_FIND_SURE;
  case ODL_FILTER_VISU_SHRINK:
  case ODL_FILTER_NEIGH_SHRINK:
    return ODL_FIND_UNIVERSAL;
  default:
    return ODL_FIND_BAYES;
  }
}

// Of all slices together. The window's cards are for the bands of pictures.
static int
add_numbers_of_all (OdlPlanner *b, int width)
{
  const int slot = odl_planner_add_numbers (b, width, 1, !b->volumetric);

  g_array_index (b->slots, OdlSlot, slot).depth = 1;
  return slot;
}

// Of the details in slot `read`: a level's, or band number `band`.
static int
add_bayes (OdlPlanner *b, int item, int level, int read, int band, int mask, int noise)
{
  const int n = band > 0 ? 1 : b->volumetric ? ODL_DETAIL_OCTANTS : ODL_DETAIL_BANDS;
  const int numbers = add_numbers_of_all (b, n * ODL_BAND_NUMBERS);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_BAYES, read, numbers, item);

  step->band = band;
  step->rule = (int) threshold_of (b, item);
  step->reads[1] = mask;
  step->reads[2] = noise;
  set_gains (step, odl_recipe_item_wavelet (&b->recipe->items[item]), level);
  return numbers;
}

void
odl_plan_measures (OdlPlanner *b,
                   int item,
                   int levels,
                   bool pictures,
                   const int bands[][ODL_BANDS],
                   int numbers[][ODL_BANDS])
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&b->recipe->items[item]);
  const int channels = g_array_index (b->slots, OdlSlot, b->origin).channels;
  const int sides = odl_planner_add_numbers (b, ODL_SIDES, channels, false);
  const int first = pictures ? 1 : 0, last = pictures ? ODL_BANDS - 1 : 0;

  odl_planner_add_step (b, ODL_STEP_SIDES, b->origin, sides, item);
  int mask = add_mask (b, item, 0, b->origin);
  g_array_index (b->steps, OdlStep, b->steps->len - 1).reads[1] = sides;
  const int noise = add_numbers_of_all (b, ODL_NOISE_NUMBERS);
  for (int level = 1; level <= levels; level++) {
    mask = add_mask (b, item, level, mask);
    if (level == 1) {
      OdlStep *step
          = odl_planner_add_step (b, ODL_STEP_NOISE, bands[1][last], noise, item);
      step->band = last;
      step->reads[1] = mask;
      step->parameters.sigma = odl_recipe_get (b->recipe, item, "sigma", 0);
      set_gains (step, wavelet, 1);
    }
    for (int band = first; band <= last; band++)
      numbers[level][band]
          = add_bayes (b, item, level, bands[level][band], band, mask, noise);
  }
}

// HH at every sample, of which NOISE of a decimated transform has every fourth.
static int
add_finest (OdlPlanner *b, int item, const OdlWavelet *wavelet)
{
  int read = b->picture;

  for (int axis = ODL_AXIS_X; axis <= ODL_AXIS_Y; axis++) {
    const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);
    OdlStep *step
        = odl_planner_add_step (b, ODL_STEP_STATIONARY_FORWARD, read, out, item);
    step->axis = (OdlAxis) axis;
    step->level = step->band = 1;
    step->wavelet = wavelet;
    step->border = ODL_BORDER_WHOLE_SAMPLE;
    g_array_index (b->slots, OdlSlot, out).details = true;
    read = out;
  }
  return read;
}

int
odl_plan_noise (OdlPlanner *b, int item)
{
  const OdlWavelet *wavelet = odl_wavelet_find ("cdf97");
  const int channels = g_array_index (b->slots, OdlSlot, b->origin).channels;
  const int sides = odl_planner_add_numbers (b, ODL_SIDES, channels, false);

  odl_planner_add_step (b, ODL_STEP_SIDES, b->origin, sides, item);
  int mask = add_mask (b, item, 0, b->origin);
  g_array_index (b->steps, OdlStep, b->steps->len - 1).reads[1] = sides;
  mask = add_mask (b, item, 1, mask);
  const int finest = add_finest (b, item, wavelet);
  const int noise = add_numbers_of_all (b, ODL_NOISE_NUMBERS);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_NOISE, finest, noise, item);
  step->band = ODL_BANDS - 1;
  step->reads[1] = mask;
  step->parameters.sigma = ODL_VALUE_AUTO;
  set_gains (step, wavelet, 1);
  return noise;
}

// Bone and what else absorbs X-rays is shown bright, whichever way it is stored.
static bool
keeps_low (const OdlPlanner *b, int item)
{
  const OdlKeptSide side = (OdlKeptSide) odl_recipe_get (b->recipe, item, "side", 0);

  return side == ODL_KEEP_AUTO ? b->geometry.low_is_bright : side == ODL_KEEP_LOW;
}

// Whole numbers and floats are the same for every engine.
static double
edge_for (const OdlPlanner *b, int item, double unit)
{
  const double threshold = odl_recipe_get (b->recipe, item, "threshold", 0);

  if (threshold == ODL_VALUE_AUTO)
    return -1;
  return unit > 0 ? floor (threshold / unit + 0.5) : (double) (float) threshold;
}

void
odl_plan_trough (OdlPlanner *b, int item, double unit)
{
  const int most = 256 << (2 * (int) odl_recipe_get (b->recipe, item, "bins", 0));
  const bool low = keeps_low (b, item);

  if (odl_recipe_item_dimensions (&b->recipe->items[item]) > 2 && b->geometry.depth == 1)
    odl_planner_note_flat (b);
  b->volumetric = b->geometry.depth > 1;
  const int numbers
      = add_numbers_of_all (b, ODL_TROUGH_HISTOGRAM + odl_trough_bins (most, unit).count);

  OdlStep *step = odl_planner_add_step (b, ODL_STEP_TROUGH, b->picture, numbers, item);
  step->bins = most;
  step->parameters.low = low;
  step->parameters.smoothing = (int) odl_recipe_get (b->recipe, item, "smoothing", 0);
  step->parameters.share = odl_recipe_get (b->recipe, item, "share", 0);
  step->parameters.unit = unit;
  step->parameters.edge = edge_for (b, item, unit);
  b->cuts = true;
  step = odl_planner_add_picture_step (b, ODL_STEP_CUT, item);
  step->reads[1] = numbers;
  step->parameters.low = low;
  step->parameters.unit = unit;
}
