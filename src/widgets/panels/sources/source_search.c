// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_search.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/panels/sources/source_item.h"

struct _OdlSourceSearch {
  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkLabel *empty;
  GtkListView *list;
  GtkFilterListModel *found;
  GtkFilter *filter;
  char **words; // folded; NULL: everything fits
};

// One line of an item's words has them all.
static gboolean
fits (void *object, void *data)
{
  const OdlSourceSearch *self = data;
  g_auto (GStrv) lines = NULL;
  if (!self->words || !*self->words)
    return TRUE;
  lines = g_strsplit (odl_source_item_words (object), "\n", -1);
  for (char **line = lines; *line; line++) {
    char **word = self->words;
    while (*word && strstr (*line, *word))
      word++;
    if (!*word)
      return TRUE;
  }
  return FALSE;
}

static void
say_empty (OdlSourceSearch *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const bool none = self->words && *self->words
                    && g_list_model_get_n_items (G_LIST_MODEL (self->found)) == 0;
  // Translators: no row of a list has the words that were typed.
  g_autofree char *said = g_strdup_printf (_ ("Nothing in this list fits “%s”."), text);
  gtk_widget_set_visible (GTK_WIDGET (self->empty), none);
  gtk_label_set_text (self->empty, none ? said : "");
}

void
odl_source_search_update (OdlSourceSearch *self)
{
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  say_empty (self);
}

static void
changed_cb (OdlSourceSearch *self)
{
  g_autofree char *folded
      = odl_source_item_fold (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  g_auto (GStrv) words = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (char **word = words; *word; word++)
    if (**word)
      g_strv_builder_add (builder, *word);
  g_strfreev (self->words);
  self->words = g_strv_builder_end (builder);
  odl_source_search_update (self);
}

// The first row that is no heading.
static void
activate_cb (OdlSourceSearch *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->found));
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSourceItem) item
        = g_list_model_get_item (G_LIST_MODEL (self->found), i);
    if (odl_source_item_is_heading (item))
      continue;
    g_signal_emit_by_name (self->list, "activate", i);
    return;
  }
}

static gboolean
key_cb (OdlSourceSearch *self, guint key)
{
  if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
  return GDK_EVENT_STOP;
}

// Closed by its own button or Escape, too.
static void
mode_cb (OdlSourceSearch *self)
{
  if (!gtk_search_bar_get_search_mode (self->bar))
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

void
odl_source_search_open (OdlSourceSearch *self)
{
  gtk_search_bar_set_search_mode (self->bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void
odl_source_search_close (OdlSourceSearch *self)
{
  gtk_search_bar_set_search_mode (self->bar, FALSE);
}

GListModel *
odl_source_search_found (OdlSourceSearch *self)
{
  return G_LIST_MODEL (self->found);
}

OdlSourceSearch *
odl_source_search_new (GListModel *items,
                       GtkSearchBar *bar,
                       GtkSearchEntry *entry,
                       GtkLabel *empty,
                       GtkListView *list)
{
  OdlSourceSearch *self = g_new0 (OdlSourceSearch, 1);
  GtkEventController *keys = gtk_event_controller_key_new ();
  *self = (OdlSourceSearch){ .bar = bar, .entry = entry, .empty = empty, .list = list };
  self->filter = GTK_FILTER (gtk_custom_filter_new (fits, self, NULL));
  self->found
      = gtk_filter_list_model_new (g_object_ref (items), g_object_ref (self->filter));
  gtk_search_bar_connect_entry (bar, GTK_EDITABLE (entry));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (entry), keys);
  g_signal_connect_swapped (entry, "search-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (activate_cb), self);
  g_signal_connect_swapped (bar, "notify::search-mode-enabled", G_CALLBACK (mode_cb),
                            self);
  g_signal_connect_swapped (self->found, "items-changed", G_CALLBACK (say_empty), self);
  return self;
}

void
odl_source_search_free (OdlSourceSearch *self)
{
  g_signal_handlers_disconnect_by_data (self->entry, self);
  g_signal_handlers_disconnect_by_data (self->bar, self);
  g_signal_handlers_disconnect_by_data (self->found, self);
  gtk_custom_filter_set_filter_func (GTK_CUSTOM_FILTER (self->filter), NULL, NULL, NULL);
  g_object_unref (self->filter);
  g_object_unref (self->found);
  g_strfreev (self->words);
  g_free (self);
}
