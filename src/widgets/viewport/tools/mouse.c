// SPDX-License-Identifier: MIT
#include "widgets/viewport/tools/mouse.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/viewport/private.h"

// Drags of so many logical pixels multiply the zoom by e, or go to the next frame.
#define ZOOM_DRAG 160.0
#define FRAME_DRAG 10.0

// ---- tools of buttons ----------------------------------------------------------------

static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  self->panned = (OdlPoint){ 0, 0 };
}

// Upwards is nearer, at the place where the button went down.
static void
drag_zoom (OdlViewport *self, const OdlToolEvent *event)
{
  const OdlPoint at = odl_viewport_to_device (self, event->from.x, event->from.y);
  odl_viewport_zoom_at (self, at, exp ((self->panned.y - event->dy) / ZOOM_DRAG));
  self->panned.y = event->dy;
}

static void
drag_frames (OdlViewport *self, const OdlToolEvent *event)
{
  const int frames = (int) trunc (event->dy / FRAME_DRAG) - (int) self->panned.y;
  if (frames == 0)
    return;
  self->panned.y += frames;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.step-frame", "i", frames);
}

static const OdlTool zoom_tool = { .name = "zoom", .press = press, .drag = drag_zoom };
static const OdlTool frames_tool
    = { .name = "frames", .press = press, .drag = drag_frames };

// ---- the table -----------------------------------------------------------------------

#define SHIFT GDK_SHIFT_MASK
#define CTRL GDK_CONTROL_MASK

// In the order of the preferences.
static const OdlMouseRow rows[ODL_MOUSE_ROWS] = {
  { "left", N_ ("Left"), GDK_BUTTON_PRIMARY, 0 },
  { "left+shift", N_ ("Left with Shift"), GDK_BUTTON_PRIMARY, SHIFT },
  { "left+ctrl", N_ ("Left with Ctrl"), GDK_BUTTON_PRIMARY, CTRL },
  { "middle", N_ ("Middle"), GDK_BUTTON_MIDDLE, 0 },
  { "middle+shift", N_ ("Middle with Shift"), GDK_BUTTON_MIDDLE, SHIFT },
  { "middle+ctrl", N_ ("Middle with Ctrl"), GDK_BUTTON_MIDDLE, CTRL },
  { "right", N_ ("Right"), GDK_BUTTON_SECONDARY, 0 },
  { "right+shift", N_ ("Right with Shift"), GDK_BUTTON_SECONDARY, SHIFT },
  { "right+ctrl", N_ ("Right with Ctrl"), GDK_BUTTON_SECONDARY, CTRL },
  { "wheel", N_ ("Wheel"), 0, 0 },
  { "wheel+shift", N_ ("Wheel with Shift"), 0, SHIFT },
  { "wheel+ctrl", N_ ("Wheel with Ctrl"), 0, CTRL },
};

static const struct {
  const char *name, *title;
} actions[ODL_MOUSE_ACTIONS] = {
  [ODL_MOUSE_TOOL] = { "tool", N_ ("The chosen tool") },
  [ODL_MOUSE_WINDOW] = { "window", N_ ("Grey levels") },
  [ODL_MOUSE_PAN] = { "pan", N_ ("Move the picture") },
  [ODL_MOUSE_ZOOM] = { "zoom", N_ ("Zoom") },
  [ODL_MOUSE_FRAMES] = { "frames", N_ ("Go through frames") },
  [ODL_MOUSE_MEASURE] = { "measure", N_ ("Measure a length") },
  [ODL_MOUSE_MENU] = { "menu", N_ ("The menu") },
};

const OdlMouseRow *
odl_mouse_row_at (size_t i)
{
  return i < ODL_MOUSE_ROWS ? &rows[i] : NULL;
}

const char *
odl_mouse_action_title (OdlMouseAction action)
{
  return _ (actions[action].title);
}

// Only the right button opens the menu, so that no hand loses the others.
bool
odl_mouse_row_takes (const OdlMouseRow *row, OdlMouseAction action)
{
  return row->button == 0
             ? action == ODL_MOUSE_FRAMES || action == ODL_MOUSE_ZOOM
             : action != ODL_MOUSE_MENU || row->button == GDK_BUTTON_SECONDARY;
}

// ---- the sets ------------------------------------------------------------------------

static const OdlMouseSet sets[] = {
  { "here",
    N_ ("As here"),
    N_ ("Left: the tool, such as grey levels. Middle: move. Right: the menu. Wheel: "
        "frames, with Ctrl zoom."),
    { { ODL_MOUSE_TOOL, ODL_MOUSE_TOOL, ODL_MOUSE_TOOL, ODL_MOUSE_PAN, ODL_MOUSE_PAN,
        ODL_MOUSE_PAN, ODL_MOUSE_MENU, ODL_MOUSE_MENU, ODL_MOUSE_MENU, ODL_MOUSE_FRAMES,
        ODL_MOUSE_FRAMES, ODL_MOUSE_ZOOM } } },
  { "radiology",
    N_ ("Radiology workstation"),
    N_ ("Left: the tool, such as grey levels; with Shift move, with Ctrl go through "
        "frames. Middle: move. Right: zoom; a click opens the menu. Wheel: frames, with "
        "Ctrl zoom."),
    { { ODL_MOUSE_TOOL, ODL_MOUSE_PAN, ODL_MOUSE_FRAMES, ODL_MOUSE_PAN, ODL_MOUSE_PAN,
        ODL_MOUSE_PAN, ODL_MOUSE_ZOOM, ODL_MOUSE_ZOOM, ODL_MOUSE_ZOOM, ODL_MOUSE_FRAMES,
        ODL_MOUSE_FRAMES, ODL_MOUSE_ZOOM } } },
};

const OdlMouseSet *
odl_mouse_set_at (size_t i)
{
  return i < G_N_ELEMENTS (sets) ? &sets[i] : NULL;
}

const OdlMouseSet *
odl_mouse_set_of (const OdlMouseTable *table)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
    if (memcmp (&sets[i].table, table, sizeof *table) == 0)
      return &sets[i];
  return NULL;
}

// A set's name, or a row with what it does; nonsense is nothing.
static void
read_word (OdlMouseTable *table, const char *word)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
    if (g_str_equal (sets[i].name, word))
      *table = sets[i].table;
  g_auto (GStrv) parts = g_strsplit (word, "=", 2);
  for (size_t i = 0; parts[0] && parts[1] && i < ODL_MOUSE_ROWS; i++)
    for (int k = 0; k < ODL_MOUSE_ACTIONS; k++)
      if (g_str_equal (rows[i].name, parts[0]) && g_str_equal (actions[k].name, parts[1])
          && odl_mouse_row_takes (&rows[i], (OdlMouseAction) k))
        table->actions[i] = (OdlMouseAction) k;
}

void
odl_mouse_table_read (OdlMouseTable *table, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text ? text : "", " ", -1);
  *table = sets[0].table;
  for (size_t i = 0; words[i]; i++)
    read_word (table, words[i]);
}

char *
odl_mouse_table_to_text (const OdlMouseTable *table)
{
  const OdlMouseSet *set = odl_mouse_set_of (table);
  if (set)
    return g_strdup (set->name);
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < ODL_MOUSE_ROWS; i++)
    g_string_append_printf (text, "%s%s=%s", i > 0 ? " " : "", rows[i].name,
                            actions[table->actions[i]].name);
  return g_string_free (text, FALSE);
}

// ---- what is done --------------------------------------------------------------------

// With both keys it is as with Shift.
static OdlMouseAction
action_of (const OdlMouseTable *table, guint button, GdkModifierType keys)
{
  const GdkModifierType own = keys & SHIFT ? SHIFT : keys & CTRL;
  for (size_t i = 0; i < ODL_MOUSE_ROWS; i++)
    if (rows[i].button == button && rows[i].keys == own)
      return table->actions[i];
  return ODL_MOUSE_MENU;
}

bool
odl_mouse_wheel_zooms (const OdlMouseTable *table, GdkModifierType keys)
{
  return action_of (table, 0, keys) == ODL_MOUSE_ZOOM;
}

bool
odl_mouse_drag (const OdlMouseTable *table,
                guint button,
                GdkModifierType keys,
                const OdlTool **tool)
{
  switch (action_of (table, button, keys)) {
  case ODL_MOUSE_TOOL:
    *tool = NULL;
    return true;
  case ODL_MOUSE_WINDOW:
    *tool = odl_tool_find ("window");
    return true;
  case ODL_MOUSE_PAN:
    *tool = &odl_tool_pan;
    return true;
  case ODL_MOUSE_ZOOM:
    *tool = &zoom_tool;
    return true;
  case ODL_MOUSE_FRAMES:
    *tool = &frames_tool;
    return true;
  case ODL_MOUSE_MEASURE:
    *tool = &odl_tool_measure;
    return true;
  case ODL_MOUSE_MENU:
  case ODL_MOUSE_ACTIONS:
    break;
  }
  return false;
}
