// SPDX-License-Identifier: MIT
// The menu of the right button, of the menu key and of Shift+F10.
#include "widgets/viewport/private.h"

void
odl_viewport_open_menu (OdlViewport *self, double x, double y)
{
  if (!self->menu || !odl_session_frame (self->session))
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

// The part that had the keys is hidden with a menu that was open further in, which leaves
// them nowhere; what the menu opens is shown later and takes them.
static void
closed_cb (OdlViewport *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
pressed_cb (GtkGestureClick *click, int n_press, double x, double y, OdlViewport *self)
{
  const GdkModifierType keys
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  const OdlTool *tool;
  // Where that button drags, it opens the menu when it is let go.
  if (odl_mouse_drag (&self->mouse, GDK_BUTTON_SECONDARY, keys, &tool))
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  odl_viewport_open_menu (self, x, y);
}

static gboolean
key_cb (GtkWidget *widget, GVariant *arguments, void *data)
{
  odl_viewport_open_menu (data, gtk_widget_get_width (widget) / 2.0,
                          gtk_widget_get_height (widget) / 2.0);
  return TRUE;
}

static void
add_keys (OdlViewport *self)
{
  static const char *const keys[] = { "Menu", "<Shift>F10" };
  GtkEventController *controller = gtk_shortcut_controller_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys[i]),
                          gtk_callback_action_new (key_cb, self, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
odl_viewport_set_menu (OdlViewport *self, GMenuModel *model)
{
  g_return_if_fail (!self->menu);
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  g_signal_connect_swapped (self->menu, "closed", G_CALLBACK (closed_cb), self);
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  add_keys (self);
}

GtkWidget *
odl_viewport_menu (OdlViewport *self)
{
  return self->menu;
}
