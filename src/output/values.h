// SPDX-License-Identifier: MIT
// The values of a result: what its samples mean, in the unit of the source.
#pragma once

#include "image/details.h"
#include "image/rows.h"

typedef struct {
  const OdlImage
      *source; // unprocessed: its value map and range define the unit of the result
  OdlRows *rows; // of the result; consumed
  OdlDetails details; // of the plan
  const char *description; // recipe and engine, ASCII
  bool damaged; // what it shows could not be read: its values are no numbers (NaN)
} OdlValues;

// The values of scaled samples of 0 and 1. Any thread.
void odl_values_ends (const OdlImage *source, double ends[2]);

// The interleaved values of row `y` of the whole picture, one of the available rows, as
// `row`; detail coefficients in the same scale without offset. Alpha is scaled like a
// colour without a value map. `line` has room for one channel. Any thread.
void odl_values_row (const OdlValues *values, int y, float *line, float *row);
