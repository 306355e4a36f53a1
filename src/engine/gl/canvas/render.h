// SPDX-License-Identifier: MIT
// Draws rendered views of volumes in GL, as odl_render_draw does: by compute shaders,
// since drivers may run fragment shaders on a small part of a chip, or by these.
#pragma once

#include "engine/gl/platform/program.h"
#include "image/render/render.h"

typedef struct _OdlGlRender OdlGlRender;

// All functions need the same GL context. `caps` and `programs` must outlive it.
OdlGlRender *odl_gl_render_new (const OdlGlCaps *caps, OdlGlPrograms *programs);
void odl_gl_render_free (OdlGlRender *render); // accepts NULL

// Draws over the framebuffer bound for drawing, of width × height pixels, into the place
// of the scene; `compute`: by compute shaders, where there are some. Between
// odl_gl_state_save and _restore, an empty vertex array bound. A body is uploaded when it
// is another one than before. ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE; nothing is drawn then.
bool odl_gl_render_draw (OdlGlRender *render,
                         const OdlRenderScene *scene,
                         int width,
                         int height,
                         bool compute,
                         GError **error);
