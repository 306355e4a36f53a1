// SPDX-License-Identifier: MIT
#include "support/chooser.h"

GtkFileChooser *
open_chooser (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    if (GTK_IS_FILE_CHOOSER (window) && gtk_widget_get_mapped (window))
      return GTK_FILE_CHOOSER (window);
  }
  return NULL;
}

// On a busy machine a button of GTK's own chooser is drawn now and then before it has its
// place (4.8.3), which GTK warns of; every other warning ends a test.
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, void *data)
{
  return g_strcmp0 (domain, "Gtk") != 0 || (level & G_LOG_LEVEL_WARNING) == 0
         || strstr (message, "without a current allocation") == NULL;
}

bool
has_chooser (Fixture *fixture, const void *data)
{
  g_test_log_set_fatal_handler (is_fatal, NULL);
  return (open_chooser () != NULL) == (data != NULL);
}

void
choose (GtkWidget *root, const char *title)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    choose (child, title);
  if (!GTK_IS_DROP_DOWN (root)
      || !GTK_IS_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (root))))
    return;
  GtkStringList *options
      = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (root)));
  for (guint i = 0; gtk_string_list_get_string (options, i); i++)
    if (g_str_equal (gtk_string_list_get_string (options, i), title))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (root), i);
}

bool
has_chosen (Fixture *fixture, const void *path)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (open_chooser ());
  return file && g_strcmp0 (g_file_peek_path (file), path) == 0;
}
