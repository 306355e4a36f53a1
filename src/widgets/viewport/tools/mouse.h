// SPDX-License-Identifier: MIT
// What drags with the buttons of a mouse do, as sets that people choose among.
#pragma once

#include "widgets/viewport/tools/tool.h"

// A row of a set.
typedef struct {
  guint button; // GDK_BUTTON_…; 0: the end
  GdkModifierType keys; // Shift, Ctrl; 0: neither
  const OdlTool *tool; // NULL: the one that was chosen
} OdlMouseDrag;

// The wheel goes through frames, with Ctrl it zooms, in all of them.
typedef struct {
  const char *name; // in the settings
  const char *title, *words; // for people: what it is for, and all it does; translatable
  const OdlMouseDrag *drags;
} OdlMouseSet;

const OdlMouseSet *odl_mouse_set_at (size_t i); // NULL beyond the last one
const OdlMouseSet *odl_mouse_set_find (const char *name); // the first one: no such set

// What a drag does. False: that button opens the menu, or does nothing.
bool odl_mouse_drag (const OdlMouseSet *set,
                     guint button,
                     GdkModifierType keys,
                     const OdlTool **tool);
