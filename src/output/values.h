// SPDX-License-Identifier: MIT
// The values of a result: what its samples mean, in the unit of the source; of what
// nothing was done to, the numbers of the file.
#pragma once

#include "image/details.h"
#include "image/numbers.h"
#include "image/rows.h"

typedef struct {
  const OdlImage
      *source; // unprocessed: its value map and range define the unit of the result
  OdlRows *rows; // of the result; consumed
  OdlDetails details; // of the plan
  const char *description; // recipe and engine, ASCII
  bool damaged; // what it shows could not be read: its values are no numbers (NaN)
  bool untouched; // nothing was done to them: `rows` has samples of the source, all or in
                  // part, turned or not
  bool floats; // 32-bit ones are wanted, whatever the file has
} OdlValues;

// The values of scaled samples of 0 and 1. Any thread.
void odl_values_ends (const OdlImage *source, double ends[2]);

// The interleaved values of row `y` of the whole picture, one of the available rows, as
// `row`; detail coefficients in the same scale without offset. Alpha is scaled like a
// colour without a value map. `line` has room for one channel. Any thread.
void odl_values_row (const OdlValues *values, int y, float *line, float *row);

// ---- As numbers of a file ----

// What a format can hold.
typedef struct {
  guint32 types; // 1 << OdlNumberType, of all that it knows
  bool scales; // slope and intercept beside them, in single precision
} OdlNumberRoom;

#define ODL_HOLDS(type) ((guint32) 1 << (type))
#define ODL_HOLDS_WHOLE \
  (ODL_HOLDS (ODL_NUMBER_U8) | ODL_HOLDS (ODL_NUMBER_S8) | ODL_HOLDS (ODL_NUMBER_U16) \
   | ODL_HOLDS (ODL_NUMBER_S16) | ODL_HOLDS (ODL_NUMBER_U32) \
   | ODL_HOLDS (ODL_NUMBER_S32) | ODL_HOLDS (ODL_NUMBER_U64) \
   | ODL_HOLDS (ODL_NUMBER_S64))
#define ODL_HOLDS_FLOATS (ODL_HOLDS (ODL_NUMBER_F32) | ODL_HOLDS (ODL_NUMBER_F64))

// How sure the type has to be where pages of a file share it. A page that does not fit
// wants the next one, for all.
typedef enum {
  ODL_SURE_OF_THIS, // values of this page, and of the range that the source is said to
                    // have
  ODL_SURE_OF_TYPE, // all that the file's type can hold
  ODL_SURE_OF_VALUES, // doubles
  ODL_SURE_OF_ALL, // 32-bit floats, for pages that are incomplete or were filtered
  ODL_N_SURE,
} OdlSure;

typedef struct {
  OdlNumberType type;
  bool exact; // of what is untouched and complete
  bool stored; // as the file stores them, which the value map makes values of
  double slope, intercept; // of that, for the header; 1 and 0 where they are values
} OdlNumberForm;

// How the numbers are written: those of what is untouched and complete as the file stores
// them, if that are the values or the format can say how they become these; else their
// values, in the smallest type that holds them; all others as 32-bit floats. Any thread.
OdlNumberForm
odl_values_form (const OdlValues *values, const OdlNumberRoom *room, OdlSure sure);

// Sets ODL_ERROR_UNSUPPORTED: a page does not fit the type of the first one. Returns
// false.
bool odl_values_refuse (GError **error);

// How sure all pages of a file have to be, of which one is of another form than the first
// one: `sure`, as they are, if it can be written in that form. Any thread.
OdlSure
odl_values_sure (const OdlNumberForm *page, const OdlNumberForm *first, OdlSure sure);

// The interleaved numbers of `n` available rows from `y` on, one row behind the other, as
// odl_values_row has values, of the form's type. `line` has room for one channel. False:
// one does not fit. Any thread.
bool odl_values_numbers (const OdlValues *values,
                         const OdlNumberForm *form,
                         int y,
                         int n,
                         double *line,
                         void *rows);
