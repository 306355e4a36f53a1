// SPDX-License-Identifier: MIT
// The engine for a long run of pictures whose results go to memory.
#pragma once

#include "engine/choice.h"

// The fastest engine for `plan` on this machine: measured now on `image`, for up to a
// second, unless an earlier measurement is kept. `own` is the engine that made the last
// picture, in `own_ns` (0: its plan was another one); a long time counts as measured, so
// that the time for measuring is left to the others. klass NULL: there is no card, or
// nothing can run the plan; then the CPU's engine is the fastest. On a thread without a
// GL context.
OdlEngineChoice odl_fastest_engine (const OdlPlan *plan,
                                    OdlImage *image,
                                    const OdlEngineClass *own,
                                    int64_t own_ns);
