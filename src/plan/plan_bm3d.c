// SPDX-License-Identifier: MIT
// Blocks that look alike, of one frame or of several.
#include <string.h>

#include <glib/gi18n-lib.h>

#include "image/bm3d/time.h"
#include "plan/planner.h"

// Of noise that is not white; NULL: it is.
static void
set_correlations (OdlStep *step, const float *correlations)
{
  step->parameters.kernel = correlations;
  step->kernel_width = step->kernel_height = correlations != NULL ? ODL_BM3D_SIDE : 0;
  step->kernel_depth = correlations != NULL ? 1 : 0;
}

static int
frames_of (const OdlRecipe *recipe, int item)
{
  return 1 + 2 * (int) odl_recipe_get (recipe, item, "frames", 0);
}

OdlTimeReach
odl_plan_bm3d_reach (const OdlRecipe *recipe, int item)
{
  const int frames = frames_of (recipe, item);

  return (OdlTimeReach){ ODL_BM3D_AHEAD (frames), ODL_BM3D_PAST (frames), false };
}

static void
plan_in_time (OdlPlanner *b, int item, int frames, const float *correlations)
{
  const int past = ODL_BM3D_PAST (frames), ahead = ODL_BM3D_AHEAD (frames);
  const OdlTake take = odl_planner_take (b, past, ahead);
  const int own = b->picture;
  int reads[ODL_BM3D_MOST_SEEN] = { 0 };

  for (int i = 0; i <= past + ahead; i++)
    reads[i] = odl_planner_picture_in_take (b, item, own, i - past, take);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_BM3D_TIME, item);
  memcpy (step->reads, reads, (size_t) (past + 1 + ahead) * sizeof *reads);
  step->parameters.sigma = odl_recipe_get (b->recipe, item, "sigma", 0);
  step->parameters.values[0] = take.past;
  step->parameters.values[1] = take.ahead;
  set_correlations (step, correlations);
  step->rule = (int) odl_recipe_get (b->recipe, item, "effort", 0);
  step->side = frames;
}

static bool
is_white (const double profile[ODL_SPECTRUM_VALUES])
{
  for (int i = 0; i < ODL_SPECTRUM_VALUES; i++)
    if (profile[i] != 1)
      return false;
  return true;
}

// Both steps of a picture have the same numbers.
static const float *
add_correlations (OdlPlanner *b, int item)
{
  const OdlParameter *parameter
      = odl_filter_parameter (b->recipe->items[item].filter, "profile");
  double profile[ODL_SPECTRUM_VALUES];

  G_STATIC_ASSERT (ODL_SPECTRUM_VALUES == ODL_BM3D_COEFFICIENTS);
  for (int i = 0; i < ODL_SPECTRUM_VALUES; i++)
    profile[i] = odl_parameter_usual (parameter, i,
                                      odl_recipe_get (b->recipe, item, "profile", i));
  if (is_white (profile))
    return NULL;
  float *correlations = g_new (float, ODL_BM3D_COEFFICIENTS);
  odl_bm3d_correlations (profile, correlations);
  g_ptr_array_add (b->kernels, correlations);
  return correlations;
}

// The picture in which blocks are compared, where noise is not white.
static int
add_whitened (OdlPlanner *b, int item, const float *correlations)
{
  const int as_it_came = b->picture;

  if (correlations == NULL)
    return ODL_PLAN_NO_SLOT;
  float *kernel = g_new (float, ODL_BM3D_WHITENING *ODL_BM3D_WHITENING);
  odl_bm3d_whitening (correlations, kernel);
  g_ptr_array_add (b->kernels, kernel);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_CONVOLVE, item);
  step->kernel_width = step->kernel_height = step->side = ODL_BM3D_WHITENING;
  step->kernel_depth = 1;
  step->border = ODL_BORDER_WHOLE_SAMPLE;
  step->parameters.kernel = kernel;
  const int whitened = b->picture;
  b->picture = as_it_came;
  return whitened;
}

// What both steps of a picture know of its noise.
typedef struct {
  double sigma; // of no consequence where it is measured
  int numbers; // of NOISE; ODL_PLAN_NO_SLOT: it is not measured
  int whitened; // ODL_PLAN_NO_SLOT: the noise is white
  const float *correlations; // NULL: likewise
} Noise;

// The picture in opponent colours, or that in RGB.
static void
add_opponent (OdlPlanner *b, int item, bool back)
{
  odl_planner_add_picture_step (b, ODL_STEP_OPPONENT, item)->band = back;
}

// Whether all channels have the groups of the luma.
static bool
has_opponents (const OdlPlanner *b)
{
  return b->recipe->colour == ODL_COLOUR_OPPONENT
         && g_array_index (b->slots, OdlSlot, b->picture).channels == 3;
}

static void
set_noise (OdlStep *step, const Noise *noise)
{
  step->reads[2] = noise->whitened;
  step->reads[3] = noise->numbers;
  step->parameters.sigma = noise->sigma;
  set_correlations (step, noise->correlations);
}

bool
odl_plan_bm3d_measures (const OdlRecipeItem *item)
{
  return item->values[odl_filter_parameter (item->filter, "sigma")->offset]
         == ODL_VALUE_FRAME;
}

// Notes what it cannot do together.
static bool
is_refused (OdlPlanner *b, int item, bool in_time, bool is_white)
{
  if (in_time && odl_plan_bm3d_measures (&b->recipe->items[item]))
    odl_planner_note (b, _ ("without “bm3d”: sigma=each-frame is for frames=1"));
  else if (!is_white && odl_plan_bm3d_measures (&b->recipe->items[item]))
    odl_planner_note (b, _ ("without “bm3d”: sigma=each-frame is for white noise, and "
                            "it has a profile; measure σ once"));
  else
    return false;
  return true;
}

// Step two is guided by the result of step one.
static void
plan_picture (OdlPlanner *b, int item, const float *correlations)
{
  const int effort = (int) odl_recipe_get (b->recipe, item, "effort", 0);
  const bool measures = odl_plan_bm3d_measures (&b->recipe->items[item]);
  const bool opponents = has_opponents (b);
  Noise noise = {
    .sigma = measures ? 0 : odl_recipe_get (b->recipe, item, "sigma", 0),
    .numbers = measures ? odl_plan_noise (b, item) : ODL_PLAN_NO_SLOT,
    .correlations = correlations,
  };

  if (opponents)
    add_opponent (b, item, false);
  noise.whitened = add_whitened (b, item, correlations);
  const int as_it_came = b->picture;
  for (int pass = 0; pass < 2; pass++) {
    const int guide = b->picture;
    OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_BM3D, item);
    set_noise (step, &noise);
    step->rule = effort;
    step->band = opponents;
    step->reads[0] = as_it_came;
    step->reads[1] = pass == 1 ? guide : ODL_PLAN_NO_SLOT;
  }
  if (opponents)
    add_opponent (b, item, true);
}

void
odl_plan_bm3d (OdlPlanner *b, int item)
{
  const int frames = frames_of (b->recipe, item);
  const bool in_time = frames > 1 && odl_planner_time_count (b) > 1;
  const float *correlations = add_correlations (b, item);

  if (is_refused (b, item, in_time, correlations == NULL))
    return;
  if (in_time) {
    if (has_opponents (b))
      odl_planner_note (b, _ ("“bm3d” channel by channel: colour=opponent is for "
                              "frames=1"));
    plan_in_time (b, item, frames, correlations);
    return;
  }
  if (frames > 1)
    odl_planner_note (b, _ ("1 frame: several are for pictures that follow each other"));
  plan_picture (b, item, correlations);
}
