// SPDX-License-Identifier: MIT
// Draws surfaces in GL, as odl_look_draw does: into buffers of its own with depth and
// four samples for each pixel, then into the framebuffer that is bound.
#pragma once

#include "engine/gl/platform/program.h"
#include "image/surface/look.h"

typedef struct _OdlGlSurface OdlGlSurface;

// All functions need the same GL context. `caps` and `programs` must outlive it.
OdlGlSurface *odl_gl_surface_new (const OdlGlCaps *caps, OdlGlPrograms *programs);
void odl_gl_surface_free (OdlGlSurface *surface); // accepts NULL

// Covers the framebuffer bound for drawing, of width × height pixels. Between
// odl_gl_state_save and _restore, an empty vertex array bound. ODL_ERROR_GPU.
bool odl_gl_surface_draw (OdlGlSurface *surface,
                          const OdlLookScene *scene,
                          int width,
                          int height,
                          GError **error);
