// SPDX-License-Identifier: MIT
// Measuring steps of gl-fragment. Fragment shaders can neither count nor add up across
// pixels without a pass for each halving, so that these steps run on the processor, by
// the code of the CPU engine. Bands are read back for them, which waits for the GPU; the
// picture is loaded from the frame once more. The thresholds that they find are uniforms
// of the same frame.
#pragma once

#include "engine/gl/fragment/read.h"

typedef struct _OdlGlMeasures OdlGlMeasures;

// Memory for what the measuring steps of `plan` read and write; NULL where it has none.
// ODL_ERROR_TOO_LARGE without memory: false in *ok.
OdlGlMeasures *odl_gl_measures_new (const OdlPlan *plan, bool *ok, GError **error);
void odl_gl_measures_free (OdlGlMeasures *measures); // NULL is fine

// Begins a frame of `input`, whose slots are read back as `read` says. Both must stay
// valid until its last step.
void odl_gl_measures_begin (OdlGlMeasures *measures,
                            const OdlGlReadParams *read,
                            const OdlImage *input);

// Executes step `step` of `plan` when those before it have been drawn. ODL_ERROR_GPU,
// ODL_ERROR_TOO_LARGE. GL current.
bool odl_gl_measures_run (OdlGlMeasures *measures,
                          const OdlPlan *plan,
                          int step,
                          GError **error);

// Sets the thresholds of a THRESHOLD whose numbers were measured.
void odl_gl_measures_thresholds (const OdlGlMeasures *measures,
                                 const OdlStep *threshold,
                                 OdlGlUniforms *uniforms);

// Whether a step is a LOG_COMPRESS whose reference was measured, and its factor then.
bool odl_gl_measures_tell_reference (const OdlStep *step);
void odl_gl_measures_reference (const OdlGlMeasures *measures,
                                const OdlStep *step,
                                OdlGlUniforms *uniforms);

// Whether a slot, a mask or numbers, is here, and its samples, interleaved.
bool odl_gl_measures_have (const OdlPlan *plan, int slot);
void odl_gl_measures_read (const OdlGlMeasures *measures, int slot, float *out);
