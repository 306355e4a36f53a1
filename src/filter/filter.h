// SPDX-License-Identifier: MIT
// The tables of filters and their parameters. Sliders, command line options, preset
// keys, validation and `list` are all derived from these rows.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "filter/pulls.h"
#include "spatial_list.h"
#include "wavelet/transform.h"

// Number of values per filter in a recipe: a parameter owns values[offset … offset +
// count − 1].
#define ODL_FILTER_MAX_VALUES \
  (7 + ODL_MAX_LEVELS * (2 * ODL_DETAIL_BANDS + ODL_DEEP_BANDS))

#define ODL_SPECTRUM_SIDE 8
#define ODL_SPECTRUM_VALUES (ODL_SPECTRUM_SIDE * ODL_SPECTRUM_SIDE)

// Bands of a level of a volume that are high along z: LLH, HLH, LHH, HHH.
#define ODL_DEEP_BANDS 4

// The side of the histogram that trough-threshold keeps, in the order of its choices.
typedef enum {
  ODL_KEEP_AUTO, // what the file shows bright
  ODL_KEEP_LOW,
  ODL_KEEP_HIGH,
} OdlKeptSide;

// What stylise makes of two coefficients, in the order of its choices.
typedef enum {
  ODL_RULE_MAXIMUM, // the one of larger magnitude
  ODL_RULE_SUM,
} OdlCombiningRule;

// What shrinking leaves of a coefficient x where |x| exceeds the threshold T, in the
// order of shrinkage's choices; what does not exceed it becomes 0.
typedef enum {
  ODL_SHRINK_SOFT, // sign (x) (|x| − T)
  ODL_SHRINK_HARD, // x
  // x − T² / x: H. Gao, "Wavelet shrinkage denoising using the non-negative garrote",
  // Journal of Computational and Graphical Statistics 7 (1998), equation 2.2.
  ODL_SHRINK_GARROTE,
  // sign (x) T2 (|x| − T) / (T2 − T) up to the second threshold T2, beyond it x; here
  // T2 = 2 T: H. Gao and A. Bruce, "WaveShrink with firm shrinkage", Statistica Sinica 7
  // (1997), equation 2.
  ODL_SHRINK_FIRM,
  // sign (x) √(x² − T²): B. Vidakovic, "Statistical modeling by wavelets" (1999), 6.3.
  ODL_SHRINK_HYPERBOLIC,
} OdlShrinkingRule;

// Placeholder for a value that is yet to be measured from the picture (measure.h).
// Written "auto" in the text of a recipe.
#define ODL_VALUE_AUTO (-1.0)

// Of a parameter that counts over frames: measured once, in all frames of the source;
// and in every frame, which stays so. Written "cine" and "frame"; of noise that is
// measured in every frame "each-frame".
#define ODL_VALUE_CINE (-2.0)
#define ODL_VALUE_FRAME (-3.0)

typedef enum {
  ODL_FILTER_PASS_THROUGH,
  ODL_FILTER_TROUGH_THRESHOLD,
  ODL_FILTER_CONTOURS,
  ODL_FILTER_MASK,
  ODL_FILTER_DECOUPLE,
  ODL_FILTER_STYLISE,
  ODL_FILTER_SCALE_BANDS,
  ODL_FILTER_SOFT_THRESHOLD,
  ODL_FILTER_HARD_THRESHOLD,
  ODL_FILTER_SHRINKAGE,
  ODL_FILTER_BAYES_SHRINK,
  ODL_FILTER_SURE_SHRINK,
  ODL_FILTER_VISU_SHRINK,
  ODL_FILTER_NEIGH_SHRINK,
  ODL_FILTER_BIVARIATE,
  ODL_FILTER_TRANSFORM,
  ODL_FILTER_INVERSE,
  ODL_FILTER_BM3D,
  ODL_FILTER_REGISTER,
  ODL_FILTER_STRUCTURE_TENSOR,
  ODL_FILTER_ADAPTIVE,
  ODL_FILTER_RECURSIVE_AVERAGE,
  ODL_FILTER_SLIDING_MEAN,
  ODL_FILTER_SLIDING_MEDIAN,
  ODL_FILTER_PERSISTENCE,
#define ODL_FILTER_KIND(NAME, name) ODL_FILTER_##NAME
  ODL_SPATIAL_FILTERS (ODL_FILTER_KIND),
  ODL_N_FILTER_KINDS,
} OdlFilterKind;

typedef enum {
  ODL_DOMAIN_SPATIAL, // works on samples
  ODL_DOMAIN_COEFFICIENT, // works on wavelet coefficients
  ODL_DOMAIN_TEMPORAL, // works on samples of this and earlier frames
} OdlDomain;

typedef enum {
  ODL_PARAMETER_NUMBER,
  ODL_PARAMETER_INTEGER,
  ODL_PARAMETER_CHOICE, // index into choices
  ODL_PARAMETER_WAVELET, // index into the wavelet table
  // Numbers per wavelet level and detail band: value n · l + b belongs to level l (0 is
  // the finest) and band b (OdlDetailBand) of the n that odl_parameter_bands says.
  ODL_PARAMETER_MATRIX,
  // Of noise in the 8 × 8 coefficients of an orthonormal cosine transform of blocks, row
  // by row, the lowest frequencies first: ODL_SPECTRUM_VALUES numbers.
  ODL_PARAMETER_SPECTRUM,
  ODL_PARAMETER_PULLS, // ODL_MOST_PULLS times ODL_PULL_VALUES numbers
  ODL_PARAMETER_FILE, // a second picture, in OdlRecipeItem.file; at most one per filter
  ODL_PARAMETER_KERNEL, // a kernel, likewise; the filter does without one
} OdlParameterKind;

// Of a matrix: those bands whose numbers are the ones of the matrix before it until they
// have their own.
typedef enum {
  ODL_FOLLOWS_NOTHING,
  ODL_FOLLOWS_SLICES, // the ODL_DEEP_BANDS (plan/step.h)
  ODL_FOLLOWS_RISING, // HL, LH and HH of the dual tree, directions that fall to the right
                      // (wavelet/dual_tree.h)
} OdlFollowing;

typedef struct {
  const char *key; // in recipes: "threshold"
  const char *label; // displayed, translatable: "Threshold"
  const char *unit; // translatable, "" for none
  OdlParameterKind kind;
  double minimum;
  double maximum;
  double step;
  double default_value; // for a matrix, of each of its values
  bool measured; // the default is ODL_VALUE_AUTO; default_value is then a typical value,
                 // for a matrix that of level 0; level 1 has half of it, all others a
                 // quarter
  bool live; // measured in every frame: ODL_VALUE_AUTO stays
  bool measurable; // ODL_VALUE_AUTO may be asked for; the default is a number
  bool over_frames; // ODL_VALUE_CINE and ODL_VALUE_FRAME may be asked for
  bool each_frame; // ODL_VALUE_FRAME may be asked for
  bool is_threshold; // of coefficients, in the scale that "normalisation" says
  // Keys, NULL-terminated; for ODL_PARAMETER_CHOICE. Words among them are translatable.
  const char *const *choices;
  bool tacit; // titles omit the default, and tell other numbers with the label
  bool for_volumes; // has an effect on volumes only
  const char *selector; // the choice that `shapes` are of; NULL: "shape"
  unsigned shapes; // bits: has an effect only where no kernel is named, and with these
                   // values of “shape”, if there is one; 0: always
  OdlFollowing follows; // ODL_VALUE_AUTO, the default, is what the other matrix has
  int offset;
  int count; // 1; all values of a matrix; 0 for a file
} OdlParameter;

typedef struct _OdlOwnCode OdlOwnCode;

typedef struct {
  OdlFilterKind kind;
  const char *name; // "soft-threshold"
  const char *label; // translatable
  const char *description; // translatable, one sentence
  OdlDomain domain;
  const OdlParameter *parameters;
  size_t n_parameters;
  const OdlOwnCode *code; // of “glsl” with a file (filter/own/own.h); NULL: none
} OdlFilter;

// Whether it shrinks by thresholds that are found in each band of each frame.
static inline bool
odl_filter_finds_thresholds (const OdlFilter *filter)
{
  switch (filter->kind) {
  case ODL_FILTER_BAYES_SHRINK:
  case ODL_FILTER_SURE_SHRINK:
  case ODL_FILTER_VISU_SHRINK:
  case ODL_FILTER_NEIGH_SHRINK:
    return true;
  default:
    return false;
  }
}

// The rows of spatial filters, which are beside how these are planned (plan/spatial.h).
#define ODL_FILTER_ROW(NAME, name) odl_filter_##name
extern const OdlFilter ODL_SPATIAL_FILTERS (ODL_FILTER_ROW);

size_t odl_filter_count (void);
const OdlFilter *odl_filter_at (size_t index);
const OdlFilter *odl_filter_find (const char *name); // NULL when unknown
const OdlParameter *odl_filter_parameter (const OdlFilter *filter,
                                          const char *key); // NULL when unknown

// The second picture; NULL if the filter takes none.
const OdlParameter *odl_filter_file (const OdlFilter *filter);

// Whether the second picture may be a volume: that of a filter with dimensions.
bool odl_filter_takes_volume (const OdlFilter *filter);

// The file parameter, a second picture or a kernel; NULL: none.
const OdlParameter *odl_filter_any_file (const OdlFilter *filter);

static inline bool
odl_parameter_is_file (const OdlParameter *parameter)
{
  return parameter->kind == ODL_PARAMETER_FILE || parameter->kind == ODL_PARAMETER_KERNEL;
}

// Whether ODL_VALUE_AUTO may stand for a value.
static inline bool
odl_parameter_may_wait (const OdlParameter *parameter)
{
  return parameter->measured || parameter->measurable || parameter->follows;
}

// Whether a value is none yet, and a picture, or all of them, will tell it.
static inline bool
odl_parameter_waits (const OdlParameter *parameter, double value)
{
  return (value == ODL_VALUE_AUTO && odl_parameter_may_wait (parameter))
         || (value == ODL_VALUE_CINE && parameter->over_frames);
}

// Whether a value stays a word, and each frame tells the number.
static inline bool
odl_parameter_is_of_frames (const OdlParameter *parameter, double value)
{
  return value == ODL_VALUE_FRAME && (parameter->over_frames || parameter->each_frame);
}

// The word that stands for a value in recipes: "auto", "cine", "frame", "each-frame".
// NULL: it is a number.
const char *odl_parameter_word (const OdlParameter *parameter, double value);

// What a word stands for. False: for nothing.
bool
odl_parameter_from_word (const OdlParameter *parameter, const char *word, double *value);

// Of a level in a matrix.
static inline int
odl_parameter_bands (const OdlParameter *parameter)
{
  return parameter->follows == ODL_FOLLOWS_SLICES ? ODL_DEEP_BANDS : ODL_DETAIL_BANDS;
}

// Default of the i-th value of a parameter; ODL_VALUE_AUTO if it is measured or follows
// others.
double odl_parameter_default (const OdlParameter *parameter, int i);

// The upper limit; for a wavelet the last row of the wavelet table. Orthonormal
// thresholds have another one (odl_recipe_item_maximum).
double odl_parameter_maximum (const OdlParameter *parameter);

// `value`, or the typical i-th value for what is no number: for uses without a picture,
// such as timing and testing engines. ODL_VALUE_AUTO stays in a matrix that follows
// another one.
double odl_parameter_usual (const OdlParameter *parameter, int i, double value);

// `value` clamped to the range; integers, choices and wavelets are rounded.
// What has a word is kept where it is allowed.
double odl_parameter_clamp (const OdlParameter *parameter, double value);
