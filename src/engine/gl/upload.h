// SPDX-License-Identifier: MIT
// Gets an image's stored samples onto the GPU and starts the LOAD pass that scales them
// there.
#pragma once

#include "engine/engine.h"
#include "engine/gl/program.h"

typedef struct _OdlGlUpload OdlGlUpload;

// `caps`, `programs` and `counters` must outlive the result.
OdlGlUpload *odl_gl_upload_new (const OdlGlCaps *caps,
                                OdlGlPrograms *programs,
                                OdlEngineCounters *counters);
void odl_gl_upload_free (OdlGlUpload *upload); // GL current

// Copies slice 0, frame 0 of `image` through a ring of buffers into a texture of the
// image's own sample type, and fills `draw` with the LOAD pass for it: all but
// framebuffer and bias. `precision` is that of the target. Allocates only when type or
// geometry changed. ODL_ERROR_TOO_LARGE, ODL_ERROR_GPU. GL current, unpack state as
// odl_gl_state_save sets it.
bool odl_gl_upload_image (OdlGlUpload *upload,
                          const OdlImage *image,
                          int precision,
                          OdlGlDraw *draw,
                          GError **error);
