// SPDX-License-Identifier: MIT
#include "engine/gl/canvas/tables.h"

#include <string.h>

#define CURVE_ROW 256 // levels in a row of the texture

// A texture of whole numbers or floats that is read texel by texel, bound.
static void
make_table (OdlGlTables *tables, OdlGlTable *table)
{
  if (table->texture == 0) {
    glGenTextures (1, &table->texture);
    tables->made++;
  }
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, table->texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

static void
upload_curve (OdlGlTables *tables, const OdlCurve *curve)
{
  const int rows = (curve->n + CURVE_ROW - 1) / CURVE_ROW;

  if (tables->curve.data == curve)
    return;
  g_autofree float *levels = g_new0 (float, (size_t) rows *CURVE_ROW);
  memcpy (levels, curve->levels, (size_t) curve->n * sizeof *levels);
  make_table (tables, &tables->curve);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_R32F, CURVE_ROW, rows, 0, GL_RED, GL_FLOAT, levels);
  odl_curve_unref (tables->curve.data);
  tables->curve.data = odl_curve_ref (curve);
}

// Overlay and shutter beside each other, either may be missing.
static void
upload_graphics (OdlGlTables *tables,
                 const OdlOverlay *overlay,
                 const OdlOverlay *shutter)
{
  const OdlOverlay *any = overlay ? overlay : shutter;
  if (tables->graphics.data == overlay && tables->shutter == shutter)
    return;
  g_autofree uint8_t *bits = g_new0 (uint8_t, 2 * any->stride * (size_t) any->height);
  for (int y = 0; y < any->height; y++) {
    uint8_t *row = bits + 2 * any->stride * (size_t) y;
    const size_t from = any->stride * (size_t) y;
    if (overlay)
      memcpy (row, overlay->bits + from, any->stride);
    if (shutter)
      memcpy (row + any->stride, shutter->bits + from, any->stride);
  }
  make_table (tables, &tables->graphics);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_R8UI, (GLsizei) (2 * any->stride), any->height, 0,
                GL_RED_INTEGER, GL_UNSIGNED_BYTE, bits);
  odl_overlay_unref (tables->graphics.data);
  tables->graphics.data = odl_overlay_ref (overlay);
  odl_overlay_unref (tables->shutter);
  tables->shutter = odl_overlay_ref (shutter);
}

static void
upload_map (OdlGlTables *tables, const OdlColourMap *map)
{
  if (tables->map.data == map)
    return;
  make_table (tables, &tables->map);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGB8, ODL_COLOUR_MAP_LEVELS, 1, 0, GL_RGB,
                GL_UNSIGNED_BYTE, map->table);
  tables->map.data = map;
}

int
odl_gl_tables_of (const OdlGlPicture *picture, const OdlDisplay *display)
{
  const bool grey = picture->channels == 1;
  const bool graphics = odl_display_overlay (display, picture->width, picture->height)
                        || odl_display_shutter (display, picture->width, picture->height);

  return (display->curve != NULL && grey ? ODL_GL_TABLE_CURVE : 0)
         | (graphics ? ODL_GL_TABLE_GRAPHICS : 0)
         | (display->map != NULL && grey ? ODL_GL_TABLE_MAP : 0);
}

// Texture units are contiguous; units that a program does not use do not matter.
int
odl_gl_tables_set (OdlGlTables *tables,
                   OdlGlDraw *draw,
                   const OdlGlPicture *picture,
                   const OdlDisplay *display)
{
  const int which = odl_gl_tables_of (picture, display), before = tables->made;

  draw->textures[4] = draw->textures[5] = draw->textures[6] = 0;
  draw->uniforms.curve_levels = 0;
  if (which == 0)
    return 0;
  for (int unit = 3; unit <= 5; unit++)
    if (draw->textures[unit] == 0)
      draw->textures[unit] = draw->textures[0];
  if (which & ODL_GL_TABLE_CURVE) {
    upload_curve (tables, display->curve);
    draw->textures[4] = tables->curve.texture;
    draw->uniforms.curve_levels = display->curve->n;
  }
  if (which & ODL_GL_TABLE_GRAPHICS) {
    upload_graphics (tables,
                     odl_display_overlay (display, picture->width, picture->height),
                     odl_display_shutter (display, picture->width, picture->height));
    draw->uniforms.graphics_level = display->overlay_level;
    draw->uniforms.shutter_level = display->shutter_level;
    draw->uniforms.shutter_column = (picture->width + 7) / 8;
    draw->textures[5] = tables->graphics.texture;
  }
  if (which & ODL_GL_TABLE_MAP) {
    upload_map (tables, display->map);
    draw->textures[6] = tables->map.texture;
  }
  return tables->made - before;
}

void
odl_gl_tables_clear (OdlGlTables *tables)
{
  glDeleteTextures (1, &tables->curve.texture);
  odl_curve_unref (tables->curve.data);
  glDeleteTextures (1, &tables->graphics.texture);
  odl_overlay_unref (tables->graphics.data);
  odl_overlay_unref (tables->shutter);
  glDeleteTextures (1, &tables->map.texture);
  *tables = (OdlGlTables){ 0 };
}
