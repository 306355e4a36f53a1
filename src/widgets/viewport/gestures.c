// SPDX-License-Identifier: MIT
// Pointer and keys of the canvas. The controllers belong to the widget and carry the
// state of their drag.
#include <math.h>

#include "widgets/viewport/private.h"
#include "widgets/viewport/tools/tool.h"

// One notch of the wheel.
#define WHEEL_FACTOR 1.15

typedef struct {
  OdlViewport *viewport;
  bool space; // is held
  bool space_used; // for panning, so that its release does not play
  const OdlTool *tool; // of the drag
  guint button; // of the drag
  bool pressed; // a button that drags is down
  bool dragged; // moved further than in a shaky click
  OdlToolEvent event; // of the drag so far
  double pressed_x, pressed_y; // logical pixels
  double last_scale; // of the pinch so far
  OdlPoint last_centre; // of its fingers, logical pixels
  char *tool_before; // of a drag that measures; NULL: it is the chosen tool
  GtkGesture *drags[3]; // of the buttons
  double notches; // of the wheel, not yet a whole frame
} Gestures;

// The tool stays what it was when the length is drawn.
static void
begin_measuring (Gestures *gestures)
{
  OdlViewport *viewport = gestures->viewport;
  if (odl_viewport_measures (viewport))
    return;
  g_free (gestures->tool_before);
  gestures->tool_before = g_strdup (odl_viewport_tool (viewport));
  odl_viewport_set_tool (viewport, "length");
}

static void
end_measuring (Gestures *gestures)
{
  g_autofree char *before = g_steal_pointer (&gestures->tool_before);
  if (before)
    odl_viewport_set_tool (gestures->viewport, before);
}

// What drags what lies there (widget coordinates).
static const OdlTool *
tool_at (OdlViewport *self, double x, double y)
{
  const OdlTool *grip = odl_viewport_grip_tool (self, x, y);
  if (grip)
    return grip;
  return odl_viewport_is_over_rendering (self, odl_viewport_to_device (self, x, y))
             ? &odl_tool_turn_volume
             : odl_viewport_tool_in_use (self);
}

static void
drag_begin_cb (GtkGestureDrag *drag, double x, double y, Gestures *gestures)
{
  OdlViewport *viewport = gestures->viewport;
  gtk_widget_grab_focus (GTK_WIDGET (viewport));
  const guint button = gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (drag));
  const GdkModifierType keys
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  const OdlTool *own = NULL;
  if (!odl_mouse_drag (&viewport->mouse, button, keys, &own)) {
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  if (own == &odl_tool_measure)
    begin_measuring (gestures);
  own = own == &odl_tool_measure ? NULL : own;
  const OdlTool *tool = tool_at (viewport, x, y);
  // What turns is turned by the buttons that move pictures.
  const bool pans = gestures->space || own == &odl_tool_pan;
  gestures->button = button;
  gestures->tool = pans && tool != &odl_tool_turn ? &odl_tool_pan
                   : own && !pans                 ? own
                                                  : tool;
  gestures->space_used = gestures->space;
  gestures->pressed = true;
  gestures->dragged = false;
  gestures->pressed_x = x;
  gestures->pressed_y = y;
  odl_viewport_hold_pane (viewport, x);
  const OdlPoint at = odl_viewport_to_image (viewport, x, y);
  gestures->event = (OdlToolEvent){ .pressed = at, .at = at, .from = { x, y } };
  if (gestures->tool->press)
    gestures->tool->press (viewport, &gestures->event);
}

static void
drag_update_cb (GtkGestureDrag *drag, double dx, double dy, Gestures *gestures)
{
  OdlViewport *viewport = gestures->viewport;
  const OdlTool *tool = gestures->tool;
  if (!tool || !tool->drag
      || (!tool->at_once && !gestures->dragged
          && !gtk_drag_check_threshold (GTK_WIDGET (viewport), 0, 0, (int) dx, (int) dy)))
    return;
  gestures->dragged = true;
  gestures->event.dx = dx;
  gestures->event.dy = dy;
  gestures->event.at = odl_viewport_to_image (viewport, gestures->pressed_x + dx,
                                              gestures->pressed_y + dy);
  tool->drag (viewport, &gestures->event);
}

static void
drag_end_cb (GtkGestureDrag *drag, double dx, double dy, Gestures *gestures)
{
  gestures->pressed = false;
  odl_viewport_let_pane (gestures->viewport);
  if (gestures->dragged && gestures->tool && gestures->tool->release)
    gestures->tool->release (gestures->viewport, &gestures->event);
  end_measuring (gestures);
  if (!gestures->dragged && gestures->tool && gestures->button == GDK_BUTTON_SECONDARY)
    odl_viewport_open_menu (gestures->viewport, gestures->pressed_x, gestures->pressed_y);
}

static void
pressed_cb (GtkGestureClick *click, int n_press, double x, double y, Gestures *gestures)
{
  const OdlTool *tool = tool_at (gestures->viewport, x, y);
  if (n_press == 2 && !odl_viewport_enlarge_at (gestures->viewport, x, y)
      && tool->double_click)
    tool->double_click (gestures->viewport);
}

// Only a click, not the end of a drag.
static void
released_cb (GtkGestureClick *click, int n_press, double x, double y, Gestures *gestures)
{
  if (n_press == 1 && !gestures->dragged && gestures->tool && gestures->tool->click)
    gestures->tool->click (gestures->viewport, &gestures->event);
}

// Touchpads send fractions of a notch.
static gboolean
step_frames (Gestures *gestures, double dy)
{
  gestures->notches += dy;
  const int frames = (int) gestures->notches;
  gestures->notches -= frames;
  if (frames == 0)
    return TRUE;
  return gtk_widget_activate_action (GTK_WIDGET (gestures->viewport), "win.step-frame",
                                     "i", frames);
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll, double dx, double dy, Gestures *gestures)
{
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  OdlViewport *viewport = gestures->viewport;
  if (!odl_mouse_wheel_zooms (&viewport->mouse, state))
    return step_frames (gestures, dy);
  const OdlPoint at
      = odl_viewport_to_device (viewport, viewport->pointer.x, viewport->pointer.y);
  odl_viewport_zoom_at (viewport, at, pow (WHEEL_FACTOR, -dy));
  return TRUE;
}

static void
motion_cb (GtkEventControllerMotion *motion, double x, double y, Gestures *gestures)
{
  OdlViewport *viewport = gestures->viewport;
  const OdlTool *tool = odl_viewport_tool_in_use (viewport);
  odl_viewport_move_pointer (viewport, true, x, y);
  if (!tool->hover || gestures->pressed)
    return;
  const OdlPoint at = odl_viewport_to_image (viewport, x, y);
  tool->hover (viewport, &(OdlToolEvent){ .pressed = at, .at = at });
}

static void
pointer_left_cb (GtkEventControllerMotion *motion, Gestures *gestures)
{
  odl_viewport_move_pointer (gestures->viewport, false, 0, 0);
}

// ---- fingers -------------------------------------------------------------------------

// What one finger had begun is no drag any more.
static void
deny_drags (Gestures *gestures)
{
  for (size_t i = 0; i < G_N_ELEMENTS (gestures->drags); i++)
    gtk_gesture_set_state (gestures->drags[i], GTK_EVENT_SEQUENCE_DENIED);
  gestures->tool = NULL;
  gestures->pressed = false;
  end_measuring (gestures);
}

static void
pinch_begin_cb (GtkGesture *pinch, GdkEventSequence *sequence, Gestures *gestures)
{
  double x = 0, y = 0;
  deny_drags (gestures);
  gestures->last_scale = 1;
  gtk_gesture_get_bounding_box_center (pinch, &x, &y);
  gestures->last_centre = (OdlPoint){ x, y };
}

void
odl_viewport_move_fingers (OdlViewport *self, OdlPoint from, OdlPoint to, double factor)
{
  const OdlPoint by = odl_viewport_to_device (self, to.x - from.x, to.y - from.y);
  odl_viewport_pan (self, by.x, by.y);
  odl_viewport_zoom_at (self, odl_viewport_to_device (self, to.x, to.y), factor);
}

static void
pinch_cb (GtkGesture *pinch, GdkEventSequence *sequence, Gestures *gestures)
{
  const double scale = gtk_gesture_zoom_get_scale_delta (GTK_GESTURE_ZOOM (pinch));
  OdlPoint centre;
  if (!gtk_gesture_get_bounding_box_center (pinch, &centre.x, &centre.y) || !(scale > 0))
    return;
  odl_viewport_move_fingers (gestures->viewport, gestures->last_centre, centre,
                             scale / gestures->last_scale);
  gestures->last_scale = scale;
  gestures->last_centre = centre;
}

static void
long_press_cb (GtkGestureLongPress *press, double x, double y, Gestures *gestures)
{
  if (gestures->dragged)
    return;
  gtk_gesture_set_state (GTK_GESTURE (press), GTK_EVENT_SEQUENCE_CLAIMED);
  deny_drags (gestures);
  odl_viewport_open_menu (gestures->viewport, x, y);
}

static void
add_fingers (OdlViewport *viewport, Gestures *gestures)
{
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_begin_cb), gestures);
  g_signal_connect (pinch, "update", G_CALLBACK (pinch_cb), gestures);
  gtk_widget_add_controller (GTK_WIDGET (viewport), GTK_EVENT_CONTROLLER (pinch));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (long_press_cb), gestures);
  gtk_widget_add_controller (GTK_WIDGET (viewport), GTK_EVENT_CONTROLLER (press));
}

// ---- keys ----------------------------------------------------------------------------

static gboolean
key_pressed_cb (GtkEventControllerKey *keys,
                guint key,
                guint code,
                GdkModifierType state,
                Gestures *gestures)
{
  const OdlTool *tool = odl_viewport_tool_in_use (gestures->viewport);
  if (key != GDK_KEY_space)
    return (tool->key && tool->key (gestures->viewport, key, state))
           || odl_viewport_turn_rendering (gestures->viewport, key, state);
  if (!gestures->space)
    gestures->space_used = false;
  gestures->space = true;
  return TRUE;
}

static void
key_released_cb (GtkEventControllerKey *keys,
                 guint key,
                 guint code,
                 GdkModifierType state,
                 Gestures *gestures)
{
  if (key != GDK_KEY_space)
    return;
  gestures->space = false;
  if (!gestures->space_used)
    gtk_widget_activate_action (GTK_WIDGET (gestures->viewport), "win.play", NULL);
}

static void
leave_cb (GtkEventControllerFocus *focus, Gestures *gestures)
{
  gestures->space = false;
}

static void
add_drags (OdlViewport *viewport, Gestures *gestures)
{
  static const guint buttons[]
      = { GDK_BUTTON_PRIMARY, GDK_BUTTON_MIDDLE, GDK_BUTTON_SECONDARY };
  for (size_t i = 0; i < G_N_ELEMENTS (buttons); i++) {
    GtkGesture *drag = gtk_gesture_drag_new ();
    gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), buttons[i]);
    g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), gestures);
    g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), gestures);
    g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), gestures);
    gtk_widget_add_controller (GTK_WIDGET (viewport), GTK_EVENT_CONTROLLER (drag));
    gestures->drags[i] = drag;
  }
}

static void
gestures_free (void *data)
{
  Gestures *gestures = data;
  g_free (gestures->tool_before);
  g_free (gestures);
}

void
odl_viewport_add_gestures (OdlViewport *viewport)
{
  GtkWidget *widget = GTK_WIDGET (viewport);
  Gestures *gestures = g_new0 (Gestures, 1);
  gestures->viewport = viewport;
  g_object_set_data_full (G_OBJECT (viewport), "odl-gestures", gestures, gestures_free);
  add_drags (viewport, gestures);

  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), gestures);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), gestures);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), gestures);
  gtk_widget_add_controller (widget, scroll);

  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), gestures);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), gestures);
  g_signal_connect (motion, "leave", G_CALLBACK (pointer_left_cb), gestures);
  gtk_widget_add_controller (widget, motion);

  add_fingers (viewport, gestures);

  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), gestures);
  g_signal_connect (keys, "key-released", G_CALLBACK (key_released_cb), gestures);
  gtk_widget_add_controller (widget, keys);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (leave_cb), gestures);
  gtk_widget_add_controller (widget, focus);
}
