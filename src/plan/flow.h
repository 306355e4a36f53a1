// SPDX-License-Identifier: MIT
// Which step reads what another one wrote: questions that several engines ask.
#pragma once

#include "plan/plan.h"

// The step before `before` that wrote `slot` last; −1 for none. Any thread, as for all of
// these.
int odl_plan_last_writer (const OdlPlan *plan, int slot, int before);

// The samples of an image.
typedef struct {
  OdlImage *image; // NULL: what other steps have made, or a frame that is not given
  double level; // of full scale, by which they are raised
} OdlLoaded;

// What `slot` holds before step `before`; `input`: the frame, or NULL.
OdlLoaded
odl_plan_loaded_at (const OdlPlan *plan, int slot, int before, const OdlImage *input);

// Whether step `from` or a later one reads what `slot` holds before step `from`, or it is
// the result.
bool odl_plan_is_needed (const OdlPlan *plan, int slot, int from);

// Whether what `slot` holds before step `from` is still to be read by an engine that puts
// off a THRESHOLD until its result is read.
bool odl_plan_outlives (const OdlPlan *plan, int slot, int from);

// True when `step` is a THRESHOLD whose bands are read by INVERSE y of its group alone,
// and when no later step overwrites the bands that it shrinks: synthesis can shrink the
// details as it reads them, and shrunk bands can be read back.
bool odl_plan_is_fused_threshold (const OdlPlan *plan, int step);

// True when `step` is a THRESHOLD that shrinks what another one made.
bool odl_plan_shrinks_again (const OdlPlan *plan, int step);

// Observed numbers are handed out in one array, slot after slot: how many there are, and
// where those of `slot` begin; −1 for a slot that is not observed.
int odl_plan_count_observed (const OdlPlan *plan);
int odl_plan_observed_at (const OdlPlan *plan, int slot);

// The slot of numbers from which a THRESHOLD takes its thresholds; ODL_PLAN_NO_SLOT: they
// are parameters.
static inline int
odl_step_numbers (const OdlStep *step)
{
  return step->kind == ODL_STEP_THRESHOLD ? step->reads[1] : ODL_PLAN_NO_SLOT;
}

// The last of the steps of the dual tree's analysis or synthesis of a level that step
// `index` begins or belongs to: what they read lasts as long, so that an engine may take
// them as one. `index` for other steps.
int odl_steps_last_of_level (const OdlStep *steps, int n_steps, int index);

// Steps that follow one another: convolutions of one picture with kernels of one size and
// border, so that an engine may read it once for all of them.
typedef struct {
  int first, count; // 1: a convolution by itself; 0: another step
} OdlBank;

// The bank that step `index` belongs to. More than `most` convolutions are shared out
// evenly.
OdlBank odl_plan_bank_at (const OdlPlan *plan, int index, int most);

// Sums of convolutions, as kernels in time have them: banks of as many kernels of one
// size, each of another picture, whose results are added up, kernel by kernel, and read
// by nobody else. An engine may add up spectra.
typedef struct {
  int first, last; // steps; LOAD and RAISE may be among them
  int count; // kernels of each picture; 0: none
  int terms; // pictures
  int at[ODL_PLAN_MAX_KERNEL]; // step of each one's first kernel
} OdlBankSum;

// The sum whose first convolution is step `index`; at least two terms, else count 0.
OdlBankSum odl_plan_bank_sum_at (const OdlPlan *plan, int index);

// True for the steps that write halves: FORWARD x and INVERSE y, DUAL_… likewise.
bool odl_step_writes_half (const OdlStep *step);
