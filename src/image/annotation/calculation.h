// SPDX-License-Identifier: MIT
// What follows from several measured things by a published formula: volumes, and the age
// and weight of a fetus by its sizes. This program's, not for diagnosis. Any thread.
#pragma once

#include "image/annotation/annotation.h"

#define ODL_CALCULATION_MAX_INPUTS 4

// What an input is made from.
typedef enum {
  ODL_TAKES_LENGTH, // a length
  ODL_TAKES_CLOSED, // an ellipse or a closed line that does not cross itself
  ODL_TAKES_AXIS, // a length from the middle of the base to the apex of the closed line
                  // that is the input before it, drawn over the same picture
} OdlCalculationTakes;

typedef struct {
  const char *name; // in what is written: "length"
  const char *title; // marked for translation
  OdlCalculationTakes takes;
  double least, most; // of the published range, in mm, where it is one of inputs; 0: none
} OdlCalculationInput;

// One measured thing that is an input.
typedef struct {
  const OdlAnnotation *annotation; // NULL: there is none
  OdlScale scale; // of its picture (odl_annotation_scale is asked for its place)
  const void *source; // things of different ones do not lie on one picture
} OdlCalculationPart;

typedef struct _OdlCalculation OdlCalculation;

// A calculation as a row.
struct _OdlCalculation {
  const char *name; // in what is written: "ellipsoid"
  const char *title; // marked for translation
  const char *unit; // "ml", "wk" (weeks) or "g"
  int n_inputs;
  OdlCalculationInput inputs[ODL_CALCULATION_MAX_INPUTS];
  const char *formula; // N_: its letters are those of the words in each language
  const char *source; // who has published it; NULL: it is geometry
  double least, most; // of the published range, in `unit`; both 0: none
  // In `unit`; lengths are in mm. NAN: there is no value. `parts` fit, and have
  // millimetres.
  double (*compute) (const OdlCalculationPart *parts);
};

const OdlCalculation *odl_calculation_at (size_t i); // NULL: beyond the last one
const OdlCalculation *odl_calculation_find (const char *name); // NULL: there is none

// Whether an annotation can be that input; whatever its scale.
bool odl_calculation_fits (const OdlCalculationInput *input,
                           const OdlAnnotation *annotation);

// "a length", "an ellipse or a closed line", as the input takes it; translated.
const char *odl_calculation_wants (const OdlCalculationInput *input);

typedef struct {
  double value; // in the unit of the calculation, > 0
  bool outside; // of the published range
  OdlScale scale; // of the first input whose millimetres do not hold in what is seen,
                  // else of the first one
  char *note; // what has to be said beside it, translated: "calibrated by hand, outside
              // the published range"; NULL: nothing
} OdlCalculated;

void odl_calculated_clear (OdlCalculated *calculated);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlCalculated, odl_calculated_clear)

// `parts` has one for each input. ODL_ERROR_UNSUPPORTED: one lacks, has no millimetres,
// crosses itself, or is no axis of what it belongs to.
bool odl_calculate (const OdlCalculation *calculation,
                    const OdlCalculationPart *parts,
                    OdlCalculated *calculated,
                    GError **error);

// "33.5 ml", "21.1 weeks (21 weeks + 1 day)", for people. Transfer full.
char *odl_calculated_to_text (const OdlCalculation *calculation,
                              const OdlCalculated *calculated);

// All of it in one line: what was calculated, the result, notes, who has published it,
// and the warning. Transfer full.
char *odl_calculated_to_line (const OdlCalculation *calculation,
                              const OdlCalculated *calculated);

// "This program's, not for diagnosis", translated.
const char *odl_calculation_warning (void);
