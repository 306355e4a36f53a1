// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_sheet.h"

#include <glib/gi18n-lib.h>
#include <langinfo.h>
#include <math.h>

#include "base/text.h"
#include "widgets/diagnostics.h"

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
typedef enum { AXIS, SCORE, TIME } Kind;

typedef struct {
  const OdlTrial *trial;
  Kind kind;
  int index; // of the axis or the score
} Column;

struct _OdlSweepSheet {
  GtkWidget *widget;
  GtkColumnView *view;
  GListStore *rows; // OdlSweepItem
  GtkSingleSelection *selection;
  const OdlTrial *trial; // NULL: none yet
  OdlSweepRowCb chosen, marked;
  void *data;
  bool marking;
};

// ---- words ---------------------------------------------------------------------------

static const OdlVaried *
axis_of (const OdlTrial *trial, guint axis)
{
  return g_ptr_array_index (trial->axes, axis);
}

static const char *
label_of (const OdlVaried *axis)
{
  return axis->item == ODL_VARIED_RECIPE ? _ ("Strength") : _ (axis->parameter->label);
}

char *
odl_sweep_axis_title (const OdlTrial *trial, guint axis)
{
  const OdlVaried *own = axis_of (trial, axis);
  guint alike = 0;
  for (guint i = 0; i < trial->axes->len; i++)
    alike += g_strcmp0 (label_of (axis_of (trial, i)), label_of (own)) == 0;
  if (alike < 2 || own->item == ODL_VARIED_RECIPE)
    return g_strdup (label_of (own));
  const OdlFilter *filter = trial->params->recipe.items[own->item].filter;
  return g_strdup_printf ("%s (%s)", label_of (own), _ (filter->label));
}

char *
odl_sweep_with_unit (const char *title, const char *unit)
{
  return unit && *unit ? g_strdup_printf ("%s (%s)", title, _ (unit)) : g_strdup (title);
}

// Without its unit.
static char *
number_text (int score, double value)
{
  const OdlScoreRow *row = &odl_scores[score];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (isnan (value))
    // Translators: a value that does not exist.
    return g_strdup (_ ("none"));
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "−∞");
  g_auto (GStrv) parts
      = g_strsplit (g_ascii_formatd (number, sizeof number, row->format, value), ".", 2);
  return odl_text_with_minus (g_strjoinv (nl_langinfo (RADIXCHAR), parts));
}

char *
odl_sweep_score_text (int score, double value)
{
  const char *unit = odl_scores[score].unit;
  g_autofree char *number = number_text (score, value);
  return *unit && !isnan (value) ? g_strdup_printf ("%s %s", number, unit)
                                 : g_steal_pointer (&number);
}

char *
odl_sweep_point_text (const OdlTrial *trial, const OdlSweepRow *row)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < trial->axes->len; i++) {
    g_autofree char *title = odl_sweep_axis_title (trial, i);
    g_autofree char *value = odl_varied_text (axis_of (trial, i), row->indices[i]);
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", title, value);
  }
  return g_string_free (text, FALSE);
}

static char *
text_of (const Column *column, const OdlSweepRow *row)
{
  switch (column->kind) {
  case AXIS:
    return odl_varied_text (axis_of (column->trial, (guint) column->index),
                            row->indices[column->index]);
  case SCORE:
    return number_text (column->index, row->scores.values[column->index]);
  case TIME:
    return odl_diagnostics_ms (1e3 * row->seconds);
  }
  return NULL;
}

// ---- columns -------------------------------------------------------------------------

static double
number_of (const Column *column, const OdlSweepRow *row)
{
  return column->kind == AXIS    ? (double) row->indices[column->index]
         : column->kind == SCORE ? row->scores.values[column->index]
                                 : row->seconds;
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
  gtk_widget_set_tooltip_text (label, row->refusal);
}

static void
free_column (void *column, GClosure *closure)
{
  g_free (column);
}

static GtkColumnViewColumn *
add_column (OdlSweepSheet *self, const char *title, Kind kind, int index)
{
  const Column column = { self->trial, kind, index };
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

void
odl_sweep_sheet_begin (OdlSweepSheet *self, const OdlTrial *trial)
{
  g_list_store_remove_all (self->rows);
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  remove_columns (self);
  self->trial = trial;
  if (!trial)
    return;
  for (guint i = 0; i < trial->axes->len; i++) {
    g_autofree char *title = odl_sweep_axis_title (trial, i);
    add_column (self, title, AXIS, (int) i);
  }
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

void
odl_sweep_sheet_focus (OdlSweepSheet *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
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
  gtk_column_view_set_single_click_activate (self->view, TRUE);
  gtk_widget_add_css_class (view, "data-table");
  gtk_widget_set_tooltip_text (view, _ ("A click or Enter puts the values of a row "
                                        "into the filters"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Results of the Sweep"), -1);
  g_signal_connect_swapped (self->selection, "notify::selected-item",
                            G_CALLBACK (selected_cb), self);
  g_signal_connect (view, "activate", G_CALLBACK (activate_cb), self);
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
  g_signal_handlers_disconnect_by_data (self->selection, self);
  g_signal_handlers_disconnect_by_data (self->view, self);
  g_object_unref (self->selection);
  g_object_unref (self->view);
  g_object_unref (self->rows);
  g_free (self);
}
