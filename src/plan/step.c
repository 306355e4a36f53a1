// SPDX-License-Identifier: MIT
#include "plan/spatial.h"

#include <string.h>

#include "plan/scan.h"

#define STRUCTURE ODL_STEP_STRUCTURE
#define PARAMETER ODL_STEP_PARAMETER

#define ELEMENT(NAME, ARRAY, I) \
  { \
    NAME, ODL_FIELD_DOUBLE, offsetof (OdlStep, parameters.ARRAY[I]) \
  }

#define STEP(text, of, in) \
  .name = (text), .class = ODL_STEP_CLASS_##of, .phase = ODL_PHASE_##in

static const OdlStepRow rows[ODL_N_STEP_KINDS] = {
  [ODL_STEP_LOAD] = { STEP ("load", SOURCE, LOAD), .fields = { STRUCTURE (input, INT) } },
  [ODL_STEP_LUMA]
  = { STEP ("luma", COLOUR, FILTER),
      .fields = { ELEMENT ("kr", weights, 0), ELEMENT ("kb", weights, 2) } },
  [ODL_STEP_CONVOLVE_LINE]
  = { STEP ("convolve-line", SPATIAL, FILTER), .reach = ODL_PLAN_MAX_RADIUS,
      .fields = { PARAMETER (radius, INT) } },
  [ODL_STEP_CUT] = { STEP ("cut", SPATIAL, FILTER), .keeps_whole = odl_step_always,
                     .fields = { PARAMETER (low, INT), PARAMETER (unit, DOUBLE) } },
  [ODL_STEP_OUTLINE]
  = { STEP ("outline", SPATIAL, FILTER), .keeps_whole = odl_step_always,
      .fields = { PARAMETER (filled, INT), PARAMETER (thickness, INT) } },
  [ODL_STEP_KEEP] = { STEP ("keep", SPATIAL, FILTER), .keeps_whole = odl_step_always,
                      .fields = { PARAMETER (fill, DOUBLE) } },
  [ODL_STEP_INSIDE] = { STEP ("inside", SPATIAL, FILTER), .reach = 1,
                        .fields = { PARAMETER (tolerance, DOUBLE) } },
  [ODL_STEP_DIVIDE] = { STEP ("divide", SPATIAL, FILTER), .amplifies = true,
                        .fields = { PARAMETER (least, DOUBLE) } },
  [ODL_STEP_RESIDUAL] = { STEP ("residual", SPATIAL, FILTER) },
  [ODL_STEP_ADD] = { STEP ("add", SPATIAL, FILTER), .amplifies = true },
  [ODL_STEP_RAISE]
  = { STEP ("raise", SPATIAL, FILTER), .fields = { ODL_STEP_VALUE ("level", 0) } },
  [ODL_STEP_OWN]
  = { STEP ("own", SPATIAL, FILTER), .amplifies = true,
      .fields = { ODL_STEP_VALUE ("own0", 0), ODL_STEP_VALUE ("own1", 1),
                  ODL_STEP_VALUE ("own2", 2), ODL_STEP_VALUE ("own3", 3),
                  ODL_STEP_VALUE ("own4", 4), ODL_STEP_VALUE ("own5", 5),
                  ODL_STEP_VALUE ("own6", 6), ODL_STEP_VALUE ("own7", 7) } },
  [ODL_STEP_PYTHON]
  = { STEP ("python", BLOCKS, FILTER), .amplifies = true,
      .fields
      = { STRUCTURE (rule, INT), ODL_STEP_VALUE ("own0", 0), ODL_STEP_VALUE ("own1", 1),
          ODL_STEP_VALUE ("own2", 2), ODL_STEP_VALUE ("own3", 3),
          ODL_STEP_VALUE ("own4", 4), ODL_STEP_VALUE ("own5", 5),
          ODL_STEP_VALUE ("own6", 6), ODL_STEP_VALUE ("own7", 7) } },
  [ODL_STEP_LIMIT] = { STEP ("limit", SPATIAL, FILTER), .reach = 1,
                       .fields = { PARAMETER (tolerance, DOUBLE) } },
  [ODL_STEP_DECOUPLE]
  = { STEP ("decouple", SPATIAL, FILTER), .amplifies = true, .reach = 1,
      .fields = { PARAMETER (illumination, DOUBLE), PARAMETER (texture, DOUBLE),
                  PARAMETER (brightness, DOUBLE), PARAMETER (least, DOUBLE),
                  PARAMETER (tolerance, DOUBLE) } },
  [ODL_STEP_FORWARD] = { STEP ("forward", TRANSFORM, FORWARD) },
  [ODL_STEP_THRESHOLD]
  = { STEP ("threshold", COEFFICIENTS, FILTER),
      .fields = { ELEMENT ("hl", thresholds, 0), ELEMENT ("lh", thresholds, 1),
                  ELEMENT ("hh", thresholds, 2), ELEMENT ("llh", thresholds, 3),
                  ELEMENT ("hlh", thresholds, 4), ELEMENT ("lhh", thresholds, 5),
                  ELEMENT ("hhh", thresholds, 6), PARAMETER (hard, INT),
                  STRUCTURE (rule, INT), STRUCTURE (side, INT) } },
  [ODL_STEP_COMBINE]
  = { STEP ("combine", COEFFICIENTS, FILTER),
      .fields = { STRUCTURE (rule, INT), ELEMENT ("ll", own, 0), ELEMENT ("hl", own, 1),
                  ELEMENT ("lh", own, 2), ELEMENT ("hh", own, 3),
                  ELEMENT ("other_ll", other, 0), ELEMENT ("other_hl", other, 1),
                  ELEMENT ("other_lh", other, 2), ELEMENT ("other_hh", other, 3) } },
  [ODL_STEP_BIVARIATE]
  = { STEP ("bivariate", COEFFICIENTS, FILTER),
      .fields = { STRUCTURE (level, INT), STRUCTURE (side, INT),
                  ELEMENT ("hl", thresholds, 0), ELEMENT ("lh", thresholds, 1),
                  ELEMENT ("hh", thresholds, 2), ELEMENT ("next_hl", gains, 0),
                  ELEMENT ("next_lh", gains, 1), ELEMENT ("next_hh", gains, 2) } },
  [ODL_STEP_INVERSE] = { STEP ("inverse", TRANSFORM, BACKWARD) },
  [ODL_STEP_LAYOUT] = { STEP ("layout", COEFFICIENTS, BACKWARD) },
  [ODL_STEP_BAND] = { STEP ("band", BANDS, FILTER), .fields = { STRUCTURE (band, INT) } },
  [ODL_STEP_JOIN] = { STEP ("join", BANDS, FILTER) },
  [ODL_STEP_SHIFT] = { STEP ("shift", BANDS, FILTER),
                       .fields = { ODL_STEP_VALUE ("dx", 0), ODL_STEP_VALUE ("dy", 1),
                                   PARAMETER (weight, DOUBLE) } },
  [ODL_STEP_STATIONARY_FORWARD]
  = { STEP ("stationary-forward", SPATIAL, FORWARD),
      .fields = { STRUCTURE (band, INT), PARAMETER (threshold, DOUBLE),
                  PARAMETER (hard, INT), STRUCTURE (rule, INT) } },
  [ODL_STEP_STATIONARY_INVERSE] = { STEP ("stationary-inverse", SPATIAL, BACKWARD) },
  [ODL_STEP_SHRINK] = { STEP ("shrink", SPATIAL, FILTER),
                        .fields = { STRUCTURE (side, INT), STRUCTURE (level, INT),
                                    PARAMETER (threshold, DOUBLE), PARAMETER (hard, INT),
                                    STRUCTURE (rule, INT) } },
  [ODL_STEP_PLACE] = { STEP ("place", SPATIAL, BACKWARD),
                       .fields = { STRUCTURE (level, INT), STRUCTURE (band, INT) } },
  [ODL_STEP_DUAL_FORWARD]
  = { STEP ("dual-forward", DUAL_TREE, FORWARD),
      .fields = { STRUCTURE (level, INT), STRUCTURE (band, INT) } },
  [ODL_STEP_DUAL_SHRINK]
  = { STEP ("dual-shrink", DUAL_TREE, FILTER),
      .fields = { ELEMENT ("rising", thresholds, 0), ELEMENT ("falling", thresholds, 1),
                  ELEMENT ("rising_gain", gains, 0), ELEMENT ("falling_gain", gains, 1),
                  PARAMETER (hard, INT), STRUCTURE (rule, INT) } },
  [ODL_STEP_DUAL_BIVARIATE]
  = { STEP ("dual-bivariate", DUAL_TREE, FILTER),
      .fields = { STRUCTURE (level, INT), STRUCTURE (side, INT),
                  PARAMETER (sigma, DOUBLE), PARAMETER (weight, DOUBLE) } },
  [ODL_STEP_DUAL_INVERSE]
  = { STEP ("dual-inverse", DUAL_TREE, BACKWARD), .fields = { STRUCTURE (level, INT) } },
  [ODL_STEP_DUAL_PLACE] = { STEP ("dual-place", DUAL_TREE, BACKWARD),
                            .fields = { STRUCTURE (level, INT), STRUCTURE (band, INT),
                                        STRUCTURE (rule, INT) } },
  [ODL_STEP_BM3D] = { STEP ("bm3d", BLOCKS, FILTER),
                      .fields = { PARAMETER (sigma, DOUBLE), STRUCTURE (rule, INT),
                                  STRUCTURE (band, INT) } },
  // `past` and `ahead` of the frames that are read belong to this one; others stand in.
  [ODL_STEP_BM3D_TIME]
  = { STEP ("bm3d-time", BLOCKS, FILTER),
      .fields = { PARAMETER (sigma, DOUBLE), STRUCTURE (rule, INT), STRUCTURE (side, INT),
                  ODL_STEP_VALUE ("past", 0), ODL_STEP_VALUE ("ahead", 1) } },
  [ODL_STEP_REGISTER]
  = { STEP ("register", BLOCKS, FILTER), .amplifies = true,
      .fields = { STRUCTURE (rule, INT), ODL_STEP_VALUE ("smoothing", 0),
                  ODL_STEP_VALUE ("iterations", 1), ODL_STEP_VALUE ("scales", 2) } },
  [ODL_STEP_RECOMBINE] = { STEP ("recombine", COLOUR, FILTER) },
  [ODL_STEP_OPPONENT] = { STEP ("opponent", COLOUR, FILTER), .amplifies = true,
                          .fields = { STRUCTURE (band, INT) } },
  [ODL_STEP_SCAN_CONVERT]
  = { STEP ("scan", RESAMPLE, BACKWARD), .amplifies = true,
      .fields
      = { STRUCTURE (rule, INT), STRUCTURE (side, INT),
          ODL_STEP_VALUE ("left", ODL_SCAN_LEFT), ODL_STEP_VALUE ("top", ODL_SCAN_TOP),
          ODL_STEP_VALUE ("pixel", ODL_SCAN_PIXEL),
          ODL_STEP_VALUE ("first", ODL_SCAN_FIRST),
          ODL_STEP_VALUE ("column_step", ODL_SCAN_COLUMN_STEP),
          ODL_STEP_VALUE ("origin", ODL_SCAN_ORIGIN),
          ODL_STEP_VALUE ("row_step", ODL_SCAN_ROW_STEP),
          ODL_STEP_VALUE ("steering", ODL_SCAN_STEERING) } },
  [ODL_STEP_RECURSIVE]
  = { STEP ("recursive", TIME, FILTER), .recursive = true,
      .fields = { STRUCTURE (frames, INT), PARAMETER (weight, DOUBLE) } },
  [ODL_STEP_PERSISTENCE]
  = { STEP ("persistence", TIME, FILTER), .recursive = true,
      .fields = { STRUCTURE (frames, INT), PARAMETER (weight, DOUBLE),
                  PARAMETER (threshold, DOUBLE), PARAMETER (radius, INT) } },
  [ODL_STEP_MEAN]
  = { STEP ("mean", TIME, FILTER), .fields = { STRUCTURE (frames, INT) } },
  [ODL_STEP_TEMPORAL_MEDIAN]
  = { STEP ("temporal-median", TIME, FILTER), .fields = { STRUCTURE (frames, INT) } },
  [ODL_STEP_MAGNITUDE]
  = { STEP ("magnitude", TENSOR, FILTER), .fields = { ODL_STEP_VALUE ("zero", 0) } },
  [ODL_STEP_TENSOR] = { STEP ("tensor", TENSOR, FILTER),
                        .fields = { STRUCTURE (rule, INT),
                                    { "noise", ODL_FIELD_DOUBLE,
                                      offsetof (OdlStep, parameters.threshold) } } },
  [ODL_STEP_STEER]
  = { STEP ("steer", TENSOR, FILTER),
      .fields
      = { { "noise", ODL_FIELD_DOUBLE, offsetof (OdlStep, parameters.threshold) },
          { "isotropy", ODL_FIELD_DOUBLE, offsetof (OdlStep, parameters.tolerance) } } },
  [ODL_STEP_SIDES] = { STEP ("sides", MEASURE, FILTER) },
  [ODL_STEP_MASK]
  = { STEP ("mask", MEASURE, FILTER), .fields = { PARAMETER (tolerance, DOUBLE) } },
  [ODL_STEP_NOISE]
  = { STEP ("noise", MEASURE, FILTER),
      .fields = { PARAMETER (sigma, DOUBLE), ELEMENT ("hh", gains, 2) } },
  [ODL_STEP_BAYES]
  = { STEP ("bayes", MEASURE, FILTER),
      .fields = { STRUCTURE (band, INT), STRUCTURE (rule, INT), ELEMENT ("hl", gains, 0),
                  ELEMENT ("lh", gains, 1), ELEMENT ("hh", gains, 2) } },
  [ODL_STEP_TROUGH]
  = { STEP ("trough", MEASURE, FILTER),
      .fields = { STRUCTURE (bins, INT), PARAMETER (low, INT), PARAMETER (smoothing, INT),
                  PARAMETER (share, DOUBLE), PARAMETER (unit, DOUBLE),
                  PARAMETER (edge, DOUBLE) } },
  [ODL_STEP_SNAKES]
  = { STEP ("snakes", MEASURE, FILTER),
      .fields = { PARAMETER (tension, DOUBLE), PARAMETER (rigidity, DOUBLE),
                  PARAMETER (diffusion, DOUBLE), PARAMETER (smallest, DOUBLE),
                  PARAMETER (low, INT), PARAMETER (unit, DOUBLE) } },
  [ODL_STEP_EQUALISE] = { STEP ("equalise", MEASURE, FILTER),
                          .fields = { STRUCTURE (side, INT), STRUCTURE (bins, INT),
                                      ODL_STEP_VALUE ("limit", 0) } },
  [ODL_STEP_PEAK] = { STEP ("peak", MEASURE, FILTER) },
};

#define ROW(NAME, name) [ODL_STEP_##NAME] = &odl_step_##name
static const OdlStepRow *const spatial_rows[ODL_N_STEP_KINDS]
    = { ODL_SPATIAL_STEPS (ROW) };

const OdlStepRow *
odl_step_row (OdlStepKind kind)
{
  g_return_val_if_fail (kind < ODL_N_STEP_KINDS, NULL);
  return spatial_rows[kind] != NULL ? spatial_rows[kind] : &rows[kind];
}

bool
odl_step_always (const OdlStep *step)
{
  return true;
}

const OdlTaps *
odl_step_taps (const OdlStep *step, int r)
{
  const OdlWavelet *wavelet = step->wavelet;

  if (step->kind == ODL_STEP_STATIONARY_FORWARD)
    return step->band == 0 ? &wavelet->analysis_low : &wavelet->analysis_high;
  return r == 0 ? &wavelet->stationary_low : &wavelet->stationary_high;
}

const OdlDualFilter *
odl_step_dual_filter (const OdlStep *step, int r)
{
  const bool inverse = step->kind == ODL_STEP_DUAL_INVERSE;

  return odl_dual_filter (step->level, inverse ? r : step->band, inverse);
}

int
odl_step_reach (const OdlStep *step)
{
  const int reach = odl_step_row (step->kind)->reach;

  if (step->kind == ODL_STEP_SHRINK)
    return (step->side / 2) << step->level;
  if (step->wavelet != NULL)
    return MAX (odl_taps_reach (odl_step_taps (step, 0)),
                odl_taps_reach (odl_step_taps (step, 1)))
           * odl_step_spacing (step);
  return reach > 0 ? reach : step->side / 2;
}

bool
odl_step_field_is_structural (const OdlStepField *field)
{
  return field->offset < offsetof (OdlStep, parameters);
}

double
odl_step_field_value (const OdlStep *step, const OdlStepField *field)
{
  const void *at = (const char *) step + field->offset;

  return field->type == ODL_FIELD_INT ? *(const int *) at : *(const double *) at;
}

double
odl_step_value (const OdlStep *step, const char *name)
{
  const OdlStepRow *row = odl_step_row (step->kind);

  for (const OdlStepField *f = row->fields; f->name != NULL; f++)
    if (g_str_equal (f->name, name))
      return odl_step_field_value (step, f);
  g_error ("the row of the step “%s” has no field “%s”", row->name, name);
}

// Steps are created in zeroed memory and no struct has padding, so equal steps have equal
// bytes: new fields are compared without a change here.
bool
odl_step_same_structure (const OdlStep *a, const OdlStep *b)
{
  _Static_assert(offsetof (OdlStep, parameters)
                     == offsetof (OdlStep, group) + sizeof (int),
                 "OdlStep has no padding before `parameters`, and `group` stands last "
                 "there: another int takes one more beside it");
  return memcmp (a, b, offsetof (OdlStep, parameters)) == 0;
}

bool
odl_step_same_parameters (const OdlStep *a, const OdlStep *b)
{
  const OdlStepParameters *one = &a->parameters, *other = &b->parameters;
  const size_t n = (size_t) (a->kernel_width * a->kernel_height * a->kernel_depth);

  _Static_assert(sizeof *one
                         == offsetof (OdlStepParameters, operand) + sizeof (OdlImage *)
                     && offsetof (OdlStepParameters, operand)
                            == offsetof (OdlStepParameters, kernel) + sizeof (float *),
                 "OdlStepParameters has no padding: ints come in pairs, and `kernel` and "
                 "`operand` stand last");
  return memcmp (one, other, offsetof (OdlStepParameters, kernel)) == 0
         && one->operand == other->operand
         && (one->kernel == NULL
             || memcmp (one->kernel, other->kernel, n * sizeof (float)) == 0);
}

bool
odl_step_reads (const OdlStep *step, int slot)
{
  for (int r = 0; r < ODL_STEP_MOST_READS; r++)
    if (step->reads[r] == slot)
      return true;
  return false;
}
