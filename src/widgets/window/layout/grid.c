// SPDX-License-Identifier: MIT
#include "widgets/window/layout/grid.h"

#define GAP 3

struct _OdlPaneGrid {
  GtkWidget parent_instance;
  int n_columns;
};

G_DEFINE_FINAL_TYPE (OdlPaneGrid, odl_pane_grid, GTK_TYPE_WIDGET)

static GtkWidget *
next_visible (GtkWidget *child)
{
  while (child && !gtk_widget_get_visible (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
first_visible (GtkWidget *widget)
{
  return next_visible (gtk_widget_get_first_child (widget));
}

static int
count_visible (GtkWidget *widget)
{
  int n = 0;
  for (GtkWidget *child = first_visible (widget); child;
       child = next_visible (gtk_widget_get_next_sibling (child)))
    n++;
  return n;
}

static int
count_rows (OdlPaneGrid *self, int n)
{
  return MAX ((n + self->n_columns - 1) / self->n_columns, 1);
}

static void
odl_pane_grid_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  OdlPaneGrid *self = ODL_PANE_GRID (widget);
  const int n = count_visible (widget);
  const int lines = orientation == GTK_ORIENTATION_VERTICAL
                        ? count_rows (self, n)
                        : MIN (self->n_columns, MAX (n, 1));
  *minimum = *natural = 0;
  for (GtkWidget *child = first_visible (widget); child;
       child = next_visible (gtk_widget_get_next_sibling (child))) {
    int least, wanted;
    gtk_widget_measure (child, orientation, -1, &least, &wanted, NULL, NULL);
    *minimum = MAX (*minimum, least);
    *natural = MAX (*natural, wanted);
  }
  *minimum = *minimum * lines + GAP * (lines - 1);
  *natural = *natural * lines + GAP * (lines - 1);
}

// Where line `i` of `n` begins; it ends a gap before the next one.
static int
line_start (int i, int n, int length)
{
  return (int) ((int64_t) i * (length + GAP) / n);
}

static void
odl_pane_grid_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlPaneGrid *self = ODL_PANE_GRID (widget);
  const int n = count_visible (widget);
  const int n_rows = count_rows (self, n);
  const bool rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int i = 0;
  for (GtkWidget *child = first_visible (widget); child;
       child = next_visible (gtk_widget_get_next_sibling (child)), i++) {
    const int row = i / self->n_columns, column = i % self->n_columns;
    const int in_row = MIN (self->n_columns, n - row * self->n_columns);
    const int left = line_start (column, in_row, width);
    const int right = line_start (column + 1, in_row, width) - GAP;
    const int top = line_start (row, n_rows, height);
    const GtkAllocation place
        = { rtl ? width - right : left, top, MAX (right - left, 1),
            MAX (line_start (row + 1, n_rows, height) - GAP - top, 1) };
    gtk_widget_size_allocate (child, &place, -1);
  }
}

void
odl_pane_grid_append (OdlPaneGrid *self, GtkWidget *child)
{
  gtk_widget_insert_before (child, GTK_WIDGET (self), NULL);
}

void
odl_pane_grid_set_columns (OdlPaneGrid *self, int n_columns)
{
  self->n_columns = MAX (n_columns, 1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
odl_pane_grid_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (odl_pane_grid_parent_class)->dispose (object);
}

static void
odl_pane_grid_class_init (OdlPaneGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_pane_grid_dispose;
  widget_class->measure = odl_pane_grid_measure;
  widget_class->size_allocate = odl_pane_grid_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "pane-grid");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
odl_pane_grid_init (OdlPaneGrid *self)
{
  self->n_columns = 1;
}
