// SPDX-License-Identifier: MIT
// The options that `sweep` and `optimise` share, as they were typed.
#pragma once

#include "cli/process/options.h"
#include "work/sweep/trial.h"

#define ODL_SWEEP_N_OPTIONS 16

// Of `process` only inputs, filters, recipe, colour, precision, border, engine, frame,
// noise, reference, jobs and force.
typedef struct {
  OdlProcessOptions process;
  char **vary;
  char *region, *background;
  char *metric;
  char *frames; // as OdlTrialParams has it
} OdlSweepOptions;

// The entries that both verbs have, ODL_SWEEP_N_OPTIONS of them, into `entries`.
void odl_sweep_options_fill (OdlSweepOptions *options, GOptionEntry *entries);
void odl_sweep_options_clear (OdlSweepOptions *options);

// What they ask for; notes are reported on standard error. `params` borrows from them.
// ODL_ERROR_USAGE, and what reading a recipe fails with.
bool odl_sweep_options_read (const OdlSweepOptions *options,
                             int divisions,
                             OdlTrialParams *params,
                             GError **error);

// As odl_trial_files, with that of the recipe. Transfer full.
GHashTable *odl_sweep_options_files (const OdlSweepOptions *options,
                                     const OdlTrial *trial);
