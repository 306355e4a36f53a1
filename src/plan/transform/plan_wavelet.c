// SPDX-License-Identifier: MIT
// How filters of wavelet coefficients are planned.
#include <math.h>

#include <glib/gi18n-lib.h>

#include "plan/numbers.h"
#include "plan/planner.h"

// Steps that weigh coefficients: of two pictures, or of one.

// A step of that kind in slot `combined`, whose rule and shares are yet to be set.
static OdlStep *
odl_planner_add_combine (OdlPlanner *b,
                         int item,
                         int level,
                         int bands,
                         int others,
                         int *combined)
{
  *combined = odl_planner_add_slot_like (
      b, bands, b->volumetric ? ODL_SLOT_OCTANTS : ODL_SLOT_BANDS, level);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_COMBINE, bands, *combined, item);

  step->reads[1] = others;
  step->level = level;
  return step;
}

// The shares of the details of a level.
static void
set_shares (const OdlPlanner *b, int item, int level, const char *key, double *shares)
{
  for (int band = 0; band < ODL_DETAIL_BANDS; band++)
    shares[1 + band]
        = odl_recipe_get (b->recipe, item, key, ODL_DETAIL_BANDS * (level - 1) + band);
}

// Details of two pictures in one, as filter `item`, stylise, weighs them.
static void
odl_planner_combine (OdlPlanner *b,
                     int item,
                     int levels,
                     const int bands[],
                     const int others[],
                     int combined[])
{
  for (int level = 1; level <= levels; level++) {
    OdlStep *step = odl_planner_add_combine (b, item, level, bands[level], others[level],
                                             &combined[level]);
    step->rule = (int) odl_recipe_get (b->recipe, item, "rule", 0);
    step->parameters.own[0] = odl_recipe_get (b->recipe, item, "first-base", 0);
    step->parameters.other[0] = odl_recipe_get (b->recipe, item, "second-base", 0);
    set_shares (b, item, level, "first", step->parameters.own);
    set_shares (b, item, level, "second", step->parameters.other);
  }
}

// A sum with itself, of which nothing is taken the second time.
void
odl_planner_scale (OdlPlanner *b, int item, int levels, const int bands[], int scaled[])
{
  for (int level = 1; level <= levels; level++) {
    OdlStep *step = odl_planner_add_combine (b, item, level, bands[level], bands[level],
                                             &scaled[level]);
    step->rule = ODL_RULE_SUM;
    step->parameters.own[0] = odl_recipe_get (b->recipe, item, "base", 0);
    set_shares (b, item, level, "gains", step->parameters.own);
  }
}

// Cycle spinning: the mean over shifts of a filter of the decimated transform. R.
// Coifman, D. Donoho, "Translation-invariant de-noising", Lecture Notes in Statistics 103
// (1995). A moved picture has more columns and rows, so that none is lost, and what
// enters is what the transform's border has there; periodic ones are moved in a circle,
// as in the paper.
//
// Margins: periodic borders make an edge where the left side is not like the right one.
// A filter that measures sees the whole picture anyway; it works on one that is mirrored
// about its sides by as much as the finer levels look there, and the margins go again.

#define MARGIN 16 // on each side; even at four levels, so that samples keep their parity
#define GRID 4 // shifts of 0 … GRID − 1 along either axis

// Of a 4 × 4 grid in the order of an ordered dither: the first n are spread as evenly as
// n of them can be.
static void
find_shift (int index, int *dx, int *dy)
{
  static const int across[] = { 0, 1, 1, 0 }, down[] = { 0, 1, 0, 1 };
  const int fine = index % 4, coarse = index / 4;

  *dx = across[fine] + 2 * across[coarse];
  *dy = down[fine] + 2 * down[coarse];
}

// A picture moved into one of the planner's size, added to that in slot `sum`, if there
// is one. Returns its slot.
static int
add_shift (OdlPlanner *b, int item, int read, int dx, int dy, double weight, int sum)
{
  const int out = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                        b->geometry.height,
                                        g_array_index (b->slots, OdlSlot, read).channels);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_SHIFT, read, out, item);

  step->reads[1] = sum;
  step->border = b->border;
  step->parameters.values[0] = dx;
  step->parameters.values[1] = dy;
  step->parameters.weight = weight;
  return out;
}

// Adds the mean over `shifts` shifts of what `plan` adds: cycle spinning.
static void
odl_plan_spinning (OdlPlanner *b,
                   int item,
                   int levels,
                   int shifts,
                   void (*plan) (OdlPlanner *b, int item, int levels, OdlViewKind view))
{
  const OdlGeometry geometry = b->geometry;
  const int picture = b->picture, origin = b->origin;
  const bool away = b->away;
  // Even, so that samples of even number stay such from the other end, too.
  const int more = b->border == ODL_BORDER_PERIODIC ? 0 : shifts > GRID ? GRID : GRID / 2;
  int sum = ODL_PLAN_NO_SLOT;

  b->spins = true;
  for (int i = 0; i < shifts; i++) {
    int dx, dy;
    find_shift (i, &dx, &dy);
    if (i > 0) {
      b->geometry.width = geometry.width + more;
      b->geometry.height = geometry.height + more;
      b->picture = add_shift (b, item, picture, dx, dy, 1, ODL_PLAN_NO_SLOT);
      // What counts is looked for in the picture as it came, moved likewise.
      b->origin = origin == picture ? b->picture
                  : odl_planner_measures (b, item)
                      ? add_shift (b, item, origin, dx, dy, 1, ODL_PLAN_NO_SLOT)
                      : origin;
      b->away = true; // all notes, and numbers to be seen, are those of the first one
    }
    b->group = b->n_groups++;
    plan (b, item, levels, ODL_VIEW_SYNTHESIS);
    b->group = -1;
    b->geometry = geometry;
    b->origin = origin;
    b->away = away;
    sum = add_shift (b, item, b->picture, -dx, -dy, 1.0 / shifts, sum);
  }
  b->picture = sum;
}

// Adds what `plan` adds for a picture that is mirrored about its sides, and takes these
// margins away again.
static void
odl_plan_with_margins (
    OdlPlanner *b,
    int item,
    int levels,
    void (*plan) (OdlPlanner *b, int item, int levels, OdlViewKind view))
{
  const OdlGeometry geometry = b->geometry;
  const int picture = b->picture, origin = b->origin;
  const OdlBorder border = b->border;

  b->with_margins = true;
  b->geometry.width += 2 * MARGIN;
  b->geometry.height += 2 * MARGIN;
  b->border = ODL_BORDER_WHOLE_SAMPLE; // of both moves
  b->picture = add_shift (b, item, picture, MARGIN, MARGIN, 1, ODL_PLAN_NO_SLOT);
  if (origin == picture)
    b->origin = b->picture;
  else if (odl_planner_measures (b, item))
    b->origin = add_shift (b, item, origin, MARGIN, MARGIN, 1, ODL_PLAN_NO_SLOT);
  b->border = border;
  plan (b, item, levels, ODL_VIEW_SYNTHESIS);
  b->geometry = geometry;
  b->origin = origin;
  b->border = ODL_BORDER_WHOLE_SAMPLE;
  b->picture = add_shift (b, item, b->picture, -MARGIN, -MARGIN, 1, ODL_PLAN_NO_SLOT);
}

// Illumination and texture: T. Wong et al., "Discrete wavelet transform on consumer-level
// graphics hardware", IEEE Transactions on Multimedia 9 (2007), section VII-B.

// At least so much of what the low band looks at counts as picture.
#define LEAST_INSIDE 0.1

// What rounding leaves of black.
#define LEAST_BLACK 1e-4

static double
black_of (const OdlPlanner *b)
{
  return MAX (odl_planner_black (b), LEAST_BLACK);
}

static int
plan_grey (OdlPlanner *b, int item)
{
  const OdlSlot *own = &g_array_index (b->slots, OdlSlot, b->picture);

  if (own->channels == 1)
    return b->picture;
  const int grey = odl_planner_add_slot (b, ODL_SLOT_PICTURE, 0, b->geometry.width,
                                         b->geometry.height, 1);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_LUMA, b->picture, grey, item);
  odl_geometry_luma_weights (&b->geometry, step->parameters.weights);
  return grey;
}

// The slot with the low band of the picture, as if there were nothing around it: what is
// black counts neither as light nor as place.
static int
plan_illumination (OdlPlanner *b, int item, int levels)
{
  const int original = b->picture;
  const int grey = plan_grey (b, item);
  const int inside = odl_planner_add_slot_like (b, grey, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_INSIDE, grey, inside, item);

  step->parameters.tolerance = black_of (b);
  const int place = odl_plan_low_band (b, item, levels, inside);
  b->picture = odl_plan_low_band (b, item, levels, original);
  step = odl_planner_add_picture_step (b, ODL_STEP_DIVIDE, item);
  step->reads[1] = place;
  step->parameters.least = LEAST_INSIDE;
  const int illumination = b->picture;
  b->picture = original;
  return illumination;
}

void
odl_plan_decouple (OdlPlanner *b, int item)
{
  const int levels = odl_planner_levels (b, item);
  const int illumination = plan_illumination (b, item, levels);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_DECOUPLE, item);
  OdlStepParameters *own = &step->parameters;

  step->reads[1] = illumination;
  own->illumination = odl_recipe_get (b->recipe, item, "illumination", 0);
  own->texture = odl_recipe_get (b->recipe, item, "texture", 0);
  own->brightness = odl_recipe_get (b->recipe, item, "brightness", 0);
  own->least = odl_recipe_get (b->recipe, item, "least", 0);
  own->tolerance = black_of (b);
  b->divides = true;
}

// How the filters of one transform are planned.
typedef struct {
  unsigned borders; // bits of the borders with which it reconstructs, if the wavelet does
  void (*plan) (OdlPlanner *b, int item, int levels, OdlViewKind view);
} Transform;

static const Transform *transform_of (const OdlPlanner *b, const OdlRecipeItem *item);

// The border that the recipe asks for, or the wavelet's own.
static OdlBorder
border_for (const OdlPlanner *b, int item)
{
  const OdlRecipe *recipe = b->recipe;
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&recipe->items[item]);
  const unsigned borders
      = wavelet->borders & transform_of (b, &recipe->items[item])->borders;

  if (recipe->border == ODL_BORDER_AUTO)
    return wavelet->border;
  const OdlBorder wanted = (OdlBorder) (recipe->border - 1);
  return (borders & 1u << wanted) != 0 ? wanted : wavelet->border;
}

// The step between adjacent sample values, so that 12-bit samples are also reproduced
// exactly; float samples count as 16 bits.
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
  step->border = border_for (b, item);
  step->quantum = step->wavelet->reversible ? quantum_of (&b->geometry) : 0;
}

int
odl_planner_forward (OdlPlanner *b, int item, int level, int read)
{
  const int half = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_HALF, level);
  const int bands = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_BANDS, level);

  plan_transform_step (b, ODL_STEP_FORWARD, ODL_AXIS_X, level, read, ODL_PLAN_NO_SLOT,
                       half, item);
  plan_transform_step (b, ODL_STEP_FORWARD, ODL_AXIS_Y, level, half, ODL_PLAN_NO_SLOT,
                       bands, item);
  if (!b->volumetric)
    return bands;
  const int octants = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_OCTANTS, level);
  plan_transform_step (b, ODL_STEP_FORWARD, ODL_AXIS_Z, level, bands, ODL_PLAN_NO_SLOT,
                       octants, item);
  return octants;
}

static void
plan_forward (OdlPlanner *b, int item, int levels, int bands[])
{
  for (int level = 1; level <= levels; level++)
    bands[level]
        = odl_planner_forward (b, item, level, level > 1 ? bands[level - 1] : b->picture);
}

static OdlStep *
add_threshold (OdlPlanner *b, int item, int level, const int bands[], int filtered[])
{
  filtered[level] = odl_planner_add_slot_like (
      b, bands[level], b->volumetric ? ODL_SLOT_OCTANTS : ODL_SLOT_BANDS, level);
  OdlStep *step
      = odl_planner_add_step (b, ODL_STEP_THRESHOLD, bands[level], filtered[level], item);
  step->level = level;
  return step;
}

void
odl_planner_thresholds (OdlPlanner *b,
                        int item,
                        int levels,
                        const int bands[],
                        int filtered[])
{
  const bool measured = odl_planner_measures (b, item);
  int all[ODL_MAX_LEVELS + 1][ODL_BANDS], numbers[ODL_MAX_LEVELS + 1][ODL_BANDS];

  for (int level = 1; level <= levels; level++)
    all[level][0] = bands[level];
  if (measured)
    odl_plan_measures (b, item, levels, false, all, numbers);
  for (int level = 1; level <= levels; level++) {
    OdlStep *step = add_threshold (b, item, level, bands, filtered);
    odl_planner_set_rule (b, item, step);
    if (measured)
      step->reads[1] = numbers[level][0];
    if (b->recipe->items[item].filter->kind == ODL_FILTER_NEIGH_SHRINK)
      step->side = odl_planner_window (b, item);
    for (int octant = 1; octant < (b->volumetric ? ODL_OCTANTS : ODL_BANDS) && !measured;
         octant++)
      step->parameters.thresholds[octant - 1]
          = b->volumetric ? odl_planner_octant_threshold (b, item, level, octant)
                          : odl_planner_threshold (b, item, level, octant - 1);
  }
}

// Of all levels but the coarsest one, which has no parents.
static void
plan_bivariate (OdlPlanner *b, int item, int levels, const int bands[], int filtered[])
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (own);
  const double sigma
      = odl_parameter_usual (odl_filter_parameter (own->filter, "sigma"), 0,
                             odl_recipe_get (b->recipe, item, "sigma", 0));

  b->shrinks = true;
  filtered[levels] = bands[levels];
  for (int level = 1; level < levels; level++) {
    filtered[level] = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_BANDS, level);
    OdlStep *step = odl_planner_add_step (b, ODL_STEP_BIVARIATE, bands[level],
                                          filtered[level], item);
    step->reads[1] = bands[level + 1];
    step->level = level;
    step->side = odl_planner_window (b, item);
    for (int band = 0; band < ODL_DETAIL_BANDS; band++) {
      step->parameters.thresholds[band]
          = sigma * odl_planner_noise_gain (b, item, wavelet, level, band);
      step->parameters.gains[band]
          = odl_planner_parent_weight (b, item, wavelet, level, band);
    }
  }
}

void
odl_planner_inverse (OdlPlanner *b,
                     int item,
                     int levels,
                     int approximation,
                     const int bands[],
                     const int filtered[])
{
  for (int level = levels; level >= 1; level--) {
    const int half = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_HALF, level);
    const int out
        = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_PICTURE, level - 1);
    int details = filtered[level];
    if (b->volumetric) {
      const int whole
          = odl_planner_add_slot_like (b, bands[level], ODL_SLOT_BANDS, level);
      plan_transform_step (b, ODL_STEP_INVERSE, ODL_AXIS_Z, level, approximation, details,
                           whole, item);
      approximation = details = whole;
    }
    plan_transform_step (b, ODL_STEP_INVERSE, ODL_AXIS_Y, level, approximation, details,
                         half, item);
    plan_transform_step (b, ODL_STEP_INVERSE, ODL_AXIS_X, level, half, ODL_PLAN_NO_SLOT,
                         out, item);
    approximation = out;
  }
  b->picture = approximation;
}

void
odl_planner_layout (OdlPlanner *b,
                    int item,
                    int levels,
                    int approximation,
                    const int details[])
{
  const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);

  for (int level = levels; level >= 1; level--) {
    OdlStep *step = odl_planner_add_step (
        b, ODL_STEP_LAYOUT, level == levels ? approximation : ODL_PLAN_NO_SLOT, out,
        item);
    step->reads[1] = details[level];
    step->level = level;
  }
  b->picture = out;
  odl_planner_set_approximation (b, levels);
}

static void
note_border (OdlPlanner *b, int item)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&b->recipe->items[item]);
  if (b->recipe->border == ODL_BORDER_AUTO)
    return;
  if (wavelet == NULL) {
    if (b->recipe->border != ODL_BORDER_CHOICE_SYMMETRIC)
      odl_planner_note (b, _ ("border “%s”: “%s” is not for the dual tree"),
                        odl_border_names[ODL_BORDER_CHOICE_SYMMETRIC],
                        odl_border_names[b->recipe->border]);
    return;
  }
  const OdlBorder border = border_for (b, item);
  if (border == (OdlBorder) (b->recipe->border - 1))
    return;
  if ((wavelet->borders & 1u << (b->recipe->border - 1)) != 0)
    odl_planner_note (b, _ ("border “%s”: “%s” is not for the stationary transform"),
                      odl_border_names[border + 1], odl_border_names[b->recipe->border]);
  else
    odl_planner_note (b, _ ("border “%s”: “%s” is not for the wavelet %s"),
                      odl_border_names[border + 1], odl_border_names[b->recipe->border],
                      wavelet->label);
}

// A text may give fewer or more thresholds than levels; a single one applies to all.
static void
note_thresholds (OdlPlanner *b, int item, int levels)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const int n = odl_filter_parameter (own->filter, "profile") == NULL ? own->n_given : 0;

  if (n > 1 && n < levels)
    odl_planner_note (
        b, _ ("%d thresholds for %d levels: the last one stands for the others"), n,
        levels);
  else if (n > levels)
    odl_planner_note (
        b, _ ("%d thresholds were given: those beyond level %d are dropped"), n, levels);
}

// A threshold that leaves no detail.
static void
add_silence (OdlPlanner *b, int item, int level, const int bands[], int filtered[])
{
  OdlStep *step = add_threshold (b, item, level, bands, filtered);
  for (int i = 0; i < (b->volumetric ? ODL_DETAIL_OCTANTS : ODL_DETAIL_BANDS); i++)
    step->parameters.thresholds[i] = ODL_EVERY_DETAIL;
}

int
odl_plan_low_band (OdlPlanner *b, int item, int levels, int picture)
{
  int bands[ODL_MAX_LEVELS + 1] = { 0 }, filtered[ODL_MAX_LEVELS + 1] = { 0 };
  const int current = b->picture;

  if (levels == 0)
    return picture;
  b->group = b->n_groups++;
  b->picture = picture;
  b->reversible |= odl_recipe_item_wavelet (&b->recipe->items[item])->reversible;
  plan_forward (b, item, levels, bands);
  for (int level = 1; level <= levels; level++)
    add_silence (b, item, level, bands, filtered);
  odl_planner_inverse (b, item, levels, bands[levels], bands, filtered);
  b->group = -1;
  const int low = b->picture;
  b->picture = current;
  return low;
}

// The bands of the second picture, in a group of their own.
static void
plan_second (OdlPlanner *b, int item, int levels, int bands[])
{
  const int current = b->picture, group = b->group;

  b->picture = odl_planner_add_operand_alike (b, item);
  b->group = b->n_groups++;
  plan_forward (b, item, levels, bands);
  b->group = group;
  b->picture = current;
}

int
odl_planner_keep_level (OdlPlanner *b,
                        int item,
                        int levels,
                        int approximation,
                        int filtered[])
{
  const int kept = odl_planner_kept_level (b, levels);
  const bool bands
      = g_array_index (b->slots, OdlSlot, approximation).kind != ODL_SLOT_PICTURE;

  for (int level = 1; level <= levels + bands; level++) {
    const bool low = level > levels;
    const int read = low ? approximation : filtered[level];
    if (b->volumetric && !low && level != kept)
      add_silence (b, item, level, filtered, filtered);
    if (b->volumetric && !low)
      continue;
    OdlStep *step = odl_planner_add_combine (b, item, MIN (level, levels), read, read,
                                             low ? &approximation : &filtered[level]);
    step->rule = ODL_RULE_SUM;
    for (int band = 1; band <= ODL_DETAIL_BANDS && level == kept; band++)
      step->parameters.own[band] = 1;
  }
  return bands ? approximation : odl_planner_gain (b, item, approximation, 0);
}

static void
plan_decimated (OdlPlanner *b, int item, int levels, OdlViewKind view)
{
  int bands[ODL_MAX_LEVELS + 1] = { 0 }, filtered[ODL_MAX_LEVELS + 1] = { 0 };
  int others[ODL_MAX_LEVELS + 1] = { 0 };
  const OdlFilterKind kind = b->recipe->items[item].filter->kind;
  const bool scales = kind == ODL_FILTER_SCALE_BANDS;
  const bool combines
      = (kind == ODL_FILTER_STYLISE || scales) && view != ODL_VIEW_ANALYSIS;
  b->reversible |= odl_recipe_item_wavelet (&b->recipe->items[item])->reversible;
  if (combines && !scales)
    plan_second (b, item, levels, others);
  plan_forward (b, item, levels, bands);
  if (view == ODL_VIEW_ANALYSIS) {
    odl_planner_layout (b, item, levels, bands[levels], bands);
    return;
  }
  if (scales)
    odl_planner_scale (b, item, levels, bands, filtered);
  else if (combines)
    odl_planner_combine (b, item, levels, bands, others, filtered);
  else if (kind == ODL_FILTER_BIVARIATE)
    plan_bivariate (b, item, levels, bands, filtered);
  else
    odl_planner_thresholds (b, item, levels, bands, filtered);
  int low = combines ? filtered[levels] : bands[levels];
  if (view == ODL_VIEW_FILTERED_ANALYSIS) {
    odl_planner_layout (b, item, levels, low, filtered);
    return;
  }
  if (odl_view_level (view) > 0)
    low = odl_planner_keep_level (b, item, levels, low, filtered);
  odl_planner_inverse (b, item, levels, low, bands, filtered);
}

static const Transform transforms[ODL_N_TRANSFORMS] = {
  [ODL_TRANSFORM_DECIMATED] = {
    .borders = (1u << ODL_N_BORDERS) - 1,
    .plan = plan_decimated,
  },
  // No zero border: the coefficients of the zeros beyond the edge would be missing.
  [ODL_TRANSFORM_STATIONARY] = {
    .borders = 1u << ODL_BORDER_WHOLE_SAMPLE | 1u << ODL_BORDER_PERIODIC,
    .plan = odl_plan_stationary,
  },
  // It has no wavelet and mirrors in its own way.
  [ODL_TRANSFORM_DUAL_TREE] = {
    .plan = odl_plan_dual_tree,
  },
};

// NeighShrink in three dimensions is that of pictures where there is but one slice.
static OdlTransformKind
wanted_of (const OdlPlanner *b, const OdlRecipeItem *item)
{
  return item->filter->kind == ODL_FILTER_NEIGH_SHRINK && b->geometry.depth <= 1
             ? ODL_TRANSFORM_STATIONARY
             : odl_recipe_item_transform (item);
}

static OdlTransformKind
kind_of (const OdlPlanner *b, const OdlRecipeItem *item)
{
  const OdlTransformKind wanted = wanted_of (b, item);

  return odl_transform_suits (wanted, odl_recipe_item_wavelet (item))
             ? wanted
             : ODL_TRANSFORM_DECIMATED;
}

static const Transform *
transform_of (const OdlPlanner *b, const OdlRecipeItem *item)
{
  return &transforms[kind_of (b, item)];
}

// Notes on what the picture, the border or the wavelet does not allow.
static void
note_changes (OdlPlanner *b, int item, int levels)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (own);
  const int wanted = (int) odl_recipe_get (b->recipe, item, "levels", 0);
  const int width = b->geometry.width, height = b->geometry.height;

  if (kind_of (b, own) != wanted_of (b, own))
    odl_planner_note (b,
                      _ ("transform “%s”: the wavelet %s computes in whole numbers, "
                         "which “%s” cannot"),
                      odl_transform_names[kind_of (b, own)], wavelet->label,
                      odl_transform_names[wanted_of (b, own)]);
  else if (wavelet == NULL && odl_filter_parameter (own->filter, "wavelet") != NULL
           && odl_recipe_get (b->recipe, item, "wavelet", 0) != 0) // not the default
    odl_planner_note (
        b, _ ("without the wavelet %s: “%s” has filters of its own"),
        odl_wavelet_at ((size_t) odl_recipe_get (b->recipe, item, "wavelet", 0))->label,
        odl_transform_names[kind_of (b, own)]);
  if (levels < MIN (wanted, odl_max_levels (width, height)))
    odl_planner_note (b,
                      _ ("%d of %d levels: the stationary filters of the next one are "
                         "longer than the image of %d × %d pixels"),
                      levels, wanted, width, height);
  else if (levels < wanted)
    odl_planner_note (b, _ ("%d of %d levels: the image of %d × %d pixels has no more"),
                      levels, wanted, width, height);
  if (odl_filter_parameter (own->filter, "shifts") != NULL
      && odl_recipe_get (b->recipe, item, "shifts", 0) > 1
      && (kind_of (b, own) != ODL_TRANSFORM_DECIMATED || b->volumetric))
    odl_planner_note (b, _ ("without shifts: they are for the decimated transform of "
                            "pictures"));
  note_thresholds (b, item, wanted);
  if (levels > 0)
    note_border (b, item);
}

// Slices that the filter processes together.
static int
depth_for (OdlPlanner *b, const OdlRecipeItem *item)
{
  if (odl_recipe_item_dimensions (item) != 3)
    return 1;
  if (b->geometry.depth > 1 && kind_of (b, item) != ODL_TRANSFORM_DECIMATED) {
    odl_planner_note (b, _ ("2 dimensions: 3 are for the decimated transform"));
    return 1;
  }
  if (b->geometry.depth == 1)
    odl_planner_note_flat (b);
  return b->geometry.depth;
}

int
odl_planner_levels (OdlPlanner *b, int item)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const int depth = depth_for (b, own);
  const int possible
      = odl_transform_max_levels (kind_of (b, own), odl_recipe_item_wavelet (own),
                                  MAX (b->geometry.width, depth), b->geometry.height);
  const int levels = MIN ((int) odl_recipe_get (b->recipe, item, "levels", 0), possible);

  b->volumetric = depth > 1;
  note_changes (b, item, levels);
  return levels;
}

OdlTransformKind
odl_planner_begin_transform (OdlPlanner *b, int item)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (&b->recipe->items[item]);

  b->border = wavelet != NULL ? border_for (b, item) : b->border;
  b->reversible |= wavelet != NULL && wavelet->reversible;
  return kind_of (b, &b->recipe->items[item]);
}

// Over how many shifts the filter is the mean.
static int
shifts_of (OdlPlanner *b, int item)
{
  const OdlRecipeItem *own = &b->recipe->items[item];
  const int shifts = odl_filter_parameter (own->filter, "shifts") != NULL
                         ? (int) odl_recipe_get (b->recipe, item, "shifts", 0)
                         : 1;

  return kind_of (b, own) == ODL_TRANSFORM_DECIMATED && !b->volumetric ? shifts : 1;
}

// What was enhanced stays in the range that the picture in slot `before` has around.
static void
plan_limit (OdlPlanner *b, int item, int before)
{
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_LIMIT, item);

  step->reads[1] = before;
  step->parameters.tolerance = odl_recipe_get (b->recipe, item, "overshoot", 0);
}

// Filters that measure see the whole picture anyway; those of wavelets without a mirrored
// border get a mirrored picture. Haar looks at nothing beyond the picture.
static bool
has_margins (const OdlPlanner *b, const OdlRecipeItem *own)
{
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (own);

  return wavelet != NULL && b->recipe->border == ODL_BORDER_AUTO && !b->volumetric
         && (odl_filter_finds_thresholds (own->filter)
             || own->filter->kind == ODL_FILTER_BIVARIATE)
         && wavelet->analysis_low.count > 2
         && (wavelet->borders & 1u << ODL_BORDER_WHOLE_SAMPLE) == 0;
}

static void
plan_view (OdlPlanner *b, int item, int levels, OdlViewKind view)
{
  if (view == ODL_VIEW_SYNTHESIS && shifts_of (b, item) > 1) {
    odl_plan_spinning (b, item, levels, shifts_of (b, item), plan_decimated);
    return;
  }
  b->group = b->n_groups++;
  transform_of (b, &b->recipe->items[item])->plan (b, item, levels, view);
  b->group = -1;
}

void
odl_plan_wavelet (OdlPlanner *b, int item)
{
  const bool last = item == odl_recipe_last_wavelet_item (b->recipe);
  const OdlRecipeItem *own = &b->recipe->items[item];
  const OdlWavelet *wavelet = odl_recipe_item_wavelet (own);

  if (own->filter->kind == ODL_FILTER_NEIGH_SHRINK && wavelet->reversible) {
    odl_planner_note (
        b,
        _ ("without “%s”: the wavelet %s computes in whole numbers, which “%s” cannot"),
        own->filter->name, wavelet->label, odl_transform_names[ODL_TRANSFORM_STATIONARY]);
    return;
  }
  const int levels = odl_planner_levels (b, item), before = b->picture;
  const OdlViewKind shown = b->recipe->view;
  const OdlViewKind view
      = last && odl_view_is_within (shown) ? shown : ODL_VIEW_SYNTHESIS;

  if (levels == 0)
    return; // one pixel
  b->border = wavelet != NULL ? border_for (b, item) : b->border;
  if (view == ODL_VIEW_SYNTHESIS && has_margins (b, own))
    odl_plan_with_margins (b, item, levels, plan_view);
  else
    plan_view (b, item, levels, view);
  if (own->filter->kind == ODL_FILTER_SCALE_BANDS && view == ODL_VIEW_SYNTHESIS
      && odl_recipe_get (b->recipe, item, "limiter", 0) != 0)
    plan_limit (b, item, before);
}
