// SPDX-License-Identifier: MIT
// Buffers that stay on the GPU: dispatches write and read them, the CPU never maps them.
#pragma once

#include <epoxy/gl.h>

#include "engine/gl/platform/caps.h"

// An unbound storage buffer of `bytes` with undefined contents. odl_gl_check reports
// errors. GL current.
GLuint odl_gl_device_buffer_new (const OdlGlCaps *caps, size_t bytes);

// The same for volumes, whose plans have many large ones: none is sparse.
GLuint odl_gl_volume_buffer_new (const OdlGlCaps *caps, size_t bytes);
