// SPDX-License-Identifier: MIT
// From a fusion (levels that go together) to its dispatch.
#pragma once

#include "engine/gl/compute/steps.h"

// Of the buffer for the coefficients of a fusion of the kind ODL_GL_FUSION_COARSE, which
// keeps single floats whatever the precision; 0 for other kinds and large pictures.
size_t odl_gl_fusion_kept_bytes (const OdlGlFusion *fusion,
                                 const OdlPlan *plan,
                                 const OdlGlStores *stores);

// Fills program, buffers, size and work groups of `dispatch`. ODL_ERROR_GPU. GL current.
bool odl_gl_fusion_fill (const OdlGlDispatchParams *params,
                         const OdlGlFusion *fusion,
                         OdlGlDispatch *dispatch,
                         GError **error);
