// SPDX-License-Identifier: MIT
// What buttons and wheel of a mouse do on the picture: a table that people fill, row by
// row or by sets.
#pragma once

#include "widgets/viewport/tools/tool.h"

typedef enum {
  ODL_MOUSE_TOOL, // the one that was chosen
  ODL_MOUSE_WINDOW,
  ODL_MOUSE_PAN,
  ODL_MOUSE_ZOOM,
  ODL_MOUSE_FRAMES,
  ODL_MOUSE_MEASURE, // a length
  ODL_MOUSE_MENU,
  ODL_MOUSE_ACTIONS, // how many there are
} OdlMouseAction;

#define ODL_MOUSE_ROWS 12

typedef struct {
  const char *name; // in the settings
  const char *title; // for people; translatable
  guint button; // GDK_BUTTON_…; 0: the wheel
  GdkModifierType keys; // Shift or Ctrl; 0: neither
} OdlMouseRow;

typedef struct {
  OdlMouseAction actions[ODL_MOUSE_ROWS];
} OdlMouseTable;

typedef struct {
  const char *name; // in the settings
  const char *title, *words; // for people: what it is for, and all it does; translatable
  OdlMouseTable table;
} OdlMouseSet;

const OdlMouseRow *odl_mouse_row_at (size_t i); // NULL beyond the last one
bool odl_mouse_row_takes (const OdlMouseRow *row, OdlMouseAction action);
const char *odl_mouse_action_title (OdlMouseAction action); // translated

const OdlMouseSet *odl_mouse_set_at (size_t i); // NULL beyond the last one
const OdlMouseSet *odl_mouse_set_of (const OdlMouseTable *table); // NULL: it is none

// The text of the settings: the name of a set, then rows that differ ("right=zoom"), with
// blanks between them. What makes no sense is as in the first set. NULL: that one.
void odl_mouse_table_read (OdlMouseTable *table, const char *text);
char *odl_mouse_table_to_text (const OdlMouseTable *table); // transfer full

// What a drag does; `tool` NULL: the tool that was chosen. False: that button opens the
// menu, or does nothing.
bool odl_mouse_drag (const OdlMouseTable *table,
                     guint button,
                     GdkModifierType keys,
                     const OdlTool **tool);
// Else it goes through frames.
bool odl_mouse_wheel_zooms (const OdlMouseTable *table, GdkModifierType keys);
