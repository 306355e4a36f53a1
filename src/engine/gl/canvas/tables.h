// SPDX-License-Identifier: MIT
// The tables of a display on the GPU, kept while the display is the same. GL current.
#pragma once

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/program.h"

typedef struct {
  GLuint texture; // 0: none yet
  const void *data; // what it was made of
} OdlGlTable;

typedef struct {
  OdlGlTable curve; // `data` is a reference here, and of graphics
  OdlGlTable graphics; // the overlay, with the shutter beside it
  OdlGlTable map; // of a const table
  const OdlOverlay *shutter; // a reference
  int made; // textures so far
} OdlGlTables;

enum {
  ODL_GL_TABLE_CURVE = 1,
  ODL_GL_TABLE_GRAPHICS = 2,
  ODL_GL_TABLE_MAP = 4,
};

// Which tables a picture needs.
int odl_gl_tables_of (const OdlGlPicture *picture, const OdlDisplay *display);

// Uploads them where they are others than before, and sets textures and uniforms of the
// draw. Returns how many textures were made.
int odl_gl_tables_set (OdlGlTables *tables,
                       OdlGlDraw *draw,
                       const OdlGlPicture *picture,
                       const OdlDisplay *display);

void odl_gl_tables_clear (OdlGlTables *tables);
