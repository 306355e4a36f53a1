// SPDX-License-Identifier: MIT
// Code of the user's own is compiled and run once in a process of its own
// (rehearsal/protocol.h), before an engine of this process gets it: a driver that crashes
// or hangs takes nothing with it.
#pragma once

#include "engine/choice.h"

// Whether the code in `plan`, if there is any, may be run by that engine, by its name
// with variant. What was tried once is not tried again, whatever its parameters are.
// ODL_ERROR_GPU with a sentence for the author, ODL_ERROR_TOO_LARGE for too much time or
// memory. Any thread; waits for the process.
// What was seen of its loops is then known (odl_own_loops_are_ended).
bool odl_rehearse (const OdlPlan *plan, const char *engine, GError **error);

// That of one file, with as many values as a step has; `of_volume`: code of Python that
// gets all slices at once.
bool odl_rehearse_code (const OdlOwnCode *code,
                        const double *values,
                        bool of_volume,
                        const char *engine,
                        GError **error);

// The first step of `plan` whose code that engine may not run yet; NULL: none. Any
// thread; never waits.
const OdlStep *odl_rehearsal_needed (const OdlPlan *plan, const char *engine);
