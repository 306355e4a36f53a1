// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/grab.h"

#include <epoxy/gl.h>
#include <glib.h>
#include <string.h>

#include "image/display/display.h"

void
odl_gl_clear (void)
{
  float level = ODL_CANVAS_LEVEL / 255.0f;
  glClearColor (level, level, level, 1);
  glClear (GL_COLOR_BUFFER_BIT);
}

void
odl_gl_grab (int width, int height, uint8_t *rgba)
{
  size_t stride = (size_t) width * 4;
  g_autofree uint8_t *row = g_malloc (stride);
  glPixelStorei (GL_PACK_ALIGNMENT, 4);
  glReadPixels (0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  // GL's first row is the lowest.
  for (int y = 0; y < height / 2; y++) {
    uint8_t *top = rgba + stride * y;
    uint8_t *bottom = rgba + stride * (height - 1 - y);
    memcpy (row, top, stride);
    memcpy (top, bottom, stride);
    memcpy (bottom, row, stride);
  }
}
