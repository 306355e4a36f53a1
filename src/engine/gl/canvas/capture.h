// SPDX-License-Identifier: MIT
// What is drawn, read back without waiting for it: the GPU copies into pixel buffers, and
// each picture is taken when it has arrived. All functions need the GL context that was
// current in odl_gl_capture_new.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct _OdlGlCapture OdlGlCapture;

OdlGlCapture *odl_gl_capture_new (void);
void odl_gl_capture_free (OdlGlCapture *capture); // accepts NULL

// Begins to read the framebuffer bound now, drawn at `time_ns`. `tag` comes back with
// it. False, and nothing is
// read, while the pictures before are all still on their way.
bool odl_gl_capture_begin (OdlGlCapture *capture,
                           int width,
                           int height,
                           int64_t time_ns,
                           int tag);

// The oldest picture, U8, 4 channels, top row first, its pts_ns the time of begin; NULL
// when none has arrived, or, with `wait`, when there is none. Transfer full.
OdlImage *odl_gl_capture_take (OdlGlCapture *capture, bool wait, int *tag);

G_END_DECLS
