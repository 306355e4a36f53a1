// SPDX-License-Identifier: MIT
// Times plain copies of a picture of single floats on the GPU: the bound that memory
// sets, measured in the same run as what it is compared with.
#pragma once

#include <glib.h>

#include "engine/gl/platform/meter.h"

typedef enum {
  ODL_GL_COPY_FRAGMENT, // R32F texture, drawn into another
  ODL_GL_COPY_IMAGE, // R32F texture, stored into an image by a compute shader
  ODL_GL_COPY_BUFFER, // storage buffers, four floats at once, by a compute shader
  ODL_GL_N_COPIES,
} OdlGlCopy;

// Times of a copy of width × height floats: 8 bytes moved for each. False with
// ODL_ERROR_UNSUPPORTED, ODL_ERROR_TOO_LARGE or ODL_ERROR_GPU where the context cannot.
// GL current; changes its state.
bool odl_gl_copy_time (OdlGlCopy copy,
                       int width,
                       int height,
                       int64_t budget_ns,
                       OdlGlTimes *times,
                       GError **error);

// "fragment", "image", "buffer".
const char *odl_gl_copy_name (OdlGlCopy copy);
