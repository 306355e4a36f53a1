// SPDX-License-Identifier: MIT
// Which dispatches have to run again when only parameters changed (a moved slider).
#pragma once

#include "engine/gl/compute/steps.h"

// The first of `dispatches` (OdlGlDispatch) that has to run for `now` on the same picture
// after all of them ran for `before`, a plan of the same structure: results of earlier
// ones are still in their stores. 0: all have to run; also when nothing changed, which
// means that the work itself is wanted, as in a measurement. Any thread.
guint
odl_gl_resume_at (const GArray *dispatches, const OdlPlan *before, const OdlPlan *now);
