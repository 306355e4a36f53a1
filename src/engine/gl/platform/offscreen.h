// SPDX-License-Identifier: MIT
// A framebuffer in the place of a window's. GL current.
#pragma once

#include <glib.h>

#include "base/error.h"

typedef struct _OdlGlOffscreen OdlGlOffscreen;

// RGBA, 8 bits, bound for drawing until it is freed. ODL_ERROR_GPU.
OdlGlOffscreen *odl_gl_offscreen_new (int width, int height, GError **error);
void odl_gl_offscreen_free (OdlGlOffscreen *offscreen);

// Flushes what was drawn, as a window does once per frame; does not wait.
void odl_gl_offscreen_show (OdlGlOffscreen *offscreen);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGlOffscreen, odl_gl_offscreen_free)
