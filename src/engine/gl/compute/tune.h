// SPDX-License-Identifier: MIT
// The tuning run: measures how to divide the levels of a plan among work groups on this
// GPU.
#pragma once

#include "engine/gl/compute/steps.h"

// Times several shapes for each of `dispatches` (OdlGlDispatch, ready to be issued) that
// `tuning` does not know, adds the fastest to `tuning` and applies them. The contents of
// their buffers do not matter. Stops after about `budget_ns`; dispatches that were not
// reached keep their shape. True when something was added. GL current; waits for the GPU.
bool odl_gl_tune (GArray *dispatches, OdlGlTuning *tuning, int64_t budget_ns);

// At most one tuning run for each kind of level; the results of earlier runs on this GPU
// are kept (shape.h). Environment variable ODL_TUNE: “off” uses the table that was
// measured on one card; “again” forgets the results, and also tunes software rasterisers,
// which otherwise use the table.
typedef struct _OdlGlTuner OdlGlTuner;

OdlGlTuner *odl_gl_tuner_new (const OdlGlCaps *caps);
void odl_gl_tuner_free (OdlGlTuner *tuner);
const OdlGlTuning *odl_gl_tuner_tuning (const OdlGlTuner *tuner);

// As odl_gl_tune, where needed and allowed, within a fifth of a second; keeps what was
// found. GL current.
void odl_gl_tuner_run (OdlGlTuner *tuner, GArray *dispatches);

// True when tuning runs chose the shapes of all levels among `dispatches`; false without
// levels.
bool odl_gl_tuner_is_tuned (const OdlGlTuner *tuner, const GArray *dispatches);
