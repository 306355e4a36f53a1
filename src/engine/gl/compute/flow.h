// SPDX-License-Identifier: MIT
// What dispatches need of each other: which have to run again when only parameters
// changed (a moved slider), and which may run at the same time.
#pragma once

#include "engine/gl/compute/steps.h"

// The first of `dispatches` (OdlGlDispatch) that has to run for `now` on the same picture
// after all of them ran for `before`, a plan of the same structure: results of earlier
// ones are still in their stores. 0: all have to run; also when nothing changed, which
// means that the work itself is wanted, as in a measurement. Any thread.
guint
odl_gl_resume_at (const GArray *dispatches, const OdlPlan *before, const OdlPlan *now);

// Marks those of `dispatches` (OdlGlDispatch) of `plan` that the next one need not wait
// for: bands of a level, for example. Only steps of one kind overlap, since whoever
// leaves dispatches out does so by kind. Any thread.
void odl_gl_let_overlap (GArray *dispatches, const OdlPlan *plan);

// A dispatch in its turn.
typedef struct {
  guint index;
  bool overlaps; // what comes next needs nothing of it and leaves alone what it uses
} OdlGlTurn;

// The order (OdlGlTurn) in which measuring waits least: each dispatch comes as soon as
// what it needs is there, beside all that come then. NULL for a plan that measures no
// thresholds, or has dispatches that do not run with every frame. Any thread.
GArray *odl_gl_turns_new (const GArray *dispatches, const OdlPlan *plan);
