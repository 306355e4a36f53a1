// SPDX-License-Identifier: MIT
#include "filter/own/own.h"
#include "plan/plan.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "filter/inside.h"
#include "filter/strength.h"
#include "image/area.h"
#include "image/contour/contour.h"
#include "plan/flow.h"
#include "plan/planner.h"
#include "plan/scan.h"
#include "plan/spatial.h"

// Filters that change a part of the picture only: f inside, what came outside.

static int
load (OdlPlanner *b, OdlImage *mask)
{
  const int slot = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LOAD, ODL_PLAN_NO_SLOT, slot, -1);

  step->input = ++b->n_operands;
  step->parameters.operand = mask;
  return slot;
}

// 0 where `mask` is.
static int
keep (OdlPlanner *b, int picture, int mask)
{
  const int slot = odl_planner_add_slot_like (b, picture, ODL_SLOT_PICTURE, 0);

  odl_planner_add_step (b, ODL_STEP_KEEP, picture, slot, -1)->reads[1] = mask;
  return slot;
}

// Puts what came, slot `source`, around the current picture where the geometry's operands
// say which part of it filters may change (image/area.h).
static void
odl_plan_area (OdlPlanner *b, int source)
{
  OdlImage *inside = odl_operands_find (b->geometry.operands, ODL_AREA_INSIDE);
  OdlImage *outside = odl_operands_find (b->geometry.operands, ODL_AREA_OUTSIDE);

  if (inside == NULL || outside == NULL || b->picture == source)
    return;
  const OdlExtent extent = odl_image_info (inside)->extent;
  if (b->geometry.depth > 1 || extent.x != b->geometry.width
      || extent.y != b->geometry.height) {
    odl_planner_note (b, _ ("everywhere: the ultrasound region is that of a picture of "
                            "another size"));
    return;
  }
  const int kept = keep (b, source, load (b, outside));
  const int filtered = keep (b, b->picture, load (b, inside));
  const int out = odl_planner_add_slot_like (b, source, ODL_SLOT_PICTURE, 0);
  odl_planner_add_step (b, ODL_STEP_ADD, filtered, out, -1)->reads[1] = kept;
  b->picture = out;
}

// How active contours, and the mask that they give, are planned.

// Lines of one sample in pictures up to so many along their longer side, and so on.
#define SAMPLES_OF_LINE 1000

// The last step of a kind so far; −1: there is none. Valid until the next one is added.
static int
last_of (const OdlPlanner *b, OdlStepKind kind)
{
  for (int i = (int) b->steps->len - 1; i >= 0; i--)
    if (g_array_index (b->steps, OdlStep, i).kind == kind)
      return i;
  return -1;
}

// What SNAKES found, drawn over the picture that slot `over` holds, or filled; a new
// slot.
static int
add_outline (OdlPlanner *b, int item, int over, int numbers, bool filled)
{
  const int out = odl_planner_add_slot_like (b, over, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_OUTLINE, over, out, item);

  step->reads[1] = numbers;
  step->parameters.filled = filled;
  step->parameters.thickness
      = 1 + MAX (b->geometry.width, b->geometry.height) / SAMPLES_OF_LINE;
  return out;
}

void
odl_plan_contours (OdlPlanner *b, int item)
{
  const int cut = last_of (b, ODL_STEP_CUT);
  const int numbers
      = odl_planner_add_numbers (b, odl_contour_numbers (b->geometry.height), 1, true);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SNAKES, b->picture, numbers, item);

  step->parameters.tension = odl_recipe_get (b->recipe, item, "tension", 0);
  step->parameters.rigidity = odl_recipe_get (b->recipe, item, "rigidity", 0);
  step->parameters.diffusion = odl_recipe_get (b->recipe, item, "reach", 0);
  step->parameters.smallest = odl_recipe_get (b->recipe, item, "smallest", 0);
  for (int i = 0; i < ODL_PULLS_VALUES; i++)
    step->parameters.pulls[i] = odl_recipe_get (b->recipe, item, "pulls", i);
  step->parameters.n_pulls = odl_pulls_count (step->parameters.pulls);
  if (cut >= 0) {
    const OdlStep *own = &g_array_index (b->steps, OdlStep, cut);
    step->reads[1] = own->reads[0];
    step->reads[2] = own->reads[1];
    step->parameters.low = own->parameters.low;
    step->parameters.unit = own->parameters.unit;
  }
  b->cuts = true;
  b->picture = add_outline (b, item, b->picture, numbers,
                            odl_recipe_get (b->recipe, item, "output", 0) != 0);
}

void
odl_plan_mask (OdlPlanner *b, int item)
{
  const int snakes = last_of (b, ODL_STEP_SNAKES), cut = last_of (b, ODL_STEP_CUT);
  int mask = ODL_PLAN_NO_SLOT;

  if (snakes >= 0)
    mask = add_outline (b, item, b->origin,
                        g_array_index (b->steps, OdlStep, snakes).writes, true);
  else if (cut >= 0)
    mask = g_array_index (b->steps, OdlStep, cut).writes;
  if (mask == ODL_PLAN_NO_SLOT) {
    odl_planner_note (b, _ ("without “mask”: neither contours nor a threshold stand "
                            "before it"));
    return;
  }
  b->cuts = true;
  const int out = odl_planner_add_slot_like (b, b->origin, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_KEEP, b->origin, out, item);
  step->reads[1] = mask;
  step->parameters.fill = b->geometry.low_is_bright;
  b->picture = out;
}

static OdlStepParameters *
plan_temporal (OdlPlanner *b, OdlStepKind kind, int frames, int item)
{
  OdlStep *step = odl_planner_add_picture_step (b, kind, item);

  step->frames = frames;
  b->temporal = true;
  return &step->parameters;
}

static void
plan_recursive (OdlPlanner *b, int item)
{
  plan_temporal (b, ODL_STEP_RECURSIVE, 2, item)->weight
      = odl_recipe_get (b->recipe, item, "weight", 0);
}

// Of level p: the noise of a still picture is that of the mean of 2 p + 1 frames, since a
// recursion leaves w / (2 − w) of its variance.
static void
plan_persistence (OdlPlanner *b, int item)
{
  OdlStepParameters *parameters = plan_temporal (b, ODL_STEP_PERSISTENCE, 2, item);

  parameters->weight = 1 / (1 + odl_recipe_get (b->recipe, item, "level", 0));
  parameters->threshold = odl_recipe_get (b->recipe, item, "threshold", 0);
  parameters->radius = 1 + (int) odl_recipe_get (b->recipe, item, "neighbourhood", 0);
}

static void
plan_window (OdlPlanner *b, int item)
{
  const bool median = b->recipe->items[item].filter->kind == ODL_FILTER_SLIDING_MEDIAN;

  plan_temporal (b, median ? ODL_STEP_TEMPORAL_MEDIAN : ODL_STEP_MEAN,
                 3 + 2 * (int) odl_recipe_get (b->recipe, item, "frames", 0), item);
}

static void
plan_register (OdlPlanner *b, int item)
{
  static const char *const names[] = { "smoothing", "iterations", "scales" };
  const bool deep = odl_recipe_item_dimensions (&b->recipe->items[item]) > 2;

  if (deep && b->geometry.depth == 1)
    odl_planner_note_flat (b);
  if (odl_plan_operand_depth (b->recipe, item, &b->geometry) > b->geometry.depth)
    return;
  const int reference = odl_planner_add_operand (b, item);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_REGISTER, item);

  step->reads[1] = reference;
  step->rule = (int) odl_recipe_get (b->recipe, item, "output", 0);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    step->parameters.values[i] = odl_recipe_get (b->recipe, item, names[i], 0);
}

static void
plan_trough (OdlPlanner *b, int item)
{
  odl_plan_trough (b, item, odl_planner_whole_unit (b));
}

// Those of transforms are planned with them.
static void
plan_inverse (OdlPlanner *b, int item)
{
  odl_planner_note (b, _ ("without “inverse”: no “transform” stands before it"));
}

typedef void (*PlanFunction) (OdlPlanner *b, int item);

static const PlanFunction plan_functions[ODL_N_FILTER_KINDS] = {
  [ODL_FILTER_TROUGH_THRESHOLD] = plan_trough,
  [ODL_FILTER_CONTOURS] = odl_plan_contours,
  [ODL_FILTER_MASK] = odl_plan_mask,
  [ODL_FILTER_DECOUPLE] = odl_plan_decouple,
  [ODL_FILTER_STYLISE] = odl_plan_wavelet,
  [ODL_FILTER_SCALE_BANDS] = odl_plan_wavelet,
  [ODL_FILTER_SOFT_THRESHOLD] = odl_plan_wavelet,
  [ODL_FILTER_HARD_THRESHOLD] = odl_plan_wavelet,
  [ODL_FILTER_SHRINKAGE] = odl_plan_wavelet,
  [ODL_FILTER_BAYES_SHRINK] = odl_plan_wavelet,
  [ODL_FILTER_SURE_SHRINK] = odl_plan_wavelet,
  [ODL_FILTER_VISU_SHRINK] = odl_plan_wavelet,
  [ODL_FILTER_NEIGH_SHRINK] = odl_plan_wavelet,
  [ODL_FILTER_BIVARIATE] = odl_plan_wavelet,
  [ODL_FILTER_TRANSFORM] = odl_plan_transform,
  [ODL_FILTER_INVERSE] = plan_inverse,
  [ODL_FILTER_BM3D] = odl_plan_bm3d,
  [ODL_FILTER_REGISTER] = plan_register,
  [ODL_FILTER_STRUCTURE_TENSOR] = odl_plan_structure_tensor,
  [ODL_FILTER_ADAPTIVE] = odl_plan_adaptive,
  [ODL_FILTER_RECURSIVE_AVERAGE] = plan_recursive,
  [ODL_FILTER_SLIDING_MEAN] = plan_window,
  [ODL_FILTER_SLIDING_MEDIAN] = plan_window,
  [ODL_FILTER_PERSISTENCE] = plan_persistence,
#define FUNCTION(NAME, name) [ODL_FILTER_##NAME] = odl_plan_##name
  ODL_SPATIAL_FILTERS (FUNCTION),
};

// Of whole pictures.
static bool
measures (const OdlRecipeItem *item)
{
  const OdlFilterKind kind = item->filter->kind;

  return (odl_filter_finds_thresholds (item->filter)
          && odl_recipe_item_dimensions (item) < 3)
         || kind == ODL_FILTER_CONTOURS || kind == ODL_FILTER_CLAHE
         || (kind == ODL_FILTER_BM3D && odl_plan_bm3d_measures (item))
         || ((kind == ODL_FILTER_TROUGH_THRESHOLD || kind == ODL_FILTER_REGISTER)
             && odl_recipe_item_dimensions (item) < 3);
}

// Time steps of a kernel that item `item` convolves with, at most.
static int
kernel_duration (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  const OdlFilterKind kind = recipe->items[item].filter->kind;

  if (kind == ODL_FILTER_STRUCTURE_TENSOR || kind == ODL_FILTER_ADAPTIVE)
    return odl_plan_tensor_duration (recipe, item);
  return odl_plan_convolve_duration (recipe, item, geometry);
}

// What item `item` looks at.
static OdlTimeReach
reach_of (const OdlRecipe *recipe, int item, const OdlGeometry *geometry)
{
  if (!odl_recipe_item_acts (&recipe->items[item])
      || odl_recipe_item_dimensions (&recipe->items[item]) < 4)
    return (OdlTimeReach){ 0 };
  const OdlFilterKind kind = recipe->items[item].filter->kind;
  if (kind == ODL_FILTER_BM3D)
    return odl_plan_bm3d_reach (recipe, item);
  const int half = kernel_duration (recipe, item, geometry) / 2;
  const bool wraps
      = half > 0 && kind == ODL_FILTER_CONVOLVE && odl_plan_convolve_wraps (recipe, item);
  return (OdlTimeReach){ half, half, wraps };
}

// Of the filters before `end`.
static OdlTimeReach
reach_before (const OdlRecipe *recipe, int end, const OdlGeometry *geometry)
{
  OdlTimeReach reach = { 0 };

  for (int i = 0; i < end; i++) {
    const OdlTimeReach own = reach_of (recipe, i, geometry);
    if (reach.past + own.past > ODL_PLAN_MOST_REACH)
      continue;
    reach.ahead += own.ahead;
    reach.past += own.past;
    reach.wraps |= own.wraps;
  }
  return reach;
}

OdlTimeReach
odl_plan_time_reach (const OdlRecipe *recipe, const OdlGeometry *geometry)
{
  return reach_before (recipe, recipe->n_items, geometry);
}

// Whether a filter behind item `item` looks at later frames.
static bool
looks_ahead_after (const OdlRecipe *recipe, int item)
{
  for (int i = item + 1; i < recipe->n_items; i++)
    if (odl_recipe_item_acts (&recipe->items[i])
        && odl_recipe_item_dimensions (&recipe->items[i]) > 3)
      return true;
  return false;
}

// Code that is written for volumes knows nothing of pictures.
static bool
takes_volumes_alone (const OdlRecipeItem *item)
{
  return item->filter->kind == ODL_FILTER_PYTHON && odl_recipe_item_acts (item)
         && odl_recipe_item_dimensions (item) > 2;
}

// Notes when filter `item` has no place in this plan.
static bool
is_left_out (OdlPlanner *b, int item)
{
  const OdlFilter *filter = b->recipe->items[item].filter;
  const bool temporal = filter->domain == ODL_DOMAIN_TEMPORAL;
  const char *lack = odl_scan_lack (b->recipe, item, &b->geometry);

  if (lack != NULL)
    odl_planner_note (b, "%s", lack);
  else if (takes_volumes_alone (&b->recipe->items[item]) && b->geometry.depth == 1)
    odl_planner_note (b,
                      _ ("without “%s”: with “dimensions=3” it takes all slices of a "
                         "volume at once"),
                      filter->name);
  else if (b->geometry.depth > 1 && temporal && !b->geometry.in_time)
    odl_planner_note (b,
                      _ ("without “%s”: a filter in 3 dimensions sees all slices at "
                         "once, and there is no time"),
                      filter->name);
  else if (b->geometry.depth > 1 && odl_filter_finds_thresholds (filter)
           && odl_recipe_item_dimensions (&b->recipe->items[item]) == 3
           && odl_recipe_item_transform (&b->recipe->items[item])
                  != ODL_TRANSFORM_DECIMATED)
    odl_planner_note (
        b, _ ("without “%s”: in 3 dimensions it measures the decimated transform alone"),
        filter->name);
  else if (b->geometry.depth > 1 && measures (&b->recipe->items[item]))
    odl_planner_note (b,
                      odl_filter_parameter (filter, "dimensions") != NULL
                          ? _ ("without “%s”: it measures pictures, and a filter in 3 "
                               "dimensions sees all slices at once; with “dimensions=3” "
                               "it measures volumes")
                          : _ ("without “%s”: it measures pictures, and a filter in 3 "
                               "dimensions sees all slices at once"),
                      filter->name);
  else if (temporal && looks_ahead_after (b->recipe, item))
    odl_planner_note (b,
                      _ ("without “%s”: a filter behind it looks at later frames; put it "
                         "behind that one"),
                      filter->name);
  else if (reach_before (b->recipe, item, &b->geometry).past
               + reach_of (b->recipe, item, &b->geometry).past
           > ODL_PLAN_MOST_REACH)
    odl_planner_note (b,
                      _ ("without “%s”: with it, filters would look at more than %d time "
                         "steps before and after each"),
                      filter->name, ODL_PLAN_MOST_REACH);
  else
    return false;
  return true;
}

static void
plan_item (OdlPlanner *b, int index)
{
  const OdlFilter *filter = b->recipe->items[index].filter;

  if (plan_functions[filter->kind] == NULL)
    g_error ("plan_functions in plan/plan.c has no row for the filter “%s”",
             filter->name);
  b->volumetric = false;
  plan_functions[filter->kind](b, index);
  odl_scan_pass (b->recipe, index, &b->geometry);
  // What “log-expand” takes apart is in decibels.
  if (filter->kind == ODL_FILTER_LOG_EXPAND && b->came_content == ODL_BEAMS_UNKNOWN)
    b->came_content = ODL_BEAMS_DECIBELS;
}

// The filters before `end`, one after the other; what is inside a transform with it.
static void
plan_items (OdlPlanner *b, int end)
{
  for (int i = 0; i < end; i++) {
    if (!odl_recipe_item_acts (&b->recipe->items[i]) || is_left_out (b, i))
      continue;
    plan_item (b, i);
    if (b->recipe->items[i].filter->kind == ODL_FILTER_TRANSFORM)
      i = odl_recipe_transform_end (b->recipe, i);
  }
}

// All filters; a view of one filter ends the chain there.
static void
plan_chain (OdlPlanner *b)
{
  b->origin = b->picture;
  plan_items (b, odl_view_is_within (b->recipe->view)
                     ? odl_recipe_last_wavelet_item (b->recipe) + 1
                     : b->recipe->n_items);
}

// Whether a filter puts samples elsewhere, so that colours have to follow.
static bool
moves (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if ((recipe->items[i].filter->kind == ODL_FILTER_REGISTER
         || recipe->items[i].filter->kind == ODL_FILTER_SCAN_CONVERT
         || recipe->items[i].filter->kind == ODL_FILTER_UNSCAN_CONVERT)
        && odl_recipe_item_acts (&recipe->items[i]))
      return true;
  return false;
}

static void
plan_luma_chain (OdlPlanner *b, int source)
{
  const int luma = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);

  OdlStep *weigh = odl_planner_add_step (b, ODL_STEP_LUMA, source, luma, -1);
  odl_geometry_luma_weights (&b->geometry, weigh->parameters.weights);
  b->picture = luma;
  b->luma = true;
  plan_chain (b);
  if (b->picture == luma) // nothing acted
    b->picture = source;
  if (b->picture == source || odl_view_is_within (b->recipe->view))
    return; // what the luma has is shown as it is

  const int out = odl_planner_add_slot_like (b, source, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_RECOMBINE, source, out, -1);
  step->reads[1] = luma;
  step->reads[2] = b->picture;
  b->picture = out;
}

static bool
slots_equal (const OdlSlot *a, const OdlSlot *b)
{
  return a->kind == b->kind && a->level == b->level && a->width == b->width
         && a->height == b->height && a->depth == b->depth && a->channels == b->channels
         && a->details == b->details && a->observed == b->observed
         && a->precision == b->precision;
}

// Reuses slots whose content is no longer read for later content of the same shape,
// except for the first slot (the original) and the result. Slots and steps are
// renumbered.
static void
reuse_slots (OdlPlanner *b)
{
  const int n = (int) b->slots->len;
  OdlStep *steps = (OdlStep *) (void *) b->steps->data;
  OdlSlot *slots = (OdlSlot *) (void *) b->slots->data;
  g_autofree int *last_read = g_new (int, n);
  g_autofree int *place = g_new (int, n); // old slot -> new slot
  g_autofree int *free_at = g_new0 (int, n); // new slot -> first step that may write it
  int n_places = 0;

  for (int i = 0; i < n; i++)
    last_read[i] = place[i] = -1;
  for (guint s = 0; s < b->steps->len; s++)
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (steps[s].reads[r] != ODL_PLAN_NO_SLOT)
        last_read[steps[s].reads[r]]
            = odl_steps_last_of_level (steps, (int) b->steps->len, (int) s);
  last_read[0] = last_read[b->picture] = G_MAXINT - 1;
  for (int i = 0; i < n; i++)
    if (slots[i].observed)
      last_read[i] = G_MAXINT - 1;

  g_autofree OdlSlot *kept = g_new (OdlSlot, n);
  for (guint s = 0; s < b->steps->len; s++) {
    const int written = steps[s].writes;
    if (place[written] >= 0)
      continue;
    int found = -1;
    for (int p = 0; p < n_places && found < 0; p++)
      if (free_at[p] <= (int) s && slots_equal (&kept[p], &slots[written]))
        found = p;
    if (found < 0) {
      found = n_places++;
      kept[found] = slots[written];
    }
    place[written] = found;
    free_at[found] = MAX (last_read[written], (int) s) + 1;
  }

  for (guint s = 0; s < b->steps->len; s++) {
    steps[s].writes = place[steps[s].writes];
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (steps[s].reads[r] != ODL_PLAN_NO_SLOT)
        steps[s].reads[r] = place[steps[s].reads[r]];
  }
  b->picture = place[b->picture];
  memcpy (slots, kept, n_places * sizeof *kept);
  g_array_set_size (b->slots, n_places);
}

// Numbers always have single precision. A step that multiplies rounding errors
// (sharpening by 1: up to 17 times) needs it in its result, in its input and in
// everything from which that was computed; inputs of one step have the same precision. So
// all full-size pictures of such a plan have single precision.
static void
set_precisions (OdlPlanner *b, int precision)
{
  bool amplifies = false;

  for (guint s = 0; s < b->steps->len; s++)
    amplifies |= odl_step_row (g_array_index (b->steps, OdlStep, s).kind)->amplifies;
  for (guint i = 0; i < b->slots->len; i++) {
    OdlSlot *slot = &g_array_index (b->slots, OdlSlot, i);
    const bool full = slot->kind == ODL_SLOT_PICTURE && slot->level == 0;
    slot->precision
        = slot->kind == ODL_SLOT_NUMBERS || (full && amplifies) ? 32 : precision;
  }
}

static OdlPlan *
finish (OdlPlanner *b, int source, int precision)
{
  set_precisions (b, precision);
  reuse_slots (b);

  OdlPlan *plan = g_new0 (OdlPlan, 1);
  plan->ref_count = 1;
  plan->geometry = b->came;
  if (b->geometry.operands != NULL)
    odl_operands_ref (b->geometry.operands);
  if (b->geometry.neighbours != NULL)
    odl_neighbours_ref (b->geometry.neighbours);
  plan->view = b->recipe->view;
  plan->precision = precision;
  plan->source = source;
  plan->result = b->picture;
  plan->details = b->details;
  plan->band = b->band;
  plan->pixel_mm = b->pixel_mm;
  plan->resized = b->resized;
  plan->restated = b->resized || b->geometry.content != b->came_content;
  plan->beams = b->geometry.beams;
  const OdlBeamPicture *made_of = &b->geometry.made_of;
  plan->made_of
      = (OdlBeamsShown){ made_of->beams, made_of->left, made_of->top, made_of->pixel_mm };
  plan->outside = b->has_outside ? odl_beam_picture_outside (&b->geometry.made_of) : NULL;
  plan->n_slots = (int) b->slots->len;
  plan->n_steps = (int) b->steps->len;
  plan->n_groups = b->n_groups;
  plan->slots = (OdlSlot *) (void *) g_array_free (b->slots, FALSE);
  plan->steps = (OdlStep *) (void *) g_array_free (b->steps, FALSE);
  plan->kernels = b->kernels;
  g_array_unref (b->elsewhere);
  plan->note = b->note->len > 0 ? g_strdup (b->note->str) : NULL;
  g_string_free (b->note, TRUE);
  return plan;
}

// The slot is what is shown, numbers about 0.
static void
show_details (OdlPlanner *b, int slot)
{
  g_array_index (b->slots, OdlSlot, slot).details = true;
  b->details = (OdlDetails){ .levels = 1, .alone = odl_view_level (b->recipe->view) };
  b->picture = slot;
}

// What the filters took away.
static void
plan_residual (OdlPlanner *b, int source)
{
  const int out = odl_planner_add_slot_like (b, source, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_RESIDUAL, source, out, -1);

  step->reads[1] = b->picture;
  show_details (b, out);
}

static bool
check_view (const OdlRecipe *recipe, GError **error)
{
  if (odl_recipe_has_view (recipe, recipe->view))
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
               odl_view_is_falling (recipe->view)
                   ? _ ("the view “%s” shows directions of the dual tree, which the "
                        "last wavelet filter of the recipe, if any, does not take; give "
                        "it transform=dual-tree")
               : odl_view_level (recipe->view) > 0
                   ? _ ("the view “%s” shows what one level of wavelet coefficients "
                        "makes, but no filter of the recipe makes any; add one such as "
                        "soft-threshold")
               : recipe->view == ODL_VIEW_RESIDUAL
                   ? _ ("the view “%s” shows what filters take away, but the recipe has "
                        "no filter that acts; add one such as soft-threshold")
                   : _ ("the view “%s” shows wavelet coefficients, but no filter of the "
                        "recipe makes any; add one such as soft-threshold"),
               odl_view_names[recipe->view]);
  return false;
}

static bool
check_volume (const OdlRecipe *recipe, const OdlGeometry *geometry, GError **error)
{
  for (int i = 0; geometry->depth <= 1 && !geometry->stands_in && i < recipe->n_items;
       i++)
    if (takes_volumes_alone (&recipe->items[i]))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          // Translators: the name of a file with code.
          _ ("%s: with “dimensions=3” it takes volumes, and this is a picture; leave "
             "“dimensions” out. The frames of a cine or a video are a volume, along "
             "time, when it is opened as volume:NAME"),
          recipe->items[i].filter->code->name);
  return true;
}

OdlPlan *
odl_plan_new (const OdlRecipe *recipe, const OdlGeometry *geometry, GError **error)
{
  g_return_val_if_fail (recipe != NULL && geometry != NULL, NULL);
  g_return_val_if_fail (geometry->width > 0 && geometry->height > 0, NULL);

  if (!check_view (recipe, error) || !check_volume (recipe, geometry, error))
    return NULL;
  OdlGeometry reached = *geometry;
  for (int i = 0; i < recipe->n_items; i++) {
    if (!odl_plan_check_operand (recipe, i, &reached, error))
      return NULL;
    odl_scan_pass (recipe, i, &reached);
  }
  if (recipe->view == ODL_VIEW_RESIDUAL
      && (reached.made_of.beams.array != ODL_BEAMS_NONE
          || reached.width != geometry->width))
    return odl_error_null (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("the view “%s” is what filters take away from a picture, and “scan-convert” "
           "makes another one of it; leave one of them out"),
        odl_view_names[recipe->view]);

  OdlRecipe scaled = odl_recipe_at_strength (recipe);
  odl_recipe_share_transforms (&scaled);
  OdlPlanner b = {
    .recipe = &scaled,
    .geometry = *geometry,
    .deep = geometry->bits > 8,
    .slots = g_array_new (FALSE, TRUE, sizeof (OdlSlot)),
    .steps = g_array_new (FALSE, TRUE, sizeof (OdlStep)),
    .note = g_string_new (NULL),
    .kernels = g_ptr_array_new_with_free_func (g_free),
    .elsewhere = g_array_new (FALSE, FALSE, sizeof (OdlElsewhere)),
    .plan_items = plan_items,
    .plan_item = plan_item,
    .is_left_out = is_left_out,
    .group = -1,
  };
  b.geometry.depth = MAX (geometry->depth, 1);
  if (geometry->neighbours != NULL)
    b.at.place = b.at.index = odl_neighbours_at (geometry->neighbours);
  b.at.sign = 1;
  b.came = b.geometry;
  b.came_content = b.geometry.content;
  const int channels = geometry->channels == 1 ? 1 : 3;
  const int source = odl_planner_add_slot (&b, ODL_SLOT_PICTURE, 0, geometry->width,
                                           geometry->height, channels);

  odl_planner_add_step (&b, ODL_STEP_LOAD, ODL_PLAN_NO_SLOT, source, -1);
  b.picture = source;
  const bool luma = channels == 3 && recipe->colour == ODL_COLOUR_LUMA
                    && !odl_recipe_is_identity (recipe);
  if (luma && moves (recipe))
    odl_planner_note (&b, _ ("all channels: what is deformed takes its colours along"));
  if (luma && !moves (recipe))
    plan_luma_chain (&b, source);
  else
    plan_chain (&b);
  if (!odl_view_is_within (recipe->view))
    odl_plan_area (&b, source);
  if (recipe->view == ODL_VIEW_RESIDUAL)
    plan_residual (&b, source);
  if (odl_view_level (recipe->view) > 0 && b.picture != source)
    show_details (&b, b.picture);
  return finish (&b, source, odl_planner_needs_single (&b) ? 32 : recipe->precision);
}

int64_t
odl_lead_in_begin (const OdlRecipe *recipe, const OdlGeometry *geometry, int64_t wanted)
{
  g_autoptr (OdlPlan) plan = odl_plan_new (recipe, geometry, NULL);

  return plan != NULL ? MAX (wanted - odl_plan_lead_in (plan), 0) : wanted;
}

OdlPlan *
odl_plan_ref (OdlPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  g_atomic_int_inc (&plan->ref_count);
  return plan;
}

void
odl_plan_unref (OdlPlan *plan)
{
  if (plan == NULL || !g_atomic_int_dec_and_test (&plan->ref_count))
    return;
  g_free (plan->slots);
  g_free (plan->steps);
  g_free (plan->note);
  odl_overlay_unref (plan->outside);
  g_clear_pointer (&plan->kernels, g_ptr_array_unref);
  odl_operands_unref (plan->geometry.operands);
  odl_neighbours_unref (plan->geometry.neighbours);
  g_free (plan);
}

bool
odl_plan_same_structure (const OdlPlan *a, const OdlPlan *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, false);

  if (a->geometry.width != b->geometry.width || a->geometry.height != b->geometry.height
      || a->geometry.depth != b->geometry.depth
      || a->geometry.channels != b->geometry.channels
      || a->geometry.bits != b->geometry.bits || a->precision != b->precision
      || a->n_slots != b->n_slots || a->n_steps != b->n_steps || a->source != b->source
      || a->result != b->result)
    return false;
  for (int i = 0; i < a->n_slots; i++)
    if (!slots_equal (&a->slots[i], &b->slots[i]))
      return false;
  for (int i = 0; i < a->n_steps; i++)
    if (!odl_step_same_structure (&a->steps[i], &b->steps[i]))
      return false;
  return true;
}

bool
odl_plan_does_the_same (const OdlPlan *a, const OdlPlan *b)
{
  if (!odl_plan_same_structure (a, b))
    return false;
  for (int i = 0; i < a->n_steps; i++)
    if (!odl_step_same_parameters (&a->steps[i], &b->steps[i]))
      return false;
  return true;
}
