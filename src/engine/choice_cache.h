// SPDX-License-Identifier: MIT
// Keeps rankings between runs, in a small file of the user's cache folder. A missing,
// damaged, foreign or unwritable file costs a measurement and nothing else. Any thread,
// one at a time for each path; programs that write at the same time may lose entries.
#pragma once

#include "engine/choice.h"

// "~/.cache/ondelette/engines.ini". Transfer full.
char *odl_choice_cache_path (void);

// The ranking kept under `key`; NULL: none. Candidates that the file does not list are
// unmeasured; one whose measurement has ended the program twice counts as failed.
OdlRanking *odl_choice_cache_load (const char *path, const char *key);

// Writes, beside other keys (the oldest go beyond 64). ODL_ERROR_IO.
bool odl_choice_cache_save (const char *path, const OdlRanking *ranking, GError **error);

// Call before and after measuring candidate `index`, so that a driver that crashes the
// program is remembered. Errors are ignored.
void odl_choice_cache_begin (const char *path, const OdlRanking *ranking, int index);
void odl_choice_cache_end (const char *path, const OdlRanking *ranking);
