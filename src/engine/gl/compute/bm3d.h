// SPDX-License-Identifier: MIT
// BM3D on gl-compute (image/bm3d/bm3d.h says what it is): the passes of
// shaders/include/bm3d.glsl, one after the other for each band of rows and each channel,
// and what lies between them.
#pragma once

#include "engine/gl/platform/caps.h"
#include "plan/plan.h"

// Bytes of what lies between the passes of step `index`, for all steps of BM3D on
// pictures of one size that follow each other with the first of them; 0: none.
size_t odl_gl_bm3d_bytes (const OdlGlCaps *caps, const OdlPlan *plan, int index);
