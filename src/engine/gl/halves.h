// SPDX-License-Identifier: MIT
// Where the products of packed passes along one axis lie until the passes along the other
// have read them, which come next: half of the samples low, half of them high.
#pragma once

#include "plan/plan.h"

// True for the steps that write halves: FORWARD x and INVERSE y.
bool odl_gl_writes_half (const OdlStep *step);

// True when the packed textures of a slot, a picture or bands, hold nothing that anybody
// wants while `step` and the next one run.
bool odl_gl_is_room (const OdlPlan *plan, int slot, int step);

// True when what `step` wrote must stay, since it cannot be drawn again for somebody who
// reads the slot back in the end: what it was made of is overwritten.
bool odl_gl_must_stay (const OdlPlan *plan, int step);

// How many of `rows` of a half there need to be at a time: all of them, or those of a
// strip in synthesis of pictures with at least `strips_from` samples.
int odl_gl_strip_rows (const OdlPlan *plan, int step, int strips_from, int rows);
