// SPDX-License-Identifier: MIT
// Measuring steps of gl-fragment, and of gl-lookup those of pictures. Fragment shaders
// can neither count nor add up across pixels without a pass for each halving, so that
// these steps run on the processor, by the code of the CPU engine. Bands are read back
// for them, which waits for the GPU; the picture is loaded from the frame once more. The
// thresholds that they find are uniforms of the same frame.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/program.h"

typedef struct _OdlGlMeasures OdlGlMeasures;

typedef struct {
  int slot;
  int before; // the step before which the frame stands
  float *texels; // room for four times the slot's samples of a channel
} OdlGlSlotWanted;

// Reads the samples of a slot back, interleaved, without bias. ODL_ERROR_GPU,
// ODL_ERROR_TOO_LARGE. GL current.
typedef bool (*OdlGlReadSlot) (OdlEngine *engine,
                               const OdlGlSlotWanted *wanted,
                               float *out,
                               GError **error);

// Memory for what the measuring steps of `plan` read and write; NULL where it has none.
// ODL_ERROR_TOO_LARGE without memory: false in *ok.
OdlGlMeasures *odl_gl_measures_new (const OdlPlan *plan, bool *ok, GError **error);
void odl_gl_measures_free (OdlGlMeasures *measures); // NULL is fine

// Begins a frame of `input`, whose slots `engine` reads back by `read`. The image must
// stay valid until its last step.
void odl_gl_measures_begin (OdlGlMeasures *measures,
                            OdlEngine *engine,
                            OdlGlReadSlot read,
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
