// SPDX-License-Identifier: MIT
// Filters a volume by any engine.
#pragma once

#include "engine/engine.h"

// The volume filtered by `plan`, as odl_engine_process has it. A plan for slices
// (geometry.depth is 1) runs on one after the other, in one take, so that filters over
// time see them as the frames of a sequence, as `process` on all frames does; a plan for
// the volume runs once.
// An engine that needs GL has its context current.
OdlImage *odl_engine_process_volume (OdlEngine *engine,
                                     const OdlPlan *plan,
                                     OdlImage *volume,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
