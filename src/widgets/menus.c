// SPDX-License-Identifier: MIT
#include "widgets/menus.h"

static gboolean
leave_cb (void *button)
{
  GtkRoot *root = gtk_widget_get_root (button);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  if (!GTK_IS_WINDOW (root)
      || (focus && focus != button && !gtk_widget_is_ancestor (focus, button)))
    return G_SOURCE_REMOVE; // what was chosen took it
  if (!gtk_window_get_focus_visible (GTK_WINDOW (root)))
    gtk_widget_activate_action (button, "win.focus-picture", NULL);
  else
    gtk_widget_grab_focus (button);
  return G_SOURCE_REMOVE;
}

static void
closed_cb (GtkWidget *button)
{
  g_idle_add_full (G_PRIORITY_LOW, leave_cb, g_object_ref (button), g_object_unref);
}

static void
popover_cb (GtkMenuButton *button)
{
  GtkPopover *popover = gtk_menu_button_get_popover (button);
  if (GTK_IS_POPOVER_MENU (popover))
    g_signal_connect_object (popover, "closed", G_CALLBACK (closed_cb), button,
                             G_CONNECT_SWAPPED);
}

void
odl_menus_leave (GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget)) {
    popover_cb (GTK_MENU_BUTTON (widget));
    g_signal_connect (widget, "notify::popover", G_CALLBACK (popover_cb), NULL);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    odl_menus_leave (child);
}
