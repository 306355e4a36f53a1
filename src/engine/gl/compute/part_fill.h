// SPDX-License-Identifier: MIT
// From a part (levels that go together) to its dispatch.
#pragma once

#include "engine/gl/compute/steps.h"

// Of the buffer for the coefficients of a part of the kind ODL_GL_PART_COARSE, which
// keeps single floats whatever the precision; 0 for other kinds and large pictures.
size_t odl_gl_part_kept_bytes (const OdlGlPart *part,
                               const OdlPlan *plan,
                               const OdlGlStores *stores);

// Fills program, buffers, size and work groups of `dispatch`. ODL_ERROR_GPU. GL current.
bool odl_gl_part_fill (const OdlGlDispatchParams *params,
                       const OdlGlPart *part,
                       OdlGlDispatch *dispatch,
                       GError **error);
