// SPDX-License-Identifier: MIT
#include "widgets/archive/find_window.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/archive/search.h"
#include "widgets/archive/arrivals.h"
#include "widgets/archive/find_row.h"
#include "widgets/archive/node_list.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/parameters/drop_down.h"
#include "widgets/window/parts.h"
#include "widgets/windows/child_window.h"
#include "widgets/windows/preferences_window.h"

#define DATA "find-in-archive"
#define FOUND "odl-found" // what a cell shows; borrowed
#define NODE_KEY "archive-node" // name of the one that was chosen last
#define WIDTH 860
#define HEIGHT 700
#define SERIES_HEIGHT 150
#define FIELD_CHARS 11
// The series of a study are asked for when it has been selected for so long.
#define REST_MS 150
// A node that has answered nothing for so long is said to be slow.
#define SLOW_S 5

// What can be asked for, in the order of the fields.
static const struct {
  OdlKey key;
  const char *title;
  const char *hint; // as it is typed, which no language changes
  bool is_secret; // says who the patient is
} fields[] = {
  { ODL_KEY_PATIENT_NAME, N_ ("Name"), "", true },
  { ODL_KEY_PATIENT_ID, N_ ("Number"), "", true },
  { ODL_KEY_DATE, N_ ("Date"), "2023-2024", false },
  { ODL_KEY_MODALITIES, N_ ("Modality"), "CT", false },
  { ODL_KEY_STUDY_DESCRIPTION, N_ ("Description"), "*thorax*", false },
};

typedef struct {
  const OdlWindowParts *parts;
  OdlArrivals *arrivals; // referenced
  GtkWidget *window;
  GPtrArray *nodes; // OdlArchiveNode, as in the list
  GtkDropDown *node;
  GtkWidget *entries[G_N_ELEMENTS (fields)];
  GtkWidget *find, *stop, *get, *cancel;
  GtkStack *pages;
  GtkLabel *status, *arriving;
  GtkSpinner *spinner;
  GtkProgressBar *progress;
  GListStore *studies, *series; // OdlArchiveFound
  GtkSingleSelection *chosen_study, *chosen_series;
  GtkColumnView *list;
  GtkWidget *series_list;
  GHashTable *persons; // identity -> number, in the place of names
  OdlArchiveWork *search, *series_search; // NULL: none is under way
  OdlArchiveNode *asked; // the node that the list is of
  OdlArchiveNode *asking; // that is being asked; its first answer takes the list over
  guint rest;
  guint clock; // while the node has answered nothing
  gint64 asked_us;
  GtkSortListModel *sorted;
  bool goes_to_top; // when the list is sorted
  bool updating;
} Window;

static void
window_free (void *data)
{
  Window *self = data;

  g_clear_handle_id (&self->rest, g_source_remove);
  g_clear_handle_id (&self->clock, g_source_remove);
  odl_archive_work_drop (self->search);
  odl_archive_work_drop (self->series_search);
  odl_archive_node_free (self->asked);
  odl_archive_node_free (self->asking);
  g_ptr_array_unref (self->nodes);
  g_hash_table_unref (self->persons);
  g_signal_handlers_disconnect_by_data (self->sorted, self);
  g_object_unref (self->sorted);
  g_object_unref (self->chosen_study);
  g_object_unref (self->chosen_series);
  g_object_unref (self->list);
  g_object_unref (self->studies);
  g_object_unref (self->series);
  g_object_unref (self->arrivals);
  g_free (self);
}

static bool
hides_names (const Window *self)
{
  return odl_names_are_hidden (odl_names_of (self->parts->session));
}

static void
tell (Window *self, bool good, const char *text)
{
  g_autofree char *sentence = odl_diagnostics_sentence (text);

  gtk_label_set_text (self->status, sentence);
  (good ? gtk_widget_remove_css_class
        : gtk_widget_add_css_class) (GTK_WIDGET (self->status), "error");
}

// ---- Nodes ---------------------------------------------------------------------------

static const OdlArchiveNode *
chosen_node (const Window *self)
{
  const guint at = gtk_drop_down_get_selected (self->node);

  return at < self->nodes->len ? self->nodes->pdata[at] : NULL;
}

// Those of the preferences, which may have changed.
static void
load_nodes (Window *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *last = odl_settings_get_string (self->parts->settings, NODE_KEY);
  guint selected = 0;

  g_ptr_array_unref (self->nodes);
  self->nodes = odl_nodes_load (self->parts->settings);
  for (guint i = 0; i < self->nodes->len; i++) {
    const OdlArchiveNode *node = self->nodes->pdata[i];
    gtk_string_list_append (names, node->name);
    selected = g_str_equal (node->name, last) ? i : selected;
  }
  self->updating = true;
  gtk_drop_down_set_model (self->node, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->node, selected);
  self->updating = false;
  gtk_widget_set_sensitive (GTK_WIDGET (self->node), self->nodes->len > 0);
  gtk_widget_set_sensitive (self->find, self->nodes->len > 0);
  gtk_stack_set_visible_child_name (self->pages, self->nodes->len > 0 ? "list" : "none");
}

static void
active_cb (Window *self)
{
  if (!odl_window_is_closed (self->parts)
      && gtk_window_is_active (GTK_WINDOW (self->window)))
    load_nodes (self);
}

static void
node_cb (Window *self)
{
  const OdlArchiveNode *node = chosen_node (self);

  if (!self->updating && node != NULL)
    odl_settings_set_string (self->parts->settings, NODE_KEY, node->name);
}

// ---- Series --------------------------------------------------------------------------

static OdlArchiveFound *
selected (GtkSingleSelection *selection)
{
  return gtk_single_selection_get_selected_item (selection);
}

static void
update_get (Window *self)
{
  const bool busy = odl_arrivals_are_under_way (self->arrivals);

  gtk_widget_set_sensitive (self->get, !busy && selected (self->chosen_series) != NULL);
  gtk_widget_set_visible (self->cancel, busy);
}

static void
series_found_cb (const GPtrArray *some, void *data)
{
  Window *self = data;

  g_list_store_splice (self->series,
                       g_list_model_get_n_items (G_LIST_MODEL (self->series)), 0,
                       some->pdata, some->len);
}

static void
series_ended_cb (const GError *error, const GPtrArray *notes, void *data)
{
  Window *self = data;

  g_clear_pointer (&self->series_search, odl_archive_work_drop);
  if (error != NULL && !g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    tell (self, false, error->message);
}

static gboolean
rest_cb (void *data)
{
  Window *self = data;
  const OdlArchiveFound *study = selected (self->chosen_study);
  g_autoptr (GError) error = NULL;

  self->rest = 0;
  if (study == NULL || self->asked == NULL)
    return G_SOURCE_REMOVE;
  const OdlArchiveSearchParams params
      = { .node = self->asked,
          .level = ODL_LEVEL_SERIES,
          .wanted[ODL_KEY_STUDY] = odl_archive_found_value (study, ODL_KEY_STUDY),
          .found = series_found_cb,
          .ended = series_ended_cb,
          .data = self };
  self->series_search = odl_archive_search_start (&params, &error);
  if (self->series_search == NULL)
    tell (self, false, error->message);
  return G_SOURCE_REMOVE;
}

// The study itself, and then its series, when it stays selected for a moment.
static void
study_cb (Window *self)
{
  OdlArchiveFound *study = selected (self->chosen_study);

  g_clear_handle_id (&self->rest, g_source_remove);
  g_clear_pointer (&self->series_search, odl_archive_work_drop);
  g_list_store_remove_all (self->series);
  if (study != NULL) {
    g_list_store_append (self->series, study);
    gtk_single_selection_set_selected (self->chosen_series, 0);
    self->rest = g_timeout_add (REST_MS, rest_cb, self);
  }
  update_get (self);
}

// ---- Getting -------------------------------------------------------------------------

static void
get_found (Window *self, const OdlArchiveFound *found)
{
  const bool whole = odl_archive_found_level (found) == ODL_LEVEL_STUDY;
  const OdlKey count = whole ? ODL_KEY_N_STUDY_INSTANCES : ODL_KEY_N_SERIES_INSTANCES;
  g_autoptr (GError) error = NULL;

  if (self->asked != NULL
      && !odl_arrivals_start (
          self->arrivals, self->asked, odl_archive_found_value (found, ODL_KEY_STUDY),
          whole ? "" : odl_archive_found_value (found, ODL_KEY_SERIES),
          odl_archive_found_count (found, count), &error))
    tell (self, false, error->message);
}

static void
get_cb (Window *self)
{
  const OdlArchiveFound *found = selected (self->chosen_series);

  if (found != NULL)
    get_found (self, found);
}

// Enter, or a double click. What has the focus alone, and is not selected, is not what
// the window shows: it is selected first.
static bool
is_selected (GtkSingleSelection *selection, guint at)
{
  const bool was = gtk_single_selection_get_selected (selection) == at;

  gtk_single_selection_set_selected (selection, at);
  return was;
}

static void
study_activated_cb (Window *self, guint at)
{
  if (is_selected (self->chosen_study, at))
    get_found (self, selected (self->chosen_study));
}

static void
series_activated_cb (Window *self, guint at)
{
  if (is_selected (self->chosen_series, at))
    get_found (self, selected (self->chosen_series));
}

static void
cancel_cb (Window *self)
{
  odl_arrivals_cancel (self->arrivals);
}

static void
arrivals_cb (Window *self)
{
  const double share = odl_arrivals_share (self->arrivals);
  const bool busy = odl_arrivals_are_under_way (self->arrivals);

  gtk_label_set_text (self->arriving, odl_arrivals_text (self->arrivals));
  gtk_widget_set_visible (GTK_WIDGET (self->progress), busy);
  if (share >= 0)
    gtk_progress_bar_set_fraction (self->progress, share);
  else if (busy)
    gtk_progress_bar_pulse (self->progress);
  update_get (self);
}

// ---- Finding -------------------------------------------------------------------------

static void
show_searching (Window *self, bool searches)
{
  gtk_spinner_set_spinning (self->spinner, searches);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), searches);
  gtk_widget_set_visible (self->stop, searches);
}

static gboolean
clock_cb (void *data)
{
  Window *self = data;
  const int seconds = (int) ((g_get_monotonic_time () - self->asked_us) / G_USEC_PER_SEC);

  if (seconds < SLOW_S)
    return G_SOURCE_CONTINUE;
  g_autofree char *text = g_strdup_printf (
      _ ("Asking… No answer for %d s: the node is slow, or hangs; Escape stops"),
      seconds);
  tell (self, true, text);
  return G_SOURCE_CONTINUE;
}

static void
start_clock (Window *self)
{
  g_clear_handle_id (&self->clock, g_source_remove);
  self->asked_us = g_get_monotonic_time ();
  self->clock = g_timeout_add_seconds (1, clock_cb, self);
  tell (self, true, _ ("Asking…"));
}

static char *
count_text (const Window *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->studies));

  return g_strdup_printf (ngettext ("%u study", "%u studies", n), n);
}

// A number in the place of who it is.
static void
number_person (Window *self, const OdlArchiveFound *found)
{
  g_autofree char *identity
      = g_strdup_printf ("%s\n%s", odl_archive_found_value (found, ODL_KEY_PATIENT_ID),
                         odl_archive_found_value (found, ODL_KEY_PATIENT_NAME));
  const guint n = g_hash_table_size (self->persons) + 1;

  if (!g_hash_table_contains (self->persons, identity))
    g_hash_table_insert (self->persons, g_steal_pointer (&identity),
                         GUINT_TO_POINTER (n));
}

// What was found before goes, when the node has answered.
static void
begin_list (Window *self)
{
  if (self->asking == NULL)
    return;
  g_clear_handle_id (&self->clock, g_source_remove);
  g_list_store_remove_all (self->studies);
  g_hash_table_remove_all (self->persons);
  odl_archive_node_free (self->asked);
  self->asked = g_steal_pointer (&self->asking);
}

static void
found_cb (const GPtrArray *some, void *data)
{
  Window *self = data;

  begin_list (self);
  for (guint i = 0; i < some->len; i++)
    number_person (self, some->pdata[i]);
  g_list_store_splice (self->studies,
                       g_list_model_get_n_items (G_LIST_MODEL (self->studies)), 0,
                       some->pdata, some->len);
  g_autofree char *text = count_text (self);
  tell (self, true, text);
}

// Studies that come later may belong above those that are on screen, which a list keeps
// there: once, when all are there, the first ones are shown.
static void
sorted_cb (Window *self)
{
  if (!self->goes_to_top || gtk_sort_list_model_get_pending (self->sorted) > 0)
    return;
  self->goes_to_top = false;
  if (selected (self->chosen_study) == NULL
      && g_list_model_get_n_items (G_LIST_MODEL (self->studies)) > 0)
    gtk_widget_activate_action (gtk_widget_get_last_child (GTK_WIDGET (self->list)),
                                "list.scroll-to-item", "u", 0);
}

static void
ended_cb (const GError *error, const GPtrArray *notes, void *data)
{
  Window *self = data;
  g_clear_handle_id (&self->clock, g_source_remove);
  if (error == NULL)
    begin_list (self);
  g_autofree char *count = count_text (self);
  const bool stopped = g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  GString *text = g_string_new (NULL);

  g_clear_pointer (&self->search, odl_archive_work_drop);
  self->goes_to_top = true;
  sorted_cb (self);
  show_searching (self, false);
  if (stopped && self->asking != NULL)
    g_string_append (text, _ ("Stopped; it had not answered yet"));
  else if (stopped)
    g_string_append_printf (text, _ ("Stopped; %s so far"), count);
  else if (error != NULL)
    g_string_append (text, error->message);
  else
    g_string_append (text, count);
  for (guint i = 0; !stopped && i < notes->len; i++)
    g_string_append_printf (text, "; %s", (const char *) notes->pdata[i]);
  tell (self, error == NULL || stopped, text->str);
  g_string_free (text, TRUE);
}

static void
find_cb (Window *self)
{
  const OdlArchiveNode *node = chosen_node (self);
  g_autoptr (GError) error = NULL;
  OdlArchiveSearchParams params = { .node = node,
                                    .level = ODL_LEVEL_STUDY,
                                    .found = found_cb,
                                    .ended = ended_cb,
                                    .data = self };

  if (node == NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    params.wanted[fields[i].key]
        = gtk_editable_get_text (GTK_EDITABLE (self->entries[i]));
  OdlArchiveWork *search = odl_archive_search_start (&params, &error);
  if (search == NULL) { // what was found before stays
    tell (self, false, error->message);
    return;
  }
  odl_archive_work_drop (self->search);
  odl_archive_node_free (self->asking);
  self->search = search;
  self->asking = odl_archive_node_copy (node);
  show_searching (self, true);
  start_clock (self);
}

static bool
stop (Window *self)
{
  if (self->search == NULL)
    return false;
  odl_archive_work_cancel (self->search);
  return true;
}

static bool
is_in_field (Window *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->window));

  for (gsize i = 0; focus != NULL && i < G_N_ELEMENTS (self->entries); i++)
    if (gtk_widget_is_ancestor (focus, self->entries[i]))
      return true;
  return false;
}

static bool
focus_row (GtkWidget *list, const OdlArchiveFound *found)
{
  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    GtkWidget *cell = gtk_widget_get_first_child (row);
    GtkWidget *box = cell != NULL ? gtk_widget_get_first_child (cell) : NULL;
    if (box != NULL && g_object_get_data (G_OBJECT (box), FOUND) == found)
      return gtk_widget_grab_focus (row);
  }
  return false;
}

// The list alone would give the focus to the row that it once had first, which is another
// one since it was sorted.
static bool
focus_selected (Window *self)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->list));
  const guint at = gtk_single_selection_get_selected (self->chosen_study);

  gtk_widget_activate_action (list, "list.scroll-to-item", "u",
                              at); // so that it has a row
  return focus_row (list, selected (self->chosen_study));
}

// From the fields to what was found, without all that lies between.
static bool
go_to_list (Window *self)
{
  if (!is_in_field (self)
      || g_list_model_get_n_items (G_LIST_MODEL (self->chosen_study)) == 0)
    return false;
  if (selected (self->chosen_study) == NULL)
    gtk_single_selection_set_selected (self->chosen_study, 0);
  return focus_selected (self);
}

// Escape ends the search, and only then the window.
static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        Window *self)
{
  if (key == GDK_KEY_Down)
    return go_to_list (self);
  return key == GDK_KEY_Escape && stop (self);
}

// ---- The lists -----------------------------------------------------------------------

static GtkWidget *
new_line (bool dim)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (dim) {
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_add_css_class (label, "caption");
  }
  return label;
}

static void
setup_cell_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), new_line (false));
  gtk_box_append (GTK_BOX (box), new_line (true));
  gtk_list_item_set_child (item, box);
}

static char *
stand_in (const Window *self, const OdlArchiveFound *found)
{
  g_autofree char *identity
      = g_strdup_printf ("%s\n%s", odl_archive_found_value (found, ODL_KEY_PATIENT_ID),
                         odl_archive_found_value (found, ODL_KEY_PATIENT_NAME));

  return g_strdup_printf (_ ("Patient %d"), (int) GPOINTER_TO_UINT (g_hash_table_lookup (
                                                self->persons, identity)));
}

static void
bind_cell_cb (GtkListItemFactory *factory, GtkListItem *item, Window *self)
{
  const OdlFindColumn column = (OdlFindColumn) GPOINTER_TO_INT (
      g_object_get_data (G_OBJECT (factory), "column"));
  const OdlArchiveFound *found = gtk_list_item_get_item (item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  const bool hidden = hides_names (self);
  g_autofree char *instead = hidden ? stand_in (self, found) : NULL;
  g_autofree char *first = odl_find_row_title (found, column, instead);
  g_autofree char *second = odl_find_row_subtitle (found, column, hidden);

  gtk_label_set_text (GTK_LABEL (title), first);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (title)), second);
  gtk_widget_set_tooltip_text (gtk_list_item_get_child (item), first);
  g_object_set_data (G_OBJECT (gtk_list_item_get_child (item)), FOUND, (void *) found);
}

static void
unbind_cell_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  g_object_set_data (G_OBJECT (gtk_list_item_get_child (item)), FOUND, NULL);
}

static GtkColumnViewColumn *
add_column (Window *self, OdlFindColumn column, const char *title, bool expands)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = odl_find_row_sorter (column);

  g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER ((int) column));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell_cb), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell_cb), NULL);
  gtk_column_view_column_set_expand (made, expands);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_column_set_sorter (made, sorter);
  gtk_column_view_append_column (self->list, made);
  g_object_unref (made);
  return made;
}

// Newest first, until a heading is clicked.
static GtkWidget *
make_studies (Window *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_column_view_new (NULL);

  // What is sorted last may come when the window has lost it.
  self->list = g_object_ref_sink (GTK_COLUMN_VIEW (list));
  add_column (self, ODL_FIND_PATIENT, _ ("Patient"), true);
  GtkColumnViewColumn *date = add_column (self, ODL_FIND_DATE, _ ("Date"), false);
  add_column (self, ODL_FIND_STUDY, _ ("Study"), true);
  GtkSortListModel *sorted
      = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->studies)),
                                 g_object_ref (gtk_column_view_get_sorter (self->list)));
  gtk_sort_list_model_set_incremental (sorted, TRUE);
  self->sorted = g_object_ref (sorted);
  g_signal_connect_swapped (sorted, "notify::pending", G_CALLBACK (sorted_cb), self);
  self->chosen_study = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->chosen_study, FALSE);
  gtk_single_selection_set_can_unselect (self->chosen_study, TRUE);
  gtk_column_view_set_model (self->list, GTK_SELECTION_MODEL (self->chosen_study));
  gtk_column_view_sort_by_column (self->list, date, GTK_SORT_DESCENDING);
  g_signal_connect_swapped (self->chosen_study, "notify::selected-item",
                            G_CALLBACK (study_cb), self);
  g_signal_connect_swapped (list, "activate", G_CALLBACK (study_activated_cb), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Studies"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static void
setup_series_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = new_line (false);

  gtk_widget_set_margin_top (label, 4);
  gtk_widget_set_margin_bottom (label, 4);
  gtk_widget_set_margin_start (label, 6);
  gtk_list_item_set_child (item, label);
}

static void
bind_series_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  g_autofree char *text = odl_find_row_of_part (gtk_list_item_get_item (item));

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), text);
}

static GtkWidget *
make_series (Window *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_series_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_series_cb), NULL);
  self->chosen_series
      = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->series)));
  gtk_single_selection_set_autoselect (self->chosen_series, FALSE);
  self->series_list = gtk_list_view_new (
      GTK_SELECTION_MODEL (g_object_ref (self->chosen_series)), factory);
  g_signal_connect_swapped (self->chosen_series, "notify::selected-item",
                            G_CALLBACK (update_get), self);
  g_signal_connect_swapped (self->series_list, "activate",
                            G_CALLBACK (series_activated_cb), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->series_list),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Series"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->series_list);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              SERIES_HEIGHT);
  return scrolled;
}

// ---- The window ----------------------------------------------------------------------

// Binds all rows anew.
static void
names_cb (Window *self)
{
  GtkSelectionModel *model = g_object_ref (GTK_SELECTION_MODEL (self->chosen_study));

  gtk_column_view_set_model (self->list, NULL);
  gtk_column_view_set_model (self->list, model);
  g_object_unref (model);
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].is_secret)
      gtk_entry_set_visibility (GTK_ENTRY (self->entries[i]), !hides_names (self));
}

static GtkWidget *
make_fields (Window *self)
{
  GtkWidget *flow = gtk_flow_box_new ();

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (flow), 2);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), G_N_ELEMENTS (fields));
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (flow), TRUE);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), 6);
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++) {
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
    GtkWidget *entry = self->entries[i] = gtk_entry_new ();
    GtkWidget *label = new_line (true);
    GtkWidget *child = gtk_flow_box_child_new ();
    gtk_label_set_text (GTK_LABEL (label), _ (fields[i].title));
    gtk_label_set_mnemonic_widget (GTK_LABEL (label), entry);
    gtk_editable_set_width_chars (GTK_EDITABLE (entry), FIELD_CHARS);
    gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), FIELD_CHARS);
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry),
                                    *fields[i].hint ? fields[i].hint : NULL);
    gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ (fields[i].title), -1);
    g_signal_connect_swapped (entry, "activate", G_CALLBACK (find_cb), self);
    gtk_box_append (GTK_BOX (box), label);
    gtk_box_append (GTK_BOX (box), entry);
    gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), box);
    gtk_widget_set_focusable (child, FALSE);
    gtk_flow_box_append (GTK_FLOW_BOX (flow), child);
  }
  return flow;
}

static GtkWidget *
make_button (Window *self, const char *label, GCallback cb)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", cb, self);
  return button;
}

static GtkLabel *
add_words (GtkWidget *box)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

// What the query is at.
static GtkWidget *
make_status (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *spinner = gtk_spinner_new ();

  self->spinner = GTK_SPINNER (spinner);
  gtk_box_append (GTK_BOX (box), spinner);
  self->status = add_words (box);
  self->stop = make_button (self, _ ("_Stop"), G_CALLBACK (stop));
  gtk_widget_set_valign (self->stop, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->stop);
  return box;
}

// What is arriving.
static GtkWidget *
make_getting (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  self->arriving = add_words (words);
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->progress));
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), words);
  self->cancel = make_button (self, _ ("_Cancel"), G_CALLBACK (cancel_cb));
  self->get = make_button (self, _ ("_Get and Show"), G_CALLBACK (get_cb));
  gtk_widget_add_css_class (self->get, "suggested-action");
  gtk_box_append (GTK_BOX (box), self->cancel);
  gtk_box_append (GTK_BOX (box), self->get);
  return box;
}

static void
preferences_cb (Window *self)
{
  GtkWindow *window = odl_preferences_window_present (self->parts->window);

  adw_preferences_window_set_visible_page_name (ADW_PREFERENCES_WINDOW (window),
                                                "archives");
}

static GtkWidget *
make_no_node (Window *self)
{
  GtkWidget *page = odl_child_window_nothing (
      "network-server-symbolic", _ ("No Archive Yet"),
      _ ("Name the DICOM nodes that you find pictures at in the preferences."));
  GtkWidget *button = make_button (self, _ ("_Preferences"), G_CALLBACK (preferences_cb));

  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  adw_status_page_set_child (ADW_STATUS_PAGE (page), button);
  return page;
}

static GtkWidget *
make_header (Window *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *node = gtk_drop_down_new (NULL, NULL);

  self->node = GTK_DROP_DOWN (node);
  odl_drop_down_narrow (self->node);
  gtk_widget_set_tooltip_text (node, _ ("The node that is asked"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The node that is asked"), -1);
  g_signal_connect_swapped (node, "notify::selected", G_CALLBACK (node_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), node);
  self->find = make_button (self, _ ("_Find"), G_CALLBACK (find_cb));
  gtk_widget_add_css_class (self->find, "suggested-action");
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->find);
  return bar;
}

static GtkWidget *
make_content (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *pages = gtk_stack_new ();

  self->pages = GTK_STACK (pages);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_box_append (GTK_BOX (box), make_fields (self));
  gtk_box_append (GTK_BOX (box), make_status (self));
  gtk_box_append (GTK_BOX (box), make_studies (self));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), make_series (self));
  gtk_box_append (GTK_BOX (box), make_getting (self));
  gtk_stack_add_named (self->pages, box, "list");
  gtk_stack_add_named (self->pages, make_no_node (self), "none");
  gtk_widget_set_vexpand (pages, TRUE);
  return pages;
}

static void
renamed_cb (GObject *window)
{
  names_cb (g_object_get_data (window, DATA));
}

static void
arrivals_changed_cb (GObject *window)
{
  arrivals_cb (g_object_get_data (window, DATA));
}

// The first picture is to be seen, and not the window before it, which comes again as it
// was when it is asked for.
static void
shown_cb (GtkWidget *window)
{
  gtk_widget_set_visible (window, FALSE);
}

// What is asked for ends with the window; what arrives does not.
static void
closed_cb (Window *self)
{
  g_clear_handle_id (&self->rest, g_source_remove);
  g_clear_handle_id (&self->clock, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->sorted, self);
  // A list that goes selects another row.
  g_signal_handlers_disconnect_by_data (self->chosen_study, self);
  g_signal_handlers_disconnect_by_data (self->chosen_series, self);
  g_clear_pointer (&self->search, odl_archive_work_drop);
  g_clear_pointer (&self->series_search, odl_archive_work_drop);
}

static void
follow (Window *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (self->window, keys);
  g_signal_connect_swapped (self->window, "notify::is-active", G_CALLBACK (active_cb),
                            self);
  g_signal_connect_swapped (self->window, "destroy", G_CALLBACK (closed_cb), self);
  g_signal_connect_object (odl_names_of (self->parts->session), "changed",
                           G_CALLBACK (renamed_cb), self->window, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->arrivals, "changed", G_CALLBACK (arrivals_changed_cb),
                           self->window, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->arrivals, "shown", G_CALLBACK (shown_cb), self->window,
                           G_CONNECT_SWAPPED);
}

static GtkWidget *
make_window (OdlMainWindow *parent)
{
  Window *self = g_new0 (Window, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->parts = odl_main_window_parts (parent);
  self->arrivals = g_object_ref (odl_arrivals_of (self->parts));
  self->nodes = g_ptr_array_new ();
  self->persons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->studies = g_list_store_new (ODL_TYPE_ARCHIVE_FOUND);
  self->series = g_list_store_new (ODL_TYPE_ARCHIVE_FOUND);
  self->window = odl_child_window_new (GTK_WINDOW (parent), _ ("Find in an Archive"),
                                       WIDTH, HEIGHT);
  g_object_set_data_full (G_OBJECT (self->window), DATA, self, window_free);
  gtk_box_append (GTK_BOX (box), make_header (self));
  gtk_box_append (GTK_BOX (box), make_content (self));
  adw_window_set_content (ADW_WINDOW (self->window), box);
  load_nodes (self);
  names_cb (self);
  show_searching (self, false);
  follow (self);
  arrivals_cb (self);
  gtk_widget_grab_focus (self->entries[0]);
  return self->window;
}

GtkWindow *
odl_find_window_present (OdlMainWindow *parent)
{
  return odl_child_window_present (parent, DATA, make_window);
}

GtkWindow *
odl_find_window_present_priors (OdlMainWindow *parent)
{
  const OdlWindowParts *parts = odl_main_window_parts (parent);
  const char *number = odl_session_detail (parts->session, "patient-id");

  if (number == NULL || *number == '\0') {
    odl_messages_say_of_state (
        parts->messages,
        _ ("The picture does not say the number of its patient, by which "
           "others are found; look for the name"));
    return NULL;
  }
  GtkWindow *window = odl_find_window_present (parent);
  Window *self = g_object_get_data (G_OBJECT (window), DATA);
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    gtk_editable_set_text (GTK_EDITABLE (self->entries[i]),
                           fields[i].key == ODL_KEY_PATIENT_ID ? number : "");
  find_cb (self);
  return window;
}
