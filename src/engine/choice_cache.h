// SPDX-License-Identifier: MIT
// Keeps rankings between runs, in one small file of the user's cache folder. A file that
// is missing, damaged, foreign or unwritable costs a measurement, never more. Any thread,
// one at a time for each path; programs at the same time may lose each other's entries.
#pragma once

#include "engine/choice.h"

// "~/.cache/ondelette/engines.ini". Transfer full.
char *odl_choice_cache_path (void);

// What is known under `key`; NULL for nothing. Candidates that the file does not know are
// unmeasured; one in whose measurement the program has ended twice has failed.
OdlRanking *odl_choice_cache_load (const char *path, const char *key);

// Writes, beside other keys (the oldest go beyond 64). ODL_ERROR_IO.
bool odl_choice_cache_save (const char *path, const OdlRanking *ranking, GError **error);

// Before and after measuring candidate `index`: a driver that takes the program with it
// is remembered. Errors are ignored.
void odl_choice_cache_begin (const char *path, const OdlRanking *ranking, int index);
void odl_choice_cache_end (const char *path, const OdlRanking *ranking);
