// SPDX-License-Identifier: MIT
// Code of the user's own that is Python runs in processes of its own
// (python/protocol.h), one for each file and each thread that asks at once. A process is
// kept for the next frame; one that ended is started again.
#pragma once

#include "filter/own/own.h"

// From now on engines run such code (filter/own/run.h). Main thread, before the first
// engine.
void odl_python_offer (void);

// Runs the code once, on a grey picture (or volume) or, where that fails, one of colours,
// with as many values as a step has, whoever has allowed it. Errors as of odl_own_run.
// Any thread; waits.
bool odl_python_rehearse (const OdlOwnCode *code,
                          const double *values,
                          bool of_volume,
                          GError **error);
