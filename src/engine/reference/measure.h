// SPDX-License-Identifier: MIT
// The measuring steps of the reference engine.
#pragma once

#include "plan/plan.h"

// Executes SIDES, MASK, NOISE or BAYES as plan/numbers.h defines them. slots[i]: the
// channels of slot i, one after the other.
void
odl_reference_measure (const OdlPlan *plan, const OdlStep *step, double **slots, int z);
