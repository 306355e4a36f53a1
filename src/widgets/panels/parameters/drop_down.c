// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/drop_down.h"

#include <string.h>

#include "widgets/find.h"

#define MARGIN 12 // px

// Where the text is whole, the tooltip is that of the list.
static gboolean
tooltip_cb (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *text = gtk_list_item_get_item (item);
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (text));
}

void
odl_drop_down_narrow (GtkDropDown *list)
{
  GtkListItemFactory *whole = gtk_drop_down_get_list_factory (list);
  g_autoptr (GtkListItemFactory) narrow = gtk_signal_list_item_factory_new ();
  // GTK's own shows both, with a mark in the list.
  if (!whole)
    gtk_drop_down_set_list_factory (list, gtk_drop_down_get_factory (list));
  g_signal_connect (narrow, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (narrow, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_drop_down_set_factory (list, narrow);
}

// A blank that is typed belongs to the words that are looked for. What the entry captures
// for itself leaves it to the list.
static gboolean
blank_cb (GtkEventControllerKey *keys,
          guint key,
          guint code,
          GdkModifierType state,
          GtkEditable *entry)
{
  int place = gtk_editable_get_position (entry);

  if (key != GDK_KEY_space || *gtk_editable_get_text (entry) == '\0')
    return FALSE;
  gtk_editable_delete_selection (entry);
  place = MIN (place, (int) g_utf8_strlen (gtk_editable_get_text (entry), -1));
  gtk_editable_insert_text (entry, " ", 1, &place);
  gtk_editable_set_position (entry, place);
  return TRUE;
}

// What is looked for, or NULL where GTK's list is made otherwise.
static GtkStringFilter *
filter_of (GtkSingleSelection *rows)
{
  GListModel *found = gtk_single_selection_get_model (rows);
  if (GTK_IS_SORT_LIST_MODEL (found))
    found = gtk_sort_list_model_get_model (GTK_SORT_LIST_MODEL (found));
  GtkFilter *filter
      = GTK_IS_FILTER_LIST_MODEL (found)
            ? gtk_filter_list_model_get_filter (GTK_FILTER_LIST_MODEL (found))
            : NULL;
  return GTK_IS_STRING_FILTER (filter) ? GTK_STRING_FILTER (filter) : NULL;
}

static bool
is_in_name (GtkStringObject *item, const char *typed)
{
  g_autofree char *name = g_utf8_casefold (gtk_string_object_get_string (item), -1);
  return strstr (name, typed) != NULL;
}

// Those that are called so, then those whose descriptions have the word; each in the
// order of the list, as all are while nothing is looked for.
static int
compare_cb (const void *one, const void *other, void *filter)
{
  const char *text = gtk_string_filter_get_search (filter);
  g_autofree char *typed = g_utf8_casefold (text ? text : "", -1);
  return is_in_name ((void *) other, typed) - is_in_name ((void *) one, typed);
}

static void
searched_cb (GtkStringFilter *filter, GParamSpec *property, GtkSorter *sorter)
{
  gtk_sorter_changed (sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

// Finds words inside names, too (GTK has a property for it from 4.12 on), and in what
// `text` makes of an item. The rows stay those that GTK counts on: without anything to
// look for they are the list.
static void
search_inside (GtkSingleSelection *rows, char *(*text) (GtkStringObject *item, void *) )
{
  GtkStringFilter *filter = filter_of (rows);
  if (!filter)
    return;
  GtkSorter *sorter = GTK_SORTER (
      gtk_custom_sorter_new (compare_cb, g_object_ref (filter), g_object_unref));
  g_autoptr (GtkSortListModel) sorted = gtk_sort_list_model_new (
      g_object_ref (gtk_single_selection_get_model (rows)), sorter);
  g_autoptr (GtkExpression) expression = gtk_cclosure_expression_new (
      G_TYPE_STRING, NULL, 0, NULL, G_CALLBACK (text), NULL, NULL);
  gtk_string_filter_set_match_mode (filter, GTK_STRING_FILTER_MATCH_MODE_SUBSTRING);
  gtk_string_filter_set_expression (filter, expression);
  g_signal_connect_object (filter, "notify::search", G_CALLBACK (searched_cb), sorter, 0);
  gtk_single_selection_set_model (rows, G_LIST_MODEL (sorted));
}

// The list gives way to a sentence where nothing was found.
static void
found_cb (GListModel *rows, guint at, guint removed, guint added, GtkWidget *nothing)
{
  const bool found = g_list_model_get_n_items (rows) > 0;
  gtk_widget_set_visible (nothing, !found);
  gtk_widget_set_visible (gtk_widget_get_prev_sibling (nothing), found);
}

static void
say_nothing_found (GtkWidget *list, GtkSingleSelection *rows, const char *sentence)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (list, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget *nothing = gtk_label_new (sentence);
  gtk_label_set_wrap (GTK_LABEL (nothing), TRUE);
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_set_margin_top (nothing, MARGIN);
  gtk_widget_set_margin_bottom (nothing, MARGIN);
  gtk_widget_set_visible (nothing, FALSE);
  gtk_widget_insert_after (nothing, gtk_widget_get_parent (scrolled), scrolled);
  g_signal_connect_object (rows, "items-changed", G_CALLBACK (found_cb), nothing, 0);
}

// Return in the entry takes the first of what is found, at once: GTK looks for it when
// nothing was typed for a moment.
static void
entered_cb (GtkSearchEntry *entry, GtkDropDown *list)
{
  GtkWidget *view = odl_find_inside (GTK_WIDGET (list), GTK_TYPE_LIST_VIEW);
  GtkSelectionModel *found = view ? gtk_list_view_get_model (GTK_LIST_VIEW (view)) : NULL;
  GtkStringFilter *filter
      = GTK_IS_SINGLE_SELECTION (found) ? filter_of (GTK_SINGLE_SELECTION (found)) : NULL;

  if (filter)
    gtk_string_filter_set_search (filter, gtk_editable_get_text (GTK_EDITABLE (entry)));
  if (found && g_list_model_get_n_items (G_LIST_MODEL (found)) > 0)
    g_signal_emit_by_name (view, "activate", 0u);
}

void
odl_drop_down_search (GtkDropDown *list,
                      char *(*text_of) (GtkStringObject *item, void *),
                      const char *nothing)
{
  g_autoptr (GtkExpression) text
      = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression (list, text);
  gtk_drop_down_set_enable_search (list, TRUE);
  GtkWidget *entry = odl_find_inside (GTK_WIDGET (list), GTK_TYPE_SEARCH_ENTRY);
  if (!entry)
    return;
  GtkWidget *popover = gtk_widget_get_ancestor (entry, GTK_TYPE_POPOVER);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (blank_cb), entry);
  gtk_widget_add_controller (popover, keys);
  g_signal_connect (entry, "activate", G_CALLBACK (entered_cb), list);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (entry), popover);
  GtkWidget *view = odl_find_inside (GTK_WIDGET (list), GTK_TYPE_LIST_VIEW);
  GtkSelectionModel *rows = view ? gtk_list_view_get_model (GTK_LIST_VIEW (view)) : NULL;
  if (!GTK_IS_SINGLE_SELECTION (rows))
    return;
  search_inside (GTK_SINGLE_SELECTION (rows), text_of);
  say_nothing_found (view, GTK_SINGLE_SELECTION (rows), nothing);
}

// ---- rows of libadwaita --------------------------------------------------------------

static void
mark_cb (AdwComboRow *row, GParamSpec *spec, GtkListItem *item)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *mark = box ? gtk_widget_get_last_child (box) : NULL;
  if (mark)
    gtk_widget_set_opacity (mark, gtk_list_item_get_item (item)
                                      == adw_combo_row_get_selected_item (row));
}

static void
setup_whole_cb (GtkListItemFactory *factory, GtkListItem *item, AdwComboRow *row)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
  gtk_list_item_set_child (item, box);
  g_signal_connect_object (row, "notify::selected-item", G_CALLBACK (mark_cb), item, 0);
}

static void
bind_whole_cb (GtkListItemFactory *factory, GtkListItem *item, AdwComboRow *row)
{
  GtkStringObject *text = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  gtk_label_set_text (GTK_LABEL (label), gtk_string_object_get_string (text));
  mark_cb (row, NULL, item);
}

void
odl_combo_row_widen (AdwComboRow *row)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_whole_cb), row, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_whole_cb), row, 0);
  adw_combo_row_set_list_factory (row, factory);
  adw_combo_row_set_use_subtitle (row, TRUE);
}
