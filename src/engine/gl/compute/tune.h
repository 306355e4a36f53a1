// SPDX-License-Identifier: MIT
// The tuning run: how the levels of a plan are best shared out on this GPU.
#pragma once

#include "engine/gl/compute/steps.h"

// Times the ways to share out those of `dispatches` (OdlGlDispatch, ready to be issued)
// that `tuning` does not know, with whatever their buffers hold, adds the fastest to
// `tuning` and takes them over. Stops after about `budget_ns`; what was not reached keeps
// its way. True when something was added. GL current; waits for the GPU.
bool odl_gl_tune (GArray *dispatches, OdlGlTuning *tuning, int64_t budget_ns);

// A tuning run at most once for each kind of level, with what earlier ones of this GPU
// found (shape.h). The environment variable ODL_TUNE says “off”: the table that
// was measured on one card; or “again”: forget what was found, and tune software
// rasterisers too, which otherwise keep to the table.
typedef struct _OdlGlTuner OdlGlTuner;

OdlGlTuner *odl_gl_tuner_new (const OdlGlCaps *caps);
void odl_gl_tuner_free (OdlGlTuner *tuner);
const OdlGlTuning *odl_gl_tuner_tuning (const OdlGlTuner *tuner);

// As odl_gl_tune, where needed and allowed, within a fifth of a second; keeps what was
// found. GL current.
void odl_gl_tuner_run (OdlGlTuner *tuner, GArray *dispatches);

// True when a tuning run, this time or earlier, chose how all levels among `dispatches`
// go; false without such levels.
bool odl_gl_tuner_is_tuned (const OdlGlTuner *tuner, const GArray *dispatches);
