// SPDX-License-Identifier: MIT
// How a transform is planned together with the filters inside. In the order of the
// recipe: those on approximations, level by level with the analysis; those on the
// coarsest one; those on details; then synthesis. So details are always those of filtered
// approximations, and a threshold finds the noise that filters before it left.
#include <glib/gi18n-lib.h>

#include "filter/inside.h"
#include "plan/planner.h"

typedef struct {
  OdlPlanner *b;
  int item; // the transform
  int levels;
  OdlTransformKind kind;
  bool acts[ODL_RECIPE_MAX_FILTERS]; // the filters inside that have a place
} Inside;

static const OdlRecipeItem *
item_at (const Inside *in, int item)
{
  return &in->b->recipe->items[item];
}

static bool
is_on_pictures (const Inside *in, int item)
{
  return odl_filter_has_at (item_at (in, item)->filter);
}

// Notes when filter `item` has no place inside.
static bool
is_left_out (const Inside *in, int item)
{
  const OdlRecipeItem *own = item_at (in, item);
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (item_at (in, in->item));

  if (!odl_filter_fits_inside (own->filter, in->kind)
      || odl_recipe_item_dimensions (own) > 2) {
    odl_planner_note (in->b, _ ("without “%s”: it has no place inside a transform"),
                      own->filter->name);
    return true;
  }
  if (wavelet != NULL && wavelet->reversible && is_on_pictures (in, item)) {
    odl_planner_note (in->b,
                      _ ("without “%s”: the wavelet %s computes in whole numbers, which "
                         "bands would no longer be"),
                      own->filter->name, wavelet->label);
    return true;
  }
  return in->b->is_left_out (in->b, item);
}

static void
find_filters (Inside *in)
{
  const int end = odl_recipe_transform_end (in->b->recipe, in->item);

  for (int i = in->item + 1; i < end; i++)
    in->acts[i] = odl_recipe_item_acts (item_at (in, i)) && !is_left_out (in, i);
}

static bool
filters_at (const Inside *in, int item, OdlInsideAt at)
{
  return in->acts[item] && is_on_pictures (in, item) && item_at (in, item)->at == at;
}

static bool
has_filters_at (const Inside *in, OdlInsideAt at)
{
  for (int i = 0; i < in->b->recipe->n_items; i++)
    if (filters_at (in, i, at))
      return true;
  return false;
}

// The slot with what filters from … to − 1 that work there make of the picture in slot
// `picture`, a band of the level.
static int
filter_part (const Inside *in, OdlInsideAt at, int from, int to, int level, int picture)
{
  OdlPlanner *b = in->b;
  const int current = b->picture;
  const double zero = b->geometry.zero;
  const guint first = b->slots->len;
  const OdlSlot *slot = &g_array_index (b->slots, OdlSlot, picture);

  b->picture = picture;
  b->geometry.zero = 0; // of coefficients
  if (in->kind == ODL_TRANSFORM_DECIMATED)
    b->part = (OdlBandPart){ level, slot->width, slot->height };
  for (int i = from; i < to; i++)
    if (filters_at (in, i, at)) {
      b->parts = true;
      b->plan_item (b, i);
    }
  for (guint i = first; i < b->slots->len; i++)
    g_array_index (b->slots, OdlSlot, i).details |= at == ODL_AT_DETAILS;
  b->part = (OdlBandPart){ 0 };
  b->geometry.zero = zero;
  const int filtered = b->picture;
  b->picture = current;
  return filtered;
}

// The slot with one band of those in slot `bands`; none where it has no sample.
static int
take_band (const Inside *in, int level, int band, int bands)
{
  OdlPlanner *b = in->b;
  const OdlSlot all = g_array_index (b->slots, OdlSlot, bands);
  const int width
      = band % 2 == 1 ? odl_high_count (all.width) : odl_low_count (all.width);
  const int height
      = band / 2 == 1 ? odl_high_count (all.height) : odl_low_count (all.height);

  b->parts = true;
  if (width == 0 || height == 0)
    return ODL_PLAN_NO_SLOT;
  const int out
      = odl_planner_add_slot (b, ODL_SLOT_PICTURE, level, width, height, all.channels);
  g_array_index (b->slots, OdlSlot, out).details = band > 0;
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_BAND, bands, out, in->item);
  step->level = level;
  step->band = band;
  return out;
}

static int
join_bands (const Inside *in, int level, int like, const int pictures[ODL_BANDS])
{
  OdlPlanner *b = in->b;
  const int out = odl_planner_add_slot_like (b, like, ODL_SLOT_BANDS, level);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_JOIN, pictures[0], out, in->item);

  step->level = level;
  for (int band = 1; band < ODL_BANDS; band++)
    step->reads[band] = pictures[band];
  return out;
}

// Filters from … to − 1 on the details of a level; the slot with the new ones.
static int
filter_details (const Inside *in, int from, int to, int level, int bands)
{
  int pictures[ODL_BANDS] = { ODL_PLAN_NO_SLOT };

  for (int band = 1; band < ODL_BANDS; band++) {
    pictures[band] = take_band (in, level, band, bands);
    if (pictures[band] != ODL_PLAN_NO_SLOT)
      pictures[band] = filter_part (in, ODL_AT_DETAILS, from, to, level, pictures[band]);
  }
  return join_bands (in, level, bands, pictures);
}

// From `from` on, the first filter that does not work on pictures: what lies between need
// not become bands again and again.
static int
end_of_run (const Inside *in, int from)
{
  int end = from;

  while (end < in->b->recipe->n_items && (!in->acts[end] || is_on_pictures (in, end)))
    end++;
  return end;
}

// ---- the decimated transform ---------------------------------------------------------

static void
filter_all_details (const Inside *in, const int bands[], int filtered[], int *low)
{
  OdlPlanner *b = in->b;
  int next[ODL_MAX_LEVELS + 1];

  for (int level = 1; level <= in->levels; level++)
    filtered[level] = bands[level];
  for (int i = 0; i < b->recipe->n_items; i++) {
    if (filters_at (in, i, ODL_AT_DETAILS)) {
      const int end = end_of_run (in, i);
      for (int level = 1; level <= in->levels; level++)
        filtered[level] = filter_details (in, i, end, level, filtered[level]);
      i = end - 1;
      continue;
    }
    if (!in->acts[i] || is_on_pictures (in, i))
      continue;
    if (item_at (in, i)->filter->kind == ODL_FILTER_SCALE_BANDS) {
      if (g_array_index (b->slots, OdlSlot, *low).kind != ODL_SLOT_PICTURE)
        *low = take_band (in, in->levels, 0, *low);
      *low = odl_planner_scale_base (b, i, *low);
      odl_planner_scale (b, i, in->levels, filtered, next);
    } else {
      odl_planner_thresholds (b, i, in->levels, filtered, next);
    }
    for (int level = 1; level <= in->levels; level++)
      filtered[level] = next[level];
  }
}

// A view has LL among the bands of the coarsest level.
static int
with_low (const Inside *in, int bands, int low)
{
  int pictures[ODL_BANDS] = { low };

  if (g_array_index (in->b->slots, OdlSlot, low).kind != ODL_SLOT_PICTURE)
    return low;
  for (int band = 1; band < ODL_BANDS; band++)
    pictures[band] = take_band (in, in->levels, band, bands);
  return join_bands (in, in->levels, bands, pictures);
}

static void
plan_decimated (const Inside *in, OdlViewKind view)
{
  OdlPlanner *b = in->b;
  const bool filters = view != ODL_VIEW_ANALYSIS;
  int bands[ODL_MAX_LEVELS + 1] = { 0 }, filtered[ODL_MAX_LEVELS + 1] = { 0 };
  int low = b->picture;

  for (int level = 1; level <= in->levels; level++) {
    const OdlInsideAt at = level == in->levels ? ODL_AT_COARSEST : ODL_AT_APPROXIMATION;
    low = bands[level] = odl_planner_forward (b, in->item, level, low);
    if (filters && has_filters_at (in, at))
      low = filter_part (in, at, 0, b->recipe->n_items, level,
                         take_band (in, level, 0, low));
  }
  if (!filters) {
    odl_planner_layout (b, in->item, in->levels, low, bands);
    return;
  }
  filter_all_details (in, bands, filtered, &low);
  if (odl_view_is_analysis (view)) {
    odl_planner_layout (b, in->item, in->levels, with_low (in, filtered[in->levels], low),
                        filtered);
    return;
  }
  if (odl_view_level (view) > 0)
    low = odl_planner_keep_level (b, in->item, in->levels, low, filtered);
  odl_planner_inverse (b, in->item, in->levels, low, bands, filtered);
}

// ---- the stationary transform, whose bands are pictures ------------------------------

static void
filter_details_of_pictures (const Inside *in, int from, int to, int bands[][ODL_BANDS])
{
  for (int level = 1; level <= in->levels; level++)
    for (int band = 1; band < ODL_BANDS; band++)
      bands[level][band]
          = filter_part (in, ODL_AT_DETAILS, from, to, level, bands[level][band]);
}

static void
filter_pictures (const Inside *in, int bands[][ODL_BANDS])
{
  OdlPlanner *b = in->b;

  for (int i = 0; i < b->recipe->n_items; i++) {
    if (filters_at (in, i, ODL_AT_DETAILS))
      filter_details_of_pictures (in, i, i + 1, bands);
    if (!in->acts[i] || is_on_pictures (in, i))
      continue;
    if (item_at (in, i)->filter->kind == ODL_FILTER_SCALE_BANDS)
      odl_planner_stationary_scale (b, i, in->levels, bands);
    else if (odl_planner_measures (b, i))
      odl_planner_stationary_measured (b, i, in->levels, bands);
    else
      odl_planner_stationary_shrink (b, i, in->levels, bands);
  }
}

static void
plan_stationary (const Inside *in, OdlViewKind view)
{
  OdlPlanner *b = in->b;
  const bool filters = view != ODL_VIEW_ANALYSIS;
  int bands[ODL_MAX_LEVELS + 1][ODL_BANDS];
  int low = b->picture;

  for (int level = 1; level <= in->levels; level++) {
    const OdlInsideAt at = level == in->levels ? ODL_AT_COARSEST : ODL_AT_APPROXIMATION;
    odl_planner_stationary_level (b, in->item, level, low, bands[level]);
    if (filters)
      bands[level][0]
          = filter_part (in, at, 0, b->recipe->n_items, level, bands[level][0]);
    low = bands[level][0];
  }
  if (filters)
    filter_pictures (in, bands);
  if (odl_view_is_analysis (view)) {
    odl_planner_stationary_view (b, in->item, in->levels,
                                 (const int (*)[ODL_BANDS]) bands);
    return;
  }
  if (odl_view_level (view) > 0)
    odl_planner_stationary_keep (b, in->item, in->levels, bands);
  low = bands[in->levels][0];
  for (int level = in->levels; level >= 1; level--) {
    bands[level][0] = low;
    low = odl_planner_stationary_sum (b, in->item, level, bands[level]);
  }
  b->picture = low;
}

void
odl_plan_transform (OdlPlanner *b, int item)
{
  const int last = odl_recipe_last_wavelet_item (b->recipe);
  const int end = odl_recipe_transform_end (b->recipe, item);
  const bool shown = last >= item && last < end && odl_view_is_within (b->recipe->view);
  Inside in = { .b = b, .item = item, .levels = odl_planner_levels (b, item) };

  if (in.levels == 0)
    return; // one pixel
  in.kind = odl_planner_begin_transform (b, item);
  find_filters (&in);
  b->group = b->n_groups++;
  if (in.kind == ODL_TRANSFORM_DECIMATED)
    plan_decimated (&in, shown ? b->recipe->view : ODL_VIEW_SYNTHESIS);
  else if (in.kind == ODL_TRANSFORM_DUAL_TREE)
    odl_planner_dual_tree (b, item, in.levels,
                           shown ? b->recipe->view : ODL_VIEW_SYNTHESIS, in.acts);
  else
    plan_stationary (&in, shown ? b->recipe->view : ODL_VIEW_SYNTHESIS);
  b->group = -1;
}
