// SPDX-License-Identifier: MIT
// What a whole table of a sweep becomes: the line with the best point, a plot, and a
// sheet of pictures. `sweep` and `merge` write the same.
#pragma once

#include "work/sweep/table.h"

typedef struct {
  OdlOutputGuard *guard; // borrowed, as are the names
  const char *plot, *sheet; // a drawing and a PNG; NULL: not wanted
  bool replace; // files that are there
} OdlOutcomeParams;

// Whether the names have the right endings; says so if not.
bool odl_outcome_check_names (const OdlOutcomeParams *params);

// Whether both can be written. `inputs` are files that are never written over.
// ODL_ERROR_USAGE, ODL_ERROR_IO.
bool odl_outcome_check (const OdlOutcomeParams *params,
                        const OdlTrial *trial,
                        GHashTable *inputs,
                        GError **error);

// Says on standard error which parameters lie at the end of what was tried.
void odl_outcome_report_ends (const OdlTrial *trial, const guint *indices);

// On standard output; `beside`: on standard error, since the table goes there.
void odl_outcome_print_best (const OdlTable *table, bool beside);

// Writes them. The sheet's results are computed again, from the pictures of the trial,
// which the plot does without.
bool
odl_outcome_write (const OdlOutcomeParams *params, const OdlTable *table, GError **error);
