// SPDX-License-Identifier: MIT
// BM3D of several frames on gl-compute (image/bm3d/time.h says what it is): the passes of
// shaders/include/bm3d_time.glsl. What the results before have left stays on the card.
#pragma once

#include "engine/gl/compute/steps.h"

// Runs what the result of step `index` for frame `input` of params->plan needs beyond
// what is there. ODL_ERROR_GPU; ODL_ERROR_CANCELLED by `progress`. GL current.
bool odl_gl_bm3d_time_run (const OdlGlDispatchParams *params,
                           int index,
                           OdlImage *input,
                           OdlProgress *progress,
                           GError **error);

// For measurements: what one frame more of the sequence takes. The next result begins
// anew. GL current.
void odl_gl_bm3d_time_repeat (const OdlGlDispatchParams *params, int index);
