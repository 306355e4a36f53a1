// SPDX-License-Identifier: MIT
#include "annotating.h"

OdlAnnotations *
annotations (Fixture *fixture)
{
  return odl_session_annotations (fixture->session);
}

int
count (Fixture *fixture)
{
  return odl_annotations_count (annotations (fixture));
}

void
assert_text (Fixture *fixture, int i, const char *wanted, const char *note)
{
  const OdlAnnotation *annotation = odl_annotations_at (annotations (fixture), i);
  OdlSubject subject;
  g_assert_true (odl_viewport_subject (fixture->viewport, &subject));
  g_autofree char *text = odl_annotation_to_text (annotation, &subject);
  g_assert_cmpstr (text, ==, wanted);
  if (note)
    g_assert_cmpstr (odl_annotation_note (annotation, &subject.scale), ==, note);
}

void
assert_last_text (Fixture *fixture, const char *wanted)
{
  assert_text (fixture, count (fixture) - 1, wanted, NULL);
}

OdlPoint
on_widget (Fixture *fixture, double x, double y)
{
  GtkWidget *widget = GTK_WIDGET (fixture->viewport);
  return odl_view_to_canvas (odl_viewport_view (fixture->viewport),
                             gtk_widget_get_width (widget),
                             gtk_widget_get_height (widget), (OdlPoint){ x, y });
}

static GtkEventController *
controller_with (Fixture *fixture, GType type, guint button)
{
  g_autoptr (GListModel) all
      = gtk_widget_observe_controllers (GTK_WIDGET (fixture->viewport));
  for (guint i = g_list_model_get_n_items (all); i-- > 0;) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type)
        && (!GTK_IS_GESTURE_SINGLE (controller)
            || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == button))
      return controller; // the widget keeps it
  }
  g_assert_not_reached ();
}

static GtkEventController *
canvas_controller_of (Fixture *fixture, GType type)
{
  return controller_with (fixture, type, GDK_BUTTON_PRIMARY);
}

void
drag_up (Fixture *fixture, guint button, double x, double y, double by)
{
  GtkEventController *gesture = controller_with (fixture, GTK_TYPE_GESTURE_DRAG, button);
  const OdlPoint at = on_widget (fixture, x, y);
  g_signal_emit_by_name (gesture, "drag-begin", at.x, at.y);
  if (by != 0)
    g_signal_emit_by_name (gesture, "drag-update", 0.0, -by);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, -by);
  settle (fixture);
}

void
hover (Fixture *fixture, double x, double y)
{
  const OdlPoint at = on_widget (fixture, x, y);
  g_signal_emit_by_name (canvas_controller_of (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION),
                         "motion", at.x, at.y);
  settle (fixture);
}

void
drag_with_key (Fixture *fixture, OdlPoint from, OdlPoint to, guint key)
{
  GtkEventController *gesture = canvas_controller_of (fixture, GTK_TYPE_GESTURE_DRAG);
  GtkEventController *click = canvas_controller_of (fixture, GTK_TYPE_GESTURE_CLICK);
  const OdlPoint a = on_widget (fixture, from.x, from.y);
  const OdlPoint b = on_widget (fixture, to.x, to.y);
  const double dx = b.x - a.x, dy = b.y - a.y;
  g_signal_emit_by_name (click, "pressed", 1, a.x, a.y);
  g_signal_emit_by_name (gesture, "drag-begin", a.x, a.y);
  for (int i = 1; i <= 4 && (dx != 0 || dy != 0); i++)
    g_signal_emit_by_name (gesture, "drag-update", i * dx / 4, i * dy / 4);
  run_cycles (fixture, 1); // what is in the making is painted, too
  if (key) {
    g_assert_true (press (fixture, key, 0));
    g_signal_emit_by_name (gesture, "drag-update", dx, dy);
  }
  g_signal_emit_by_name (gesture, "drag-end", dx, dy);
  g_signal_emit_by_name (click, "released", 1, b.x, b.y);
  settle (fixture);
}

void
drag_along (Fixture *fixture, const OdlPoint *way, int n)
{
  GtkEventController *gesture = canvas_controller_of (fixture, GTK_TYPE_GESTURE_DRAG);
  const OdlPoint a = on_widget (fixture, way[0].x, way[0].y);
  OdlPoint b = a;
  g_signal_emit_by_name (gesture, "drag-begin", a.x, a.y);
  for (int i = 1; i < n; i++) {
    b = on_widget (fixture, way[i].x, way[i].y);
    g_signal_emit_by_name (gesture, "drag-update", b.x - a.x, b.y - a.y);
  }
  g_signal_emit_by_name (gesture, "drag-end", b.x - a.x, b.y - a.y);
  settle (fixture);
}

void
right_click (Fixture *fixture, double x, double y)
{
  const OdlPoint at = on_widget (fixture, x, y);
  g_autoptr (GListModel) all
      = gtk_widget_observe_controllers (GTK_WIDGET (fixture->viewport));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
    if (GTK_IS_GESTURE_CLICK (controller)
        && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller))
               == GDK_BUTTON_SECONDARY)
      g_signal_emit_by_name (controller, "pressed", 1, at.x, at.y);
  }
  settle (fixture);
}

void
drag (Fixture *fixture, OdlPoint from, OdlPoint to)
{
  drag_with_key (fixture, from, to, 0);
}

bool
press (Fixture *fixture, guint key, GdkModifierType state)
{
  gboolean handled = FALSE;
  g_signal_emit_by_name (canvas_controller_of (fixture, GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, state, &handled);
  settle (fixture);
  return handled;
}

char *
write_halves (Fixture *fixture, const char *name, int left, int right)
{
  g_autoptr (GdkPixbuf) pixbuf
      = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, HALVES_WIDTH, HALVES_HEIGHT);
  g_autoptr (GError) error = NULL;
  guchar *bytes = gdk_pixbuf_get_pixels (pixbuf);
  for (int y = 0; y < HALVES_HEIGHT; y++)
    for (int x = 0; x < 3 * HALVES_WIDTH; x++)
      bytes[y * gdk_pixbuf_get_rowstride (pixbuf) + x]
          = (guchar) (x < 3 * 100 ? left : right);
  char *path = g_build_filename (fixture->folder, name, NULL);
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}
