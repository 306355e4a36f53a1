// SPDX-License-Identifier: MIT
#include "widgets/archive/nodes_page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "session/archive/search.h"
#include "widgets/archive/node_list.h"
#include "widgets/archive/node_window.h"
#include "widgets/diagnostics.h"

#define NODE "odl-node" // name, of a row
#define DATA "odl-nodes-page"
#define WORK "odl-work"

typedef struct {
  OdlSettings *settings; // referenced
  AdwPreferencesGroup *group;
  GPtrArray *rows; // borrowed
  GtkWidget *page;
} Page;

static void fill (Page *page);

static void
page_free (void *data)
{
  Page *page = data;

  g_ptr_array_unref (page->rows);
  g_object_unref (page->settings);
  g_free (page);
}

// ---- Testing -------------------------------------------------------------------------

static void
tested_cb (bool good, const char *text, void *data)
{
  GtkWidget *row = data;
  const char *address = g_object_get_data (G_OBJECT (row), "address");
  g_autofree char *sentence = odl_diagnostics_sentence (text);
  g_autofree char *words = g_strdup_printf ("%s\n%s", address, sentence);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), words);
  (good ? gtk_widget_remove_css_class : gtk_widget_add_css_class) (row, "failed-row");
  g_object_set_data (G_OBJECT (row), WORK, NULL);
}

static void
drop (void *work)
{
  odl_archive_work_drop (work);
}

static void
test_cb (Page *page, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  g_autoptr (GPtrArray) nodes = odl_nodes_load (page->settings);
  g_autoptr (GError) error = NULL;
  const OdlArchiveNode *node
      = odl_archive_nodes_find (nodes, g_object_get_data (G_OBJECT (row), NODE));

  if (node == NULL)
    return;
  tested_cb (true, _ ("Calling…"), row);
  OdlArchiveWork *work = odl_archive_test_start (node, tested_cb, row, &error);
  if (work != NULL)
    g_object_set_data_full (G_OBJECT (row), WORK, work, drop);
  else
    tested_cb (false, error->message, row);
}

// ---- Changes -------------------------------------------------------------------------

static void
saved_cb (void *data)
{
  fill (data);
}

static void
edit_cb (Page *page, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  const char *name = row != NULL ? g_object_get_data (G_OBJECT (row), NODE) : NULL;

  odl_node_window_present (page->page, page->settings, name, saved_cb, page);
}

static void
remove_answered_cb (AdwMessageDialog *dialog, const char *answer, GObject *made)
{
  Page *page = g_object_get_data (made, DATA);
  g_autoptr (GPtrArray) nodes = odl_nodes_load (page->settings);
  OdlArchiveNode *node
      = odl_archive_nodes_find (nodes, g_object_get_data (G_OBJECT (dialog), NODE));

  if (node == NULL || !g_str_equal (answer, "remove"))
    return;
  g_ptr_array_remove (nodes, node);
  odl_nodes_save (page->settings, nodes);
  fill (page);
}

static void
remove_cb (Page *page, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  const char *name = g_object_get_data (G_OBJECT (row), NODE);
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (button)),
                                              _ ("Remove the Node?"), NULL);

  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      _ ("“%s” is no longer listed; nothing changes at the node itself."), name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"),
                                    "remove", _ ("_Remove"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "remove",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), NODE, g_strdup (name), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (remove_answered_cb),
                           page->page, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

// ---- The page ------------------------------------------------------------------------

static void
add_button (Page *page, GtkWidget *row, const char *icon, const char *words, GCallback cb)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words, -1);
  g_signal_connect_swapped (button, "clicked", cb, page);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
}

static void
add_row (Page *page, const OdlArchiveNode *node)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *test = gtk_button_new_with_mnemonic (_ ("_Test"));
  char *address = odl_node_place (node);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), node->name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), address);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  g_object_set_data_full (G_OBJECT (row), NODE, g_strdup (node->name), g_free);
  g_object_set_data_full (G_OBJECT (row), "address", address, g_free);
  gtk_widget_set_valign (test, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (test, _ ("Ask whether it answers, and what it does"));
  g_signal_connect_swapped (test, "clicked", G_CALLBACK (test_cb), page);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), test);
  add_button (page, row, "document-edit-symbolic", _ ("Edit"), G_CALLBACK (edit_cb));
  add_button (page, row, "user-trash-symbolic", _ ("Remove"), G_CALLBACK (remove_cb));
  adw_preferences_group_add (page->group, row);
  g_ptr_array_add (page->rows, row);
}

static void
add_empty_row (Page *page)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("No node yet"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row),
                               _ ("Whoever runs an archive knows its title, machine and "
                                  "port, and has to let ours in"));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  adw_preferences_group_add (page->group, row);
  g_ptr_array_add (page->rows, row);
}

static void
fill (Page *page)
{
  g_autoptr (GPtrArray) nodes = odl_nodes_load (page->settings);

  for (guint i = 0; i < page->rows->len; i++)
    adw_preferences_group_remove (page->group, page->rows->pdata[i]);
  g_ptr_array_set_size (page->rows, 0);
  for (guint i = 0; i < nodes->len; i++)
    add_row (page, nodes->pdata[i]);
  if (nodes->len == 0)
    add_empty_row (page);
}

GtkWidget *
odl_nodes_page_new (OdlSettings *settings)
{
  GtkWidget *made = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *add = gtk_button_new_with_mnemonic (_ ("_Add…"));
  Page *page = g_new0 (Page, 1);

  page->settings = g_object_ref (settings);
  page->rows = g_ptr_array_new ();
  page->group = ADW_PREFERENCES_GROUP (group);
  page->page = made;
  g_object_set_data_full (G_OBJECT (made), DATA, page, page_free);
  adw_preferences_page_set_name (ADW_PREFERENCES_PAGE (made), "archives");
  adw_preferences_page_set_title (ADW_PREFERENCES_PAGE (made), _ ("Archives"));
  adw_preferences_page_set_icon_name (ADW_PREFERENCES_PAGE (made),
                                      "network-server-symbolic");
  adw_preferences_group_set_title (page->group, _ ("DICOM Nodes"));
  adw_preferences_group_set_description (
      page->group, _ ("That pictures are found at, come from, and are sent to"));
  adw_preferences_group_set_header_suffix (page->group, add);
  gtk_widget_set_valign (add, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (add, "clicked", G_CALLBACK (edit_cb), page);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (made), page->group);
  fill (page);
  return made;
}
