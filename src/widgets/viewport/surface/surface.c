// SPDX-License-Identifier: MIT
// Surfaces on the viewport: when they are shown, and how they are turned.

#include "widgets/viewport/private.h"

// Degrees for a key.
#define KEY_TURN 5.0

bool
odl_viewport_surface (OdlViewport *self)
{
  return !self->hides_surface;
}

void
odl_viewport_set_surface (OdlViewport *self, bool show)
{
  self->hides_surface = !show;
  odl_viewport_check_tool (self);
  odl_viewport_changed (self);
}

bool
odl_viewport_net (OdlViewport *self)
{
  return self->shows_net;
}

void
odl_viewport_set_net (OdlViewport *self, bool show)
{
  self->shows_net = show;
  odl_viewport_changed (self);
}

// ---- the tool ------------------------------------------------------------------------

static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  self->panned = (OdlPoint){ 0, 0 };
}

static void
drag (OdlViewport *self, const OdlToolEvent *event)
{
  const double side = MAX (MIN (gtk_widget_get_width (GTK_WIDGET (self)),
                                gtk_widget_get_height (GTK_WIDGET (self))),
                           1);
  odl_look_turn (&self->look, (event->dx - self->panned.x) / side,
                 (event->dy - self->panned.y) / side);
  self->panned = (OdlPoint){ event->dx, event->dy };
  odl_viewport_changed (self);
}

// Plain arrows go from file to file.
static bool
press_key (OdlViewport *self, guint key, GdkModifierType state)
{
  const bool right = key == GDK_KEY_Right, left = key == GDK_KEY_Left;
  const bool down = key == GDK_KEY_Down, up = key == GDK_KEY_Up;
  if (!(state & GDK_SHIFT_MASK) || !(right || left || down || up))
    return false;
  self->look.yaw += KEY_TURN * (right - left);
  self->look.pitch = CLAMP (self->look.pitch + KEY_TURN * (down - up), -90, 90);
  odl_viewport_changed (self);
  return true;
}

const OdlTool odl_tool_turn = { .name = "turn",
                                .at_once = true,
                                .press = press,
                                .drag = drag,
                                .double_click = odl_viewport_fit,
                                .key = press_key };

const OdlTool *
odl_viewport_tool_in_use (OdlViewport *self)
{
  return odl_viewport_shows_surface (self) ? &odl_tool_turn : self->tool;
}
