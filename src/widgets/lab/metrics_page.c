// SPDX-License-Identifier: MIT
#include "widgets/lab/metrics_page.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/quality/statistics.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/window/parts.h"
#include "widgets/windows/statistics_window.h"

// Regions of each frame would take too long, and what no signal tells, such as that the
// reference was compared, is looked for.
#define UPDATE_MS 250
#define COLUMNS 3 // original, A, B

typedef struct {
  OdlLabSide side;
  GtkGrid *grid;
  GtkWidget *nothing;
  GtkLabel *slice; // of a volume, that is compared
  GtkWidget *widget; // all of it
  GArray *rows; // OdlStatisticRow that the grid has
  int columns; // likewise
  GPtrArray *labels; // COLUMNS for each row; borrowed
  GArray *values; // double, COLUMNS for each row, as they are shown
  GtkLabel *heads[COLUMNS];
  guint update_id;
} Page;

static const char *const group_titles[ODL_N_STATISTIC_GROUPS] = {
  [ODL_STATISTIC_REGION] = N_ ("Region"),
  [ODL_STATISTIC_BACKGROUND] = N_ ("Background"),
  [ODL_STATISTIC_BOTH] = N_ ("Region Against Background"),
  [ODL_STATISTIC_POINTS] = N_ ("Point Targets"),
  [ODL_STATISTIC_REFERENCE] = N_ ("Against the Reference"),
};

static const OdlStatisticRow *
row_at (const GArray *rows, guint i)
{
  return &g_array_index (rows, OdlStatisticRow, i);
}

// The row of the same name and group; NULL: there is none.
static const OdlStatisticRow *
same_row (const GArray *rows, const OdlStatisticRow *wanted)
{
  for (guint i = 0; rows && i < rows->len; i++)
    if (row_at (rows, i)->group == wanted->group
        && g_str_equal (row_at (rows, i)->name, wanted->name))
      return row_at (rows, i);
  return NULL;
}

// ---- the grid ------------------------------------------------------------------------

static GtkLabel *
add_label (Page *self, const char *text, int column, int row, const char *class)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_add_css_class (label, class);
  gtk_grid_attach (self->grid, label, column, row, 1, 1);
  return GTK_LABEL (label);
}

static void
add_values (Page *self, const OdlStatisticRow *row, int at)
{
  GtkLabel *name = add_label (self, row->label, 0, at, "metric");
  gtk_widget_set_tooltip_text (GTK_WIDGET (name), row->formula);
  for (int c = 0; c < self->columns; c++) {
    GtkLabel *label = add_label (self, "", c + 1, at, "numeric");
    gtk_label_set_selectable (label, TRUE);
    gtk_accessible_update_relation (GTK_ACCESSIBLE (label),
                                    GTK_ACCESSIBLE_RELATION_LABELLED_BY, name,
                                    self->heads[c], NULL, -1);
    g_ptr_array_add (self->labels, label);
  }
}

static void
remove_all (Page *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->grid))))
    gtk_grid_remove (self->grid, child);
  g_ptr_array_set_size (self->labels, 0);
}

static void
fill (Page *self)
{
  int at = 1;
  remove_all (self);
  for (int c = 0; c < self->columns; c++)
    self->heads[c] = add_label (self, "", c + 1, 0, "caption-heading");
  for (guint i = 0; i < self->rows->len; i++) {
    const OdlStatisticRow *row = row_at (self->rows, i);
    if (i == 0 || row->group != row_at (self->rows, i - 1)->group)
      add_label (self, _ (group_titles[row->group]), 0, at++, "caption-heading");
    add_values (self, row, at++);
  }
}

static bool
are_alike (const GArray *a, const GArray *b)
{
  bool alike = a->len == b->len;
  for (guint i = 0; alike && i < a->len; i++)
    alike = row_at (a, i)->group == row_at (b, i)->group
            && g_str_equal (row_at (a, i)->name, row_at (b, i)->name);
  return alike;
}

// ---- values --------------------------------------------------------------------------

// That of the only result holds for the picture as it came, where nothing is filtered.
static void
show_value (Page *self, guint row, int column, double value, const char *unit)
{
  GtkLabel *label = self->labels->pdata[row * (guint) self->columns + (guint) column];
  g_array_index (self->values, double, row *COLUMNS + (guint) column) = value;
  g_autofree char *number
      = isnan (value) ? g_strdup ("–") : odl_statistics_number (value);
  g_autofree char *text = g_strjoin (" ", number, *unit ? unit : NULL, NULL);
  if (g_strcmp0 (text, gtk_label_get_text (label)) != 0)
    gtk_label_set_text (label, text);
}

static void
show_head (GtkLabel *label, const char *text)
{
  if (g_strcmp0 (text, gtk_label_get_text (label)) != 0)
    gtk_label_set_text (label, text);
}

static void
show_heads (Page *self, const OdlOther *other)
{
  show_head (self->heads[0], _ ("Original"));
  for (int c = 1; c < self->columns; c++) {
    g_autofree char *text = other ? g_strdup_printf (_ ("Filters %c"), 'A' + c - 1)
                                  : g_strdup (_ ("Result"));
    show_head (self->heads[c], text);
  }
}

static void
show_rows (Page *self, const GArray *others, const OdlOther *other)
{
  // A stands left of B, whichever is in force.
  const int own = other && other->letter > other->other_letter ? 2 : 1;
  g_array_set_size (self->values, self->rows->len * COLUMNS);
  for (guint i = 0; i < self->rows->len; i++) {
    const OdlStatisticRow *row = row_at (self->rows, i);
    const OdlStatisticRow *second = same_row (others, row);
    show_value (self, i, 0, row->before, row->unit);
    show_value (self, i, own, row->after, row->unit);
    if (other)
      show_value (self, i, 3 - own, second ? second->after : NAN, row->unit);
  }
}

// Of a volume, or of a stack, the slice that is seen.
static void
show_slice (Page *self)
{
  OdlSession *session = self->side.parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  const int n = odl_session_info (session)->n_slices;
  const bool shown = frame && n > 1 && self->rows->len > 0;
  gtk_widget_set_visible (GTK_WIDGET (self->slice), shown);
  if (!shown)
    return;
  g_autofree char *text
      = g_strdup_printf (_ ("Of slice %d of %d, and of what lies on other planes there"),
                         (int) (frame->index % n) + 1, n);
  show_head (self->slice, text);
}

static gboolean
update_cb (void *data)
{
  Page *self = data;
  const OdlWindowParts *parts = self->side.parts;
  if (!parts->session || !gtk_widget_get_mapped (self->widget))
    return G_SOURCE_CONTINUE;
  const OdlOther *other = odl_session_other (parts->session);
  GArray *rows = odl_statistics_rows (parts, false);
  g_autoptr (GArray) others = other ? odl_statistics_rows (parts, true) : NULL;
  const int columns = other ? COLUMNS : COLUMNS - 1;
  const bool alike = columns == self->columns && are_alike (rows, self->rows);
  g_array_unref (self->rows);
  self->rows = rows;
  self->columns = columns;
  if (!alike)
    fill (self);
  show_heads (self, other);
  show_rows (self, others, other);
  show_slice (self);
  gtk_widget_set_visible (GTK_WIDGET (self->grid), rows->len > 0);
  gtk_widget_set_visible (self->nothing, rows->len == 0);
  return G_SOURCE_CONTINUE;
}

static void
map_cb (GtkWidget *widget)
{
  update_cb (g_object_get_data (G_OBJECT (widget), ODL_METRICS_PAGE));
}

// ---- the page ------------------------------------------------------------------------

static void
page_free (void *data)
{
  Page *self = data;
  g_source_remove (self->update_id);
  g_array_unref (self->rows);
  g_array_unref (self->values);
  g_ptr_array_unref (self->labels);
  odl_lab_side_release (&self->side);
  g_free (self);
}

static GtkWidget *
make (const OdlLabSide *side)
{
  Page *self = g_new0 (Page, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->widget = box;
  self->rows = g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));
  self->values = g_array_new (FALSE, TRUE, sizeof (double));
  self->labels = g_ptr_array_new ();
  self->grid = GTK_GRID (gtk_grid_new ());
  self->nothing = odl_measure_text (
      _ ("Compare with a reference (main menu, Compare), or draw a region (M, Shift+M): "
         "PSNR, SSIM and what regions hold stand here, of the picture as it came and of "
         "each result."));
  gtk_widget_add_css_class (self->nothing, "dim-label");
  gtk_grid_set_column_spacing (self->grid, 24);
  gtk_grid_set_row_spacing (self->grid, 3);
  self->slice = GTK_LABEL (odl_measure_caption (""));
  gtk_label_set_xalign (self->slice, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->slice));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->grid));
  gtk_box_append (GTK_BOX (box), self->nothing);
  g_object_set_data_full (G_OBJECT (box), ODL_METRICS_PAGE, self, page_free);
  self->update_id = g_timeout_add (UPDATE_MS, update_cb, self);
  g_signal_connect (box, "map", G_CALLBACK (map_cb), NULL);
  return box;
}

// A line for each of the pictures.
static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  static const char *const columns[] = { "original", "A", "B" };
  static const char *const groups[ODL_N_STATISTIC_GROUPS]
      = { "region", "background", "both", "points", "reference" };
  const Page *self = g_object_get_data (G_OBJECT (widget), ODL_METRICS_PAGE);
  for (guint i = 0; i < self->rows->len; i++)
    for (int c = 0; c < self->columns; c++) {
      const OdlStatisticRow *row = row_at (self->rows, i);
      odl_lab_table_begin (table);
      odl_lab_table_add_word (table,
                              c > 0 && self->columns < COLUMNS ? "result" : columns[c]);
      odl_lab_table_add_word (table, groups[row->group]);
      odl_lab_table_add_word (table, row->name);
      odl_lab_table_add (table,
                         g_array_index (self->values, double, i *COLUMNS + (guint) c));
      odl_lab_table_add_word (table, row->unit);
    }
}

const OdlLabPage odl_lab_metrics = {
  .name = "metrics",
  .title = N_ ("Metrics"),
  .make = make,
  .columns = "picture,group,name,value,unit",
  .add_rows = add_rows,
  .is_whole = true,
};

const char *
odl_metrics_page_text (GtkWidget *widget, int group, const char *name, int column)
{
  const Page *self = g_object_get_data (G_OBJECT (widget), ODL_METRICS_PAGE);
  for (guint i = 0; i < self->rows->len && column < self->columns; i++)
    if ((int) row_at (self->rows, i)->group == group
        && g_str_equal (row_at (self->rows, i)->name, name))
      return gtk_label_get_text (
          self->labels->pdata[i * (guint) self->columns + (guint) column]);
  return NULL;
}
