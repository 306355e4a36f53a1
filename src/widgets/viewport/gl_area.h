// SPDX-License-Identifier: MIT
// The canvas with GL: runs GL engines and draws straight into the window's framebuffer.
// Desktop GL 3.3, else GLES 3.0, else gl_failed of its owner.
#pragma once

#include "widgets/viewport/canvas.h"

#define ODL_TYPE_GL_AREA (odl_gl_area_get_type ())
G_DECLARE_FINAL_TYPE (OdlGlArea, odl_gl_area, ODL, GL_AREA, GtkGLArea)

GtkWidget *odl_gl_area_new (const OdlCanvasOwner *owner);

// RGBA bytes that it shows now. Transfer full; NULL when GL or a frame is missing.
GBytes *odl_gl_area_grab (OdlGlArea *area, int *width, int *height);

// Delivers the captures that are still being read back.
void odl_gl_area_flush_captures (OdlGlArea *area);

// The result of `frame`, which the area has shown last, as scaled F32. Transfer full.
OdlImage *odl_gl_area_read_back (OdlGlArea *area, OdlFrame *frame, GError **error);

// Runs a frame of a GL engine that is not to be shown, see OdlEnginePair. False: it
// cannot be run now.
bool odl_gl_area_run (OdlGlArea *area, OdlFrame *frame);
