// SPDX-License-Identifier: MIT
#include "widgets/windows/child_window.h"

#include <adwaita.h>

GtkWidget *
odl_child_window_new (GtkWindow *parent, const char *title, int width, int height)
{
  GtkWidget *window = adw_window_new ();
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (shortcuts),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, shortcuts);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  return window;
}

GtkWidget *
odl_child_window_nothing (const char *icon, const char *title, const char *description)
{
  GtkWidget *page = adw_status_page_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), icon);
  adw_status_page_set_title (ADW_STATUS_PAGE (page), title);
  adw_status_page_set_description (ADW_STATUS_PAGE (page), description);
  gtk_widget_set_vexpand (page, TRUE);
  return page;
}

GtkWidget *
odl_child_window_button (const char *icon,
                         const char *words,
                         GCallback clicked,
                         void *data)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words, -1);
  g_signal_connect_swapped (button, "clicked", clicked, data);
  return button;
}

static void
stop_following (void *data)
{
  g_source_remove (GPOINTER_TO_UINT (data));
}

void
odl_child_window_follow (GtkWidget *window,
                         guint interval_ms,
                         GSourceFunc update,
                         void *data)
{
  const guint id = g_timeout_add (interval_ms, update, data);
  g_object_set_data_full (G_OBJECT (window), "following", GUINT_TO_POINTER (id),
                          stop_following);
  update (data);
}

GtkWindow *
odl_child_window_present (OdlMainWindow *parent,
                          const char *key,
                          GtkWidget *(*make) (OdlMainWindow *parent))
{
  GtkWidget *window = NULL;
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  for (GList *at = windows; at && !window; at = at->next)
    if (gtk_window_get_transient_for (at->data) == GTK_WINDOW (parent)
        && g_object_get_data (at->data, key))
      window = at->data;
  if (!window)
    window = make (parent);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}
