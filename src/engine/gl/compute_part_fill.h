// SPDX-License-Identifier: MIT
// From a part (levels that go together) to its dispatch.
#pragma once

#include "engine/gl/compute_steps.h"

// Fills program, buffers, size and work groups of `dispatch`. ODL_ERROR_GPU. GL current.
bool odl_gl_part_fill (const OdlGlDispatchParams *params,
                       const OdlGlPart *part,
                       OdlGlDispatch *dispatch,
                       GError **error);
