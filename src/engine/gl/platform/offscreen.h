// SPDX-License-Identifier: MIT
// A framebuffer that stands for a window where there is none. GL current.
#pragma once

#include <glib.h>

#include "base/error.h"

typedef struct _OdlGlOffscreen OdlGlOffscreen;

// RGBA, 8 bits, bound for drawing until it is freed. ODL_ERROR_GPU.
OdlGlOffscreen *odl_gl_offscreen_new (int width, int height, GError **error);
void odl_gl_offscreen_free (OdlGlOffscreen *offscreen);

// Sends what was drawn on its way without waiting for it, as a window does once per
// frame.
void odl_gl_offscreen_show (OdlGlOffscreen *offscreen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGlOffscreen, odl_gl_offscreen_free)
