// SPDX-License-Identifier: MIT
#include "widgets/viewport/tools/mouse.h"

#include <math.h>

#include "base/text.h"
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

// ---- the sets ------------------------------------------------------------------------

static const OdlMouseDrag here[]
    = { { GDK_BUTTON_PRIMARY, 0, NULL }, { GDK_BUTTON_MIDDLE, 0, &odl_tool_pan }, { 0 } };

static const OdlMouseDrag radiology[] = {
  { GDK_BUTTON_PRIMARY, GDK_SHIFT_MASK, &odl_tool_pan },
  { GDK_BUTTON_PRIMARY, GDK_CONTROL_MASK, &frames_tool },
  { GDK_BUTTON_PRIMARY, 0, NULL },
  { GDK_BUTTON_MIDDLE, 0, &odl_tool_pan },
  { GDK_BUTTON_SECONDARY, 0, &zoom_tool },
  { 0 },
};

static const OdlMouseSet sets[] = {
  { "here", N_ ("As here"),
    N_ ("Left: the tool, such as grey levels. Middle: move. Right: the menu. Wheel: "
        "frames, with Ctrl zoom."),
    here },
  { "radiology", N_ ("Radiology workstation"),
    N_ ("Left: the tool, such as grey levels; with Shift move, with Ctrl go through "
        "frames. Middle: move. Right: zoom; a click opens the menu. Wheel: frames, with "
        "Ctrl zoom."),
    radiology },
};

const OdlMouseSet *
odl_mouse_set_at (size_t i)
{
  return i < G_N_ELEMENTS (sets) ? &sets[i] : NULL;
}

const OdlMouseSet *
odl_mouse_set_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
    if (g_strcmp0 (sets[i].name, name) == 0)
      return &sets[i];
  return &sets[0];
}

bool
odl_mouse_drag (const OdlMouseSet *set,
                guint button,
                GdkModifierType keys,
                const OdlTool **tool)
{
  for (const OdlMouseDrag *row = set->drags; row->button != 0; row++)
    if (row->button == button && (keys & row->keys) == row->keys) {
      *tool = row->tool;
      return true;
    }
  return false;
}
