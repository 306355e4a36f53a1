// SPDX-License-Identifier: MIT
// The dispatch of a fusion.
#pragma once

#include "engine/gl/compute/steps.h"

// Bytes of the buffer in which ODL_GL_FUSION_COARSE keeps its coefficients, single floats
// whatever the precision; 0 for other kinds and large pictures.
size_t odl_gl_fusion_kept_bytes (const OdlGlFusion *fusion,
                                 const OdlPlan *plan,
                                 const OdlGlStores *stores);

// Fills program, buffers, size and work groups of `dispatch`. ODL_ERROR_GPU. GL current.
bool odl_gl_fusion_fill (const OdlGlDispatchParams *params,
                         const OdlGlFusion *fusion,
                         OdlGlDispatch *dispatch,
                         GError **error);
