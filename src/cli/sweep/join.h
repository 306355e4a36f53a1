// SPDX-License-Identifier: MIT
// The parts of a sweep become its table, plot and sheet.
#pragma once

#include "cli/sweep/outcome.h"

typedef struct {
  const char *out; // the table; NULL: none yet
  char **parts; // tables of shards
  const GPtrArray *notes; // OdlShardNote, that of each part; all fit together
  OdlOutcomeParams outcome;
  bool trust_code;
} OdlJoinParams;

// Writes what one process would have written, and says the best point. Shards that are
// missing or not whole are named on standard error, with the commands that make them, and
// nothing is written. ODL_ERROR_IO, ODL_ERROR_USAGE and those of reading pictures.
bool odl_sweep_join (const OdlJoinParams *params, GError **error);
