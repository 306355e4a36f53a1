// SPDX-License-Identifier: MIT
// Reads slots of gl-compute back into memory.
#pragma once

#include "engine/engine.h"
#include "engine/gl/compute/steps.h"

// The content of a slot of the plan as engine.h describes it, into `out`: slot->width ×
// height × channels. What dispatches kept in registers is computed again, with the
// parameters of the plan. ODL_ERROR_GPU. GL current.
bool odl_gl_compute_read (const OdlGlDispatchParams *params,
                          int slot,
                          float *out,
                          GError **error);

// Parts of the plan's result, as odl_engine_parts returns them. ODL_ERROR_GPU,
// ODL_ERROR_TOO_LARGE. GL current.
bool odl_gl_compute_read_parts (const OdlGlDispatchParams *params,
                                OdlPartForm form,
                                const OdlPart *parts,
                                int n_parts,
                                void *out,
                                GError **error);
