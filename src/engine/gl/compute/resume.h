// SPDX-License-Identifier: MIT
// A moved slider: which dispatches have to run again when only parameters changed.
#pragma once

#include "engine/gl/compute/steps.h"

// The first of `dispatches` (OdlGlDispatch) that has to run for `now` on the same picture
// when all of them ran for `before`, a plan of the same structure: what earlier ones
// wrote is still there. 0: all have to run, also when nothing changed, since then
// somebody wants the work to be done, such as a measurement. Any thread.
guint
odl_gl_resume_at (const GArray *dispatches, const OdlPlan *before, const OdlPlan *now);
