// SPDX-License-Identifier: MIT
// The filter table and the parameter table: one const row per filter, one per parameter.
// The same rows make sliders, command-line options, preset keys, validation and `list`.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "wavelet/transform.h"

// Values of one filter in a recipe: every parameter owns values[offset … offset + count −
// 1].
#define ODL_FILTER_MAX_VALUES (4 + ODL_MAX_LEVELS * ODL_DETAIL_BANDS)

// In the place of a value: whatever suits the picture, as long as none was measured
// (measure.h). "auto" in the text of a recipe.
#define ODL_VALUE_AUTO (-1.0)

typedef enum {
  ODL_FILTER_PASS_THROUGH,
  ODL_FILTER_GAUSSIAN,
  ODL_FILTER_SHARPEN,
  ODL_FILTER_MEDIAN,
  ODL_FILTER_MIX,
  ODL_FILTER_SOFT_THRESHOLD,
  ODL_FILTER_HARD_THRESHOLD,
  ODL_FILTER_SHRINKAGE,
  ODL_FILTER_BAYES_SHRINK,
  ODL_FILTER_RECURSIVE_AVERAGE,
  ODL_FILTER_SLIDING_MEAN,
  ODL_FILTER_SLIDING_MEDIAN,
  ODL_FILTER_PERSISTENCE,
  ODL_N_FILTER_KINDS,
} OdlFilterKind;

typedef enum {
  ODL_DOMAIN_SPATIAL, // works on samples
  ODL_DOMAIN_COEFFICIENT, // works on wavelet coefficients
  ODL_DOMAIN_TEMPORAL, // works on the samples of this frame and of those before it
} OdlDomain;

typedef enum {
  ODL_PARAMETER_NUMBER,
  ODL_PARAMETER_INTEGER,
  ODL_PARAMETER_CHOICE, // index into choices
  ODL_PARAMETER_WAVELET, // index into the wavelet table
  // Numbers, one per wavelet level and detail band: value ODL_DETAIL_BANDS · l + b is
  // that of level l (0 the finest) and band b (OdlDetailBand).
  ODL_PARAMETER_MATRIX,
  ODL_PARAMETER_FILE, // a second picture: no number but OdlRecipeItem.file, one at most
} OdlParameterKind;

typedef struct {
  const char *key; // in recipes: "threshold"
  const char *label; // for people, translatable: "Threshold"
  const char *unit; // translatable, "" where there is none
  OdlParameterKind kind;
  double minimum;
  double maximum;
  double step;
  double default_value; // of a matrix: of each of its values
  bool measured; // its default comes from the picture; default_value is a usual value, of
                 // a matrix of its first level: the second has half of it, all others a
                 // quarter
  bool live; // measured, and anew in every frame: ODL_VALUE_AUTO stays what it is
  const char *const *choices; // keys, NULL-terminated; for ODL_PARAMETER_CHOICE
  bool tacit; // the default needs no word in titles
  int offset;
  int count; // 1, or all values of a matrix; 0 for a file
} OdlParameter;

typedef struct {
  OdlFilterKind kind;
  const char *name; // "soft-threshold"
  const char *label; // translatable
  const char *description; // translatable, one sentence
  OdlDomain domain;
  const OdlParameter *parameters;
  size_t n_parameters;
} OdlFilter;

size_t odl_filter_count (void);
const OdlFilter *odl_filter_at (size_t index);
const OdlFilter *odl_filter_find (const char *name); // NULL when unknown
const OdlParameter *odl_filter_parameter (const OdlFilter *filter,
                                          const char *key); // NULL when unknown

// The parameter that is a file; NULL: the filter takes no second picture.
const OdlParameter *odl_filter_file (const OdlFilter *filter);

// Default of the i-th value of a parameter; ODL_VALUE_AUTO where it is measured.
double odl_parameter_default (const OdlParameter *parameter, int i);

// Largest value; for a wavelet the last row of the wavelet table.
double odl_parameter_maximum (const OdlParameter *parameter);

// `value`, or in the place of ODL_VALUE_AUTO what is used where there is no picture to
// measure, as when engines are timed or tested: of the i-th value.
double odl_parameter_usual (const OdlParameter *parameter, int i, double value);

// `value` clamped to the range; integers, choices and wavelets rounded. ODL_VALUE_AUTO
// stays for what is measured.
double odl_parameter_clamp (const OdlParameter *parameter, double value);
