// SPDX-License-Identifier: MIT
// What `measure` calculates from what it measured in one picture.
#pragma once

#include "cli/json.h"
#include "image/annotation/calculation.h"
#include "work/said.h"

// A calculation, what was taken for its inputs, and its result.
typedef struct {
  const OdlCalculation *calculation;
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  OdlCalculated calculated;
} OdlMeasureCalculated;

// Whether there are such calculations; NULL: none is asked for. ODL_ERROR_USAGE.
bool odl_measure_calculations_exist (char *const *names, GError **error);

// Each by what comes first among those that fit, in the order of `annotations`, on a
// picture of that scale: OdlMeasureCalculated, transfer full. NULL: one cannot be
// calculated. Errors of odl_calculate, after the name of the option.
GArray *odl_measure_calculate (char *const *names,
                               const OdlAnnotation *const *annotations,
                               guint n,
                               const OdlScale *scale,
                               GError **error);

// Writes them: as lines on standard output, as the array “calculated”, or as rows of a
// table (ODL_MEASURE_COLUMNS). Nothing where there are none.
void odl_measure_print_calculated (const GArray *calculated);
void odl_measure_write_calculated (OdlJson *json, const GArray *calculated);
void odl_measure_add_calculated (GString *table,
                                 const char *input,
                                 gint64 frame,
                                 const GArray *calculated);

// As lines of a report: of OdlSaidLine, whose texts are its own. Transfer full.
GArray *odl_measure_list_calculated (const GArray *calculated);
