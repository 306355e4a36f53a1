// SPDX-License-Identifier: MIT
#include "plan/planner.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "filter/measure.h"
#include "filter/normalisation.h"
#include "plan/numbers.h"

int
odl_planner_add_slot (OdlPlanner *b,
                      OdlSlotKind kind,
                      int level,
                      int width,
                      int height,
                      int channels)
{
  const OdlSlot slot = { .kind = kind,
                         .level = level,
                         .width = width,
                         .height = height,
                         .channels = channels,
                         .depth = b->geometry.depth };

  g_array_append_val (b->slots, slot);
  return (int) b->slots->len - 1;
}

int
odl_planner_add_slot_like (OdlPlanner *b, int like, OdlSlotKind kind, int level)
{
  const int channels = g_array_index (b->slots, OdlSlot, like).channels;
  if (b->part.level > 0 && kind == ODL_SLOT_PICTURE && level == 0)
    return odl_planner_add_slot (b, kind, b->part.level, b->part.width, b->part.height,
                                 channels);
  const int halvings = kind == ODL_SLOT_PICTURE ? level : level - 1;

  const int slot = odl_planner_add_slot (
      b, kind, level, odl_level_size (b->geometry.width, halvings),
      odl_level_size (b->geometry.height, halvings), channels);
  if (b->volumetric)
    g_array_index (b->slots, OdlSlot, slot).depth
        = odl_level_size (b->geometry.depth, halvings);
  return slot;
}

// Zeroed including padding, because odl_step_same_structure compares bytes.
OdlStep *
odl_planner_add_step (OdlPlanner *b, OdlStepKind kind, int read, int write, int item)
{
  g_array_set_size (b->steps, b->steps->len + 1);

  OdlStep *step = &g_array_index (b->steps, OdlStep, b->steps->len - 1);
  step->kind = kind;
  step->reads[0] = read;
  for (int r = 1; r < ODL_STEP_MOST_READS; r++)
    step->reads[r] = ODL_PLAN_NO_SLOT;
  step->writes = write;
  step->item = item;
  step->group = b->group;
  return step;
}

OdlStep *
odl_planner_add_picture_step (OdlPlanner *b, OdlStepKind kind, int item)
{
  const int out = odl_planner_add_slot_like (b, b->picture, ODL_SLOT_PICTURE, 0);
  OdlStep *step = odl_planner_add_step (b, kind, b->picture, out, item);

  b->picture = out;
  return step;
}

int
odl_planner_add_numbers (OdlPlanner *b, int width, int channels, bool observed)
{
  const int slot = odl_planner_add_slot (b, ODL_SLOT_NUMBERS, 0, width, 1, channels);

  g_array_index (b->slots, OdlSlot, slot).observed = observed && !b->away;
  return slot;
}

double
odl_planner_whole_unit (const OdlPlanner *b)
{
  int slot = b->picture;

  for (int i = (int) b->steps->len - 1; i >= 0; i--) {
    const OdlStep *step = &g_array_index (b->steps, OdlStep, i);
    if (step->writes != slot)
      continue;
    if (step->kind == ODL_STEP_LOAD)
      return b->geometry.steps > 0 ? 1.0 / b->geometry.steps : 0;
    const OdlStepRow *row = odl_step_row (step->kind);
    if (row->keeps_whole == NULL || !row->keeps_whole (step))
      return 0;
    slot = step->reads[0];
  }
  return 0;
}

void
odl_planner_note (OdlPlanner *b, const char *format, ...)
{
  va_list arguments;

  if (b->away)
    return;
  if (b->note->len > 0)
    g_string_append (b->note, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (b->note, format, arguments);
  va_end (arguments);
}

void
odl_planner_note_flat (OdlPlanner *b)
{
  odl_planner_note (
      b, _ ("in 2 dimensions, since 3 need all slices of a volume; those of a cine or "
            "a video are its frames, along time, when it is opened as volume:NAME, or "
            "with “Frames as Slices of a Volume” in the window’s menu"));
}

double
odl_planner_black (const OdlPlanner *b)
{
  return b->geometry.bits == 8 ? 1.5 / 255 : 0;
}

// Details that equal a hard threshold are common: those of whole samples lie on a grid,
// and thresholds are round numbers. Each engine would round some of them up and others
// down, and whether a detail is kept or removed makes a difference of its full magnitude.
// So the limit exceeds the threshold by a little more than rounding errors; details that
// equal the threshold are removed. The hyperbolic rule rises vertically there.
static double
limit_of (double threshold, OdlShrinkingRule rule)
{
  const bool steep = rule == ODL_SHRINK_HARD || rule == ODL_SHRINK_HYPERBOLIC;

  return steep && threshold > 0 ? threshold + ODL_BEYOND_TIES : threshold;
}

// A number that the recipe gives for a band, for the coefficients that engines have.
static double
scaled (const OdlPlanner *b, int item, int level, int band, double threshold)
{
  return MIN (
      threshold
          * odl_threshold_scale (&b->recipe->items[item], level, (OdlDetailBand) band),
      ODL_EVERY_DETAIL);
}

static double
threshold_of (const OdlPlanner *b, int item, int level, int band)
{
  const bool each = b->recipe->items[item].filter->kind == ODL_FILTER_SHRINKAGE;
  const char *key = each ? "thresholds" : "threshold";
  const int i = each ? ODL_DETAIL_BANDS * (level - 1) + band : 0;

  return scaled (
      b, item, level, band,
      odl_parameter_usual (odl_filter_parameter (b->recipe->items[item].filter, key), i,
                           odl_recipe_get (b->recipe, item, key, i)));
}

static OdlShrinkingRule
rule_of (const OdlPlanner *b, int item)
{
  const OdlFilterKind kind = b->recipe->items[item].filter->kind;

  if (kind == ODL_FILTER_SHRINKAGE)
    return (OdlShrinkingRule) odl_recipe_get (b->recipe, item, "rule", 0);
  return kind == ODL_FILTER_HARD_THRESHOLD ? ODL_SHRINK_HARD : ODL_SHRINK_SOFT;
}

void
odl_planner_set_rule (OdlPlanner *b, int item, OdlStep *step)
{
  const OdlShrinkingRule rule = rule_of (b, item);

  b->steep |= rule == ODL_SHRINK_HYPERBOLIC;
  step->parameters.hard = rule == ODL_SHRINK_HARD;
  step->rule = rule == ODL_SHRINK_HARD ? ODL_SHRINK_SOFT : rule;
}

double
odl_planner_threshold (const OdlPlanner *b, int item, int level, OdlDetailBand band)
{
  return limit_of (threshold_of (b, item, level, band), rule_of (b, item));
}

double
odl_planner_falling_threshold (const OdlPlanner *b,
                               int item,
                               int level,
                               OdlDetailBand band)
{
  const OdlFilter *filter = b->recipe->items[item].filter;
  const double own = odl_filter_parameter (filter, "falling-thresholds")
                         ? odl_recipe_get (b->recipe, item, "falling-thresholds",
                                           ODL_DETAIL_BANDS * (level - 1) + (int) band)
                         : ODL_VALUE_AUTO;

  return own == ODL_VALUE_AUTO
             ? odl_planner_threshold (b, item, level, band)
             : limit_of (scaled (b, item, level, (int) band, own), rule_of (b, item));
}

int
odl_planner_window (const OdlPlanner *b, int item)
{
  return 3 + 2 * (int) odl_recipe_get (b->recipe, item, "window", 0);
}

double
odl_planner_octant_threshold (const OdlPlanner *b, int item, int level, int octant)
{
  const bool deep = octant >= ODL_OCTANT_HIGH;
  const bool own = odl_filter_parameter (b->recipe->items[item].filter, "z-thresholds");
  const int in_slice = MAX (octant % ODL_OCTANT_HIGH - 1, ODL_BAND_HL);
  double threshold
      = deep && own
            ? odl_recipe_get (b->recipe, item, "z-thresholds",
                              ODL_DEEP_BANDS * (level - 1) + octant - ODL_OCTANT_HIGH)
            : ODL_VALUE_AUTO;

  threshold = threshold == ODL_VALUE_AUTO ? threshold_of (b, item, level, in_slice)
                                          : scaled (b, item, level, in_slice, threshold);
  return limit_of (threshold, rule_of (b, item)) * exp2 (-0.5 * level)
         * (octant > ODL_OCTANT_HIGH ? 2 : 1);
}

void
odl_planner_set_approximation (OdlPlanner *b, int levels)
{
  b->details = (OdlDetails){ levels, odl_level_size (b->geometry.width, levels),
                             odl_level_size (b->geometry.height, levels) };
}

static double
share_of (const OdlPlanner *b, int item, int level, OdlDetailBand band)
{
  const OdlParameter *profile
      = odl_filter_parameter (b->recipe->items[item].filter, "profile");
  const int i = ODL_DETAIL_BANDS * (level - 1) + (int) band;

  return odl_parameter_usual (profile, i, odl_recipe_get (b->recipe, item, "profile", i));
}

static double
white_gain (const OdlWavelet *wavelet, int level, OdlDetailBand band)
{
  return wavelet != NULL ? odl_noise_gain_of_band (wavelet, level, band)
                         : odl_noise_gain_of_dual_band (level, band);
}

double
odl_planner_noise_gain (const OdlPlanner *b,
                        int item,
                        const OdlWavelet *wavelet,
                        int level,
                        OdlDetailBand band)
{
  return share_of (b, item, level, band) * white_gain (wavelet, level, band);
}

// Bands without noise count as if they had as much as the others.
double
odl_planner_parent_weight (const OdlPlanner *b,
                           int item,
                           const OdlWavelet *wavelet,
                           int level,
                           OdlDetailBand band)
{
  const double own = share_of (b, item, level, band);
  const double above = share_of (b, item, level + 1, band);

  return white_gain (wavelet, level, band) / white_gain (wavelet, level + 1, band)
         * (own > 0 && above > 0 ? own / above : 1);
}

int
odl_planner_kept_level (OdlPlanner *b, int levels)
{
  const int kept = odl_view_level (b->recipe->view);

  if (kept > levels)
    odl_planner_note (
        b, _ ("level %d in the place of level %d, which the filter does not have"),
        levels, kept);
  return MIN (kept, levels);
}

int
odl_planner_gain (OdlPlanner *b, int item, int read, double gain)
{
  const int level = g_array_index (b->slots, OdlSlot, read).level;
  const int out = odl_planner_add_slot_like (b, read, ODL_SLOT_PICTURE, level);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_CONVOLVE_LINE, read, out, item);

  step->axis = ODL_AXIS_X;
  step->parameters.taps[0] = gain;
  g_array_index (b->slots, OdlSlot, out).details = true;
  return out;
}

int
odl_planner_scale_base (OdlPlanner *b, int item, int read)
{
  const OdlSlot slot = g_array_index (b->slots, OdlSlot, read);
  const int out = odl_planner_add_slot (b, slot.kind, slot.level, slot.width, slot.height,
                                        slot.channels);
  OdlStep *step = odl_planner_add_step (b, ODL_STEP_CONVOLVE_LINE, read, out, item);

  b->parts = true;
  step->axis = ODL_AXIS_X;
  step->parameters.taps[0] = odl_recipe_get (b->recipe, item, "base", 0);
  return out;
}

bool
odl_planner_needs_single (OdlPlanner *b)
{
  const struct {
    bool needed;
    const char *note;
  } reasons[] = {
    { b->deep, N_ ("32-bit precision: 16 bits are exact for 8-bit images only") },
    { b->reversible, N_ ("32-bit precision: integer wavelets need it") },
    { b->temporal, N_ ("32-bit precision: filters over time need it") },
    { b->cuts, N_ ("32-bit precision: thresholds at troughs, contours and local "
                   "equalisation need it") },
    { b->peaks, N_ ("32-bit precision: a reference of each frame needs it") },
    { b->divides, N_ ("32-bit precision: dividing pictures needs it") },
    { b->dual, N_ ("32-bit precision: the dual tree needs it") },
    { b->parts, N_ ("32-bit precision: filters inside a transform need it") },
    { b->spins, N_ ("32-bit precision: means over shifts need it") },
    { b->with_margins, N_ ("32-bit precision: mirrored margins need it") },
    { b->shrinks, N_ ("32-bit precision: thresholds that are measured for each band of "
                      "this transform need it") },
    { b->steep, N_ ("32-bit precision: the hyperbolic rule needs it") },
    { b->details.levels > 0 && odl_view_level (b->recipe->view) > 0,
      N_ ("32-bit precision: one level by itself needs it") },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (reasons); i++) {
    if (!reasons[i].needed)
      continue;
    if (b->recipe->precision == 16)
      odl_planner_note (b, "%s", _ (reasons[i].note));
    return true;
  }
  return false;
}
