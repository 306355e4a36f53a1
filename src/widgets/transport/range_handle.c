// SPDX-License-Identifier: MIT
#include "widgets/transport/range_handle.h"

#include <glib/gi18n-lib.h>
#include <math.h>

// Pixels.
#define WIDTH 14
#define HEIGHT 14

struct _OdlRangeHandle {
  GtkWidget parent_instance;
  OdlRangeHandleState state;
  double grip; // from the frame's place to the pointer, in the parent's pixels
};

enum { SIGNAL_MOVED, SIGNAL_HELD, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OdlRangeHandle, odl_range_handle, GTK_TYPE_WIDGET)

void
odl_range_handle_update (OdlRangeHandle *self,
                         const OdlRangeHandleState *state,
                         const char *text)
{
  self->state = *state;
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN,
      (double) state->lowest + 1, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX,
      (double) state->highest + 1, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
      (double) state->frame + 1, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
move_to (OdlRangeHandle *self, gint64 frame)
{
  frame = CLAMP (frame, self->state.lowest, self->state.highest);
  if (frame != self->state.frame)
    g_signal_emit (self, signals[SIGNAL_MOVED], 0, frame);
}

// ---- pointer -------------------------------------------------------------------------

// The handle moves under the pointer, so places are the parent's.
static double
pointer_x (OdlRangeHandle *self, GtkGesture *gesture)
{
  double x = 0, y = 0, at = 0;

  gtk_gesture_get_point (gesture, NULL, &x, &y);
  gtk_widget_translate_coordinates (
      GTK_WIDGET (self), gtk_widget_get_parent (GTK_WIDGET (self)), x, y, &at, NULL);
  return at;
}

static double
pixels_per_frame (const OdlRangeHandle *self)
{
  return self->state.length / (double) MAX (self->state.n - 1, 1);
}

static void
drag_begin_cb (OdlRangeHandle *self, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->grip = pointer_x (self, gesture) - self->state.origin
               - (double) self->state.frame * pixels_per_frame (self);
  g_signal_emit (self, signals[SIGNAL_HELD], 0, TRUE);
}

static void
drag_update_cb (OdlRangeHandle *self, double x, double y, GtkGesture *gesture)
{
  const double at = pointer_x (self, gesture) - self->grip - self->state.origin;

  move_to (self, (gint64) floor (at / pixels_per_frame (self) + 0.5));
}

static void
drag_end_cb (OdlRangeHandle *self, double x, double y, GtkGesture *gesture)
{
  g_signal_emit (self, signals[SIGNAL_HELD], 0, FALSE);
}

// ---- keys ----------------------------------------------------------------------------

static gboolean
key_cb (OdlRangeHandle *self, guint key, guint code, GdkModifierType modifiers)
{
  const gint64 page = MAX (self->state.n / 10, 1);
  const bool mirrored = self->state.length < 0;
  const struct {
    guint key, keypad;
    gint64 to;
  } rows[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, self->state.frame + (mirrored ? 1 : -1) },
    { GDK_KEY_Right, GDK_KEY_KP_Right, self->state.frame + (mirrored ? -1 : 1) },
    { GDK_KEY_Down, GDK_KEY_KP_Down, self->state.frame - 1 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, self->state.frame + 1 },
    { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, self->state.frame - page },
    { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, self->state.frame + page },
    { GDK_KEY_Home, GDK_KEY_KP_Home, self->state.lowest },
    { GDK_KEY_End, GDK_KEY_KP_End, self->state.highest },
  };

  if (modifiers & gtk_accelerator_get_default_mod_mask ())
    return GDK_EVENT_PROPAGATE;
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (key == rows[i].key || key == rows[i].keypad) {
      move_to (self, rows[i].to);
      return GDK_EVENT_STOP;
    }
  return GDK_EVENT_PROPAGATE;
}

// ---- widget --------------------------------------------------------------------------

static void
odl_range_handle_class_init (OdlRangeHandleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  gtk_widget_class_set_css_name (widget_class, "range-handle");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
  signals[SIGNAL_MOVED] = g_signal_new ("moved", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
  signals[SIGNAL_HELD] = g_signal_new ("held", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
odl_range_handle_init (OdlRangeHandle *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->state = (OdlRangeHandleState){ .n = 1, .length = 1 };
  gtk_widget_set_size_request (GTK_WIDGET (self), WIDTH, HEIGHT);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

GtkWidget *
odl_range_handle_new (gboolean last)
{
  GtkWidget *handle = g_object_new (ODL_TYPE_RANGE_HANDLE, NULL);
  const char *name = last ? _ ("End of the range") : _ ("Beginning of the range");

  gtk_widget_add_css_class (handle, last ? "last" : "first");
  gtk_widget_set_tooltip_text (handle, last ? _ ("The range ends here: drag, or ]")
                                            : _ ("The range begins here: drag, or ["));
  gtk_accessible_update_property (GTK_ACCESSIBLE (handle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  return handle;
}
