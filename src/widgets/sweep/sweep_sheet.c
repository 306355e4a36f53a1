// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/diagnostics.h"

#define ROW "odl-sweep-row" // of a label
#define SHORT_UNIT 10 // letters; longer ones stand above the sheet

// An element of the list: a row that the window owns.
#define ODL_TYPE_SWEEP_ITEM (odl_sweep_item_get_type ())
G_DECLARE_FINAL_TYPE (OdlSweepItem, odl_sweep_item, ODL, SWEEP_ITEM, GObject)

struct _OdlSweepItem {
  GObject parent;
  const OdlSweepRow *row;
};

G_DEFINE_FINAL_TYPE (OdlSweepItem, odl_sweep_item, G_TYPE_OBJECT)

static void
odl_sweep_item_class_init (OdlSweepItemClass *klass)
{
}

static void
odl_sweep_item_init (OdlSweepItem *item)
{
}

// What a column shows.
typedef enum { AXIS, VALUES, SCORE, TIME } Kind;

typedef struct {
  const OdlSweepWords *words;
  Kind kind;
  int index; // of the axis or the score
} Column;

struct _OdlSweepSheet {
  GtkWidget *widget;
  GtkColumnView *view;
  GListStore *rows; // OdlSweepItem
  GtkSingleSelection *selection;
  const OdlSweepWords *words; // NULL: none yet
  OdlSweepRowCb chosen, marked;
  void *data;
  bool marking;
  guint clicked, focusing; // idle sources; 0: none
};

// ---- words ---------------------------------------------------------------------------

static char *
text_of (const Column *column, const OdlSweepRow *row)
{
  switch (column->kind) {
  case AXIS:
    return odl_axes_has (column->words->trial->axes, row->indices, (guint) column->index)
               ? odl_sweep_value_text (column->words, (guint) column->index,
                                       row->indices[column->index])
               : g_strdup ("");
  case VALUES:
    return odl_sweep_values_text (column->words, row);
  case SCORE:
    return odl_sweep_score_number (column->index, row->scores.values[column->index]);
  case TIME:
    return odl_diagnostics_ms (1e3 * row->seconds);
  }
  return NULL;
}

// ---- columns -------------------------------------------------------------------------

static double
number_of (const Column *column, const OdlSweepRow *row)
{
  switch (column->kind) {
  case AXIS:
    return odl_axes_has (column->words->trial->axes, row->indices, (guint) column->index)
               ? row->indices[column->index]
               : NAN;
  case VALUES:
    return (double) row->point;
  case SCORE:
    return row->scores.values[column->index];
  case TIME:
    return row->seconds;
  }
  return NAN;
}

// What is none comes before all numbers.
static int
compare (const void *a, const void *b, void *data)
{
  const double first = number_of (data, ((const OdlSweepItem *) a)->row);
  const double second = number_of (data, ((const OdlSweepItem *) b)->row);
  if (isnan (first) || isnan (second))
    return !isnan (first) - !isnan (second);
  return (first > second) - (first < second);
}

static bool
is_of_words (const Column *column)
{
  return column->kind == VALUES
         || (column->kind == AXIS && column->index == 0
             && column->words->trial->axes->has_filters);
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item, const Column *column)
{
  const OdlSweepRow *row = ((OdlSweepItem *) gtk_list_item_get_item (item))->row;
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = text_of (column, row);
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_label_set_xalign (GTK_LABEL (label), is_of_words (column) ? 0 : 1);
  gtk_widget_set_tooltip_text (label, row->refusal);
  g_object_set_data (G_OBJECT (label), ROW, (void *) row);
}

static void
free_column (void *column, GClosure *closure)
{
  g_free (column);
}

static GtkColumnViewColumn *
add_column (OdlSweepSheet *self, const char *title, Kind kind, int index)
{
  const Column column = { self->words, kind, index };
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) made = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (
      gtk_custom_sorter_new (compare, g_memdup2 (&column, sizeof column), g_free));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cb),
                         g_memdup2 (&column, sizeof column), free_column, 0);
  gtk_column_view_column_set_resizable (made, TRUE);
  gtk_column_view_column_set_expand (made, TRUE);
  gtk_column_view_column_set_sorter (made, sorter);
  gtk_column_view_append_column (self->view, made);
  return made; // the view keeps it
}

static void
remove_columns (OdlSweepSheet *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  while (g_list_model_get_n_items (columns) > 0) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);
    gtk_column_view_remove_column (self->view, column);
  }
}

static void
add_axis_columns (OdlSweepSheet *self)
{
  for (guint i = 0; i < self->words->trial->axes->varied->len; i++) {
    const char *unit = self->words->units[i];
    g_autofree char *name = odl_sweep_axis_title (self->words, i);
    g_autofree char *title = odl_sweep_with_unit (
        name, g_utf8_strlen (unit, -1) <= SHORT_UNIT ? unit : NULL);
    add_column (self, title, AXIS, (int) i);
  }
}

// Of filters that stand in for each other few have the same parameters.
static void
add_filter_columns (OdlSweepSheet *self)
{
  add_column (self, _ ("Filter"), AXIS, 0);
  // Translators: those of the parameters that a filter has, a column.
  add_column (self, _ ("Values"), VALUES, 0);
}

void
odl_sweep_sheet_begin (OdlSweepSheet *self, const OdlSweepWords *words)
{
  const OdlTrial *trial = words ? words->trial : NULL;
  g_list_store_remove_all (self->rows);
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  remove_columns (self);
  self->words = words;
  if (!trial)
    return;
  if (trial->axes->has_filters)
    add_filter_columns (self);
  else
    add_axis_columns (self);
  for (int i = 0; i < ODL_N_SCORES; i++)
    if (odl_trial_has (trial, i)) {
      g_autofree char *title
          = odl_sweep_with_unit (_ (odl_scores[i].label), odl_scores[i].unit);
      GtkColumnViewColumn *column = add_column (self, title, SCORE, i);
      if (i == trial->metric) // the best first
        gtk_column_view_sort_by_column (
            self->view, column,
            odl_scores[i].smaller_is_better ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
    }
  // Translators: how long it took, a column.
  add_column (self, _ ("Time"), TIME, 0);
}

void
odl_sweep_sheet_add (OdlSweepSheet *self, const GPtrArray *rows)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < rows->len; i++) {
    OdlSweepItem *item = g_object_new (ODL_TYPE_SWEEP_ITEM, NULL);
    item->row = rows->pdata[i];
    g_ptr_array_add (items, item);
  }
  self->marking = true;
  g_list_store_splice (self->rows, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                       0, items->pdata, items->len);
  self->marking = false;
}

// ---- choosing ------------------------------------------------------------------------

static void
selected_cb (OdlSweepSheet *self)
{
  const OdlSweepItem *item = gtk_single_selection_get_selected_item (self->selection);
  if (!self->marking)
    self->marked (item ? item->row : NULL, self->data);
}

static gboolean
tell_again (void *data)
{
  OdlSweepSheet *self = data;
  self->clicked = 0;
  selected_cb (self);
  return G_SOURCE_REMOVE;
}

// A row that is selected already is not selected by a click, and meant nevertheless.
static void
clicked_cb (OdlSweepSheet *self)
{
  if (self->clicked == 0)
    self->clicked = g_idle_add (tell_again, self);
}

static void
activate_cb (GtkColumnView *view, guint position, OdlSweepSheet *self)
{
  g_autoptr (OdlSweepItem) item
      = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  if (item)
    self->chosen (item->row, self->data);
}

// The list is a part of the view, whose actions are not those of the view.
static void
scroll_to (OdlSweepSheet *self, guint position)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  while (child && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  if (child)
    gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

void
odl_sweep_sheet_mark (OdlSweepSheet *self, const OdlSweepRow *row)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  const guint n = g_list_model_get_n_items (model);
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSweepItem) item = g_list_model_get_item (model, i);
    if (item->row != row)
      continue;
    self->marking = true;
    gtk_single_selection_set_selected (self->selection, i);
    self->marking = false;
    scroll_to (self, i);
    return;
  }
}

// A label that shows something of the row, in `widget`; NULL: it is out of sight.
static GtkWidget *
label_of (GtkWidget *widget, const OdlSweepRow *row)
{
  if (g_object_get_data (G_OBJECT (widget), ROW) == row)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = label_of (child, row);
    if (found)
      return found;
  }
  return NULL;
}

// The focus stays with a row that was there before better ones came.
static gboolean
focus_selected (void *data)
{
  OdlSweepSheet *self = data;
  const OdlSweepItem *item = gtk_single_selection_get_selected_item (self->selection);
  GtkWidget *widget = item ? label_of (GTK_WIDGET (self->view), item->row) : NULL;
  self->focusing = 0;
  while (widget && !GTK_IS_LIST_VIEW (gtk_widget_get_parent (widget)))
    widget = gtk_widget_get_parent (widget);
  if (widget)
    gtk_widget_grab_focus (widget);
  return G_SOURCE_REMOVE;
}

void
odl_sweep_sheet_focus (OdlSweepSheet *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  // Once the list has been laid out.
  if (self->focusing == 0)
    self->focusing = g_idle_add_full (G_PRIORITY_LOW, focus_selected, self, NULL);
}

// ---- life ----------------------------------------------------------------------------

OdlSweepSheet *
odl_sweep_sheet_new (OdlSweepRowCb chosen, OdlSweepRowCb marked, void *data)
{
  OdlSweepSheet *self = g_new0 (OdlSweepSheet, 1);
  GtkWidget *view = gtk_column_view_new (NULL);
  self->chosen = chosen;
  self->marked = marked;
  self->data = data;
  self->view = g_object_ref_sink (GTK_COLUMN_VIEW (view));
  self->rows = g_list_store_new (ODL_TYPE_SWEEP_ITEM);
  GtkSortListModel *sorted
      = gtk_sort_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                 g_object_ref (gtk_column_view_get_sorter (self->view)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Results of the Sweep"), -1);
  g_signal_connect_swapped (self->selection, "notify::selected-item",
                            G_CALLBACK (selected_cb), self);
  g_signal_connect (view, "activate", G_CALLBACK (activate_cb), self);
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click),
                                              GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (click, "released", G_CALLBACK (clicked_cb), self);
  gtk_widget_add_controller (view, GTK_EVENT_CONTROLLER (click));
  self->widget = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->widget), view);
  gtk_widget_set_vexpand (self->widget, TRUE);
  return self;
}

GtkWidget *
odl_sweep_sheet_widget (OdlSweepSheet *self)
{
  return self->widget;
}

void
odl_sweep_sheet_free (OdlSweepSheet *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->clicked, g_source_remove);
  g_clear_handle_id (&self->focusing, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->selection, self);
  g_signal_handlers_disconnect_by_data (self->view, self);
  g_object_unref (self->selection);
  g_object_unref (self->view);
  g_object_unref (self->rows);
  g_free (self);
}
