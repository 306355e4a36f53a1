// SPDX-License-Identifier: MIT
// Where transient results of packed passes lie: what one pass writes and only the next
// ones read.
//
// Halves, the results of passes along one axis, last until the pass along the other axis,
// which comes next. A half lies in the store of a picture or of bands that is written
// later in the frame (scratch), and has textures of its own where there is none: in
// synthesis those of a strip of rows of the finest level's half.
//
// Coarser results of a synthesis last until the next level has read them as its LL. They
// lie in the store of the finest result, one over the other at the top left: no pass
// reads and writes that store at once, since halves lie elsewhere. A level that goes in
// strips begins at the bottom. Row y of a result depends on rows about y / 2 of the
// coarser one, so that a strip overwrites only what has been read. With a periodic border
// the topmost strip depends on the bottom rows: then, and where the finest result is of
// another precision, coarser results have textures of their own.
#pragma once

#include "plan/plan.h"

// True when the contents of a slot's packed textures (a picture or bands) are dead from
// `step`, which writes a half or a coarser result, to the step that reads that.
bool odl_gl_is_scratch (const OdlPlan *plan, int slot, int step);

// True when what `step` wrote must be stored until the end of the frame: it cannot be
// drawn again when the slot is read back, since its inputs are overwritten.
bool odl_gl_must_stay (const OdlPlan *plan, int step);

// How many of the `rows` of a half are stored at a time: all of them, or those of a strip
// in the synthesis of pictures with at least `strips_from` samples.
int odl_gl_strip_rows (const OdlPlan *plan, int step, int strips_from, int rows);

// The slot of the finest result when `step` writes a coarser result that can lie in its
// store; ODL_PLAN_NO_SLOT otherwise.
int odl_gl_alias_slot (const OdlPlan *plan, int step, int strips_from);
