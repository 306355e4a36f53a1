// SPDX-License-Identifier: MIT
// Where packed passes put what only the next ones read.
//
// Halves, the products of passes along one axis, last until the passes along the other,
// which come next. They lie in a picture or bands that are yet to be written, and where
// there is none in room of their own: of a synthesis a strip of the finest level's half.
//
// Coarser results of a synthesis last until the next level has read them as its LL. They
// lie in its finest result, one over the other at the top left: no pass reads and writes
// that at once, since halves lie elsewhere. Where a level goes in strips it begins at the
// bottom. Row y of a result comes from rows about y / 2 of the coarser one, so that what
// a strip overwrites has been read. Not so where a periodic border leads the topmost
// strip to the bottom: then, and where the finest result is of another precision, coarser
// results have textures of their own.
#pragma once

#include "plan/plan.h"

// True when the packed textures of a slot, a picture or bands, hold nothing that anybody
// wants while `step` and the next one run.
bool odl_gl_is_scratch (const OdlPlan *plan, int slot, int step);

// True when what `step` wrote must stay, since it cannot be drawn again for somebody who
// reads the slot back in the end: what it was made of is overwritten.
bool odl_gl_must_stay (const OdlPlan *plan, int step);

// How many of `rows` of a half there need to be at a time: all of them, or those of a
// strip in synthesis of pictures with at least `strips_from` samples.
int odl_gl_strip_rows (const OdlPlan *plan, int step, int strips_from, int rows);

// The slot of the finest result when what `step` writes is a coarser result that can lie
// in it; ODL_PLAN_NO_SLOT for others.
int odl_gl_alias_slot (const OdlPlan *plan, int step, int strips_from);
