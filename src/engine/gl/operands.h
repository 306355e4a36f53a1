// SPDX-License-Identifier: MIT
// Second pictures for gl-fragment and gl-lookup: each is uploaded once and stays on the
// GPU until another one replaces it.
#pragma once

#include "engine/gl/platform/upload.h"

typedef struct _OdlGlOperands OdlGlOperands;

// All must outlive the result.
OdlGlOperands *odl_gl_operands_new (const OdlGlCaps *caps,
                                    OdlGlPrograms *programs,
                                    OdlEngineCounters *counters);
void odl_gl_operands_free (OdlGlOperands *operands); // GL current; NULL is fine

// Completes `draw`, the LOAD of an operand, as odl_gl_upload_image does for the frame.
bool odl_gl_operands_load (OdlGlOperands *operands,
                           const OdlStep *step,
                           OdlGlDraw *draw,
                           GError **error);

// Frees all but the first `n`. GL current.
void odl_gl_operands_keep (OdlGlOperands *operands, int n);
