// SPDX-License-Identifier: MIT
// Contours are found on the processor, for this engine too: what they look at is read
// back, and the numbers go to the GPU.
#pragma once

#include "engine/gl/compute/steps.h"

// Does step `index`, SNAKES, whose dispatch has no program. Waits for the GPU.
// ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE. GL current.
bool odl_gl_run_snakes (const OdlGlDispatchParams *params, int index, GError **error);
