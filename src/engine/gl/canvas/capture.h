// SPDX-License-Identifier: MIT
// Reads drawn pictures back without waiting: the GPU copies into pixel buffers, and each
// picture is taken when it has arrived. All functions need the GL context that was
// current in odl_gl_capture_new.
#pragma once

#include "image/image.h"

typedef struct _OdlGlCapture OdlGlCapture;

OdlGlCapture *odl_gl_capture_new (void);
void odl_gl_capture_free (OdlGlCapture *capture); // accepts NULL

// Begins to read the bound framebuffer, drawn at `time_ns`; odl_gl_capture_take returns
// its `tag`, two numbers of the caller. False, and nothing is read, while all buffers
// are in use.
bool odl_gl_capture_begin (OdlGlCapture *capture,
                           int width,
                           int height,
                           int64_t time_ns,
                           const int tag[2]);

// The oldest picture: U8, 4 channels, top row first, pts_ns from odl_gl_capture_begin.
// NULL when none has arrived; with `wait`, when none was begun. Transfer full.
OdlImage *odl_gl_capture_take (OdlGlCapture *capture, bool wait, int tag[2]);
