// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/level_curve.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/panels/measures/measure.h"
#include "widgets/panels/parameters/scale_row.h"
#include "widgets/panels/parameters/slider_scale.h"

// Logical pixels.
#define HEIGHT 72
#define GRIP 4.0 // radius of a point; beyond the ends of the scale there is room for it

#define SHOWN "level-curve"

typedef struct {
  OdlSession *session;
  int item;
  const OdlParameter *parameter;
  int levels;
  int grabbed; // the level whose point is dragged
  double from_y; // where its drag began, logical pixels
  GtkWidget *row, *area;
} Curve;

// ---- numbers -------------------------------------------------------------------------

static double
value_at (const Curve *self, const OdlRecipe *recipe, int index)
{
  return odl_parameter_usual (
      self->parameter, index,
      odl_recipe_get (recipe, self->item, self->parameter->key, index));
}

static double
largest (const Curve *self, const OdlRecipe *recipe, int level)
{
  const int bands = odl_parameter_bands (self->parameter);
  double most = -INFINITY;
  for (int i = level * bands; i < (level + 1) * bands; i++)
    most = MAX (most, value_at (self, recipe, i));
  return most;
}

// The chain may have changed while this row waits to be replaced.
static bool
is_of (const Curve *self, const OdlRecipe *recipe)
{
  return self->item < recipe->n_items
         && odl_filter_parameter (recipe->items[self->item].filter, self->parameter->key)
                == self->parameter;
}

static void
set_level (Curve *self, int level, double value)
{
  const OdlParameter *parameter = self->parameter;
  const OdlRecipe *before = odl_session_recipe (self->session);
  const int bands = odl_parameter_bands (parameter), first = level * bands;
  OdlRecipe recipe = *before;
  if (!is_of (self, before))
    return;
  const double was = largest (self, before, level);
  for (int i = first; i < first + bands; i++)
    odl_recipe_set (&recipe, self->item, parameter->key, i,
                    was > 0 ? value * value_at (self, before, i) / was : value);
  odl_scale_row_apply (self->row, before, &recipe, self->item, parameter, first, bands);
  // As the sliders', so that both are one step of the history.
  g_autofree char *tag
      = g_strdup_printf ("%d/%s/%d+%d", self->item, parameter->key, first, bands);
  odl_session_set_recipe (self->session, &recipe, tag);
}

// ---- places --------------------------------------------------------------------------

static double
to_x (const Curve *self, int level, int width)
{
  return (level + 0.5) / self->levels * width;
}

static double
to_y (const Curve *self, double value, int height)
{
  const OdlParameter *p = self->parameter;
  const double most = MIN (value, p->maximum); // orthonormal thresholds may exceed it
  const double share = odl_slider_is_curved (p)
                           ? odl_slider_position (p, most)
                           : (most - p->minimum) / (p->maximum - p->minimum);
  return GRIP + (1 - share) * (height - 2 * GRIP);
}

static double
from_y (const Curve *self, double y, int height)
{
  const OdlParameter *p = self->parameter;
  const double share = CLAMP (1 - (y - GRIP) / (height - 2 * GRIP), 0, 1);
  return odl_slider_is_curved (p)
             ? odl_slider_value (p, share, 1)
             : round ((p->minimum + share * (p->maximum - p->minimum)) / p->step)
                   * p->step;
}

static void
line (cairo_t *cr, double y, int width)
{
  cairo_move_to (cr, 0, y);
  cairo_line_to (cr, width, y);
  cairo_stroke (cr);
}

// Dashed what the numbers are at first, where the picture does not tell them.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Curve *self = data;
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const double usual = odl_parameter_default (self->parameter, 0);
  if (!is_of (self, recipe))
    return;
  cairo_set_line_width (cr, 1);
  odl_measure_use_bars (area, cr, 0.3);
  line (cr, height - GRIP, width);
  cairo_set_dash (cr, (const double[]){ 3, 3 }, 2, 0);
  if (usual != ODL_VALUE_AUTO)
    line (cr, to_y (self, usual, height), width);
  cairo_set_dash (cr, NULL, 0, 0);
  odl_measure_use_line (area, cr);
  cairo_set_line_width (cr, 2);
  for (int i = 0; i < self->levels; i++)
    cairo_line_to (cr, to_x (self, i, width),
                   to_y (self, largest (self, recipe, i), height));
  cairo_stroke (cr);
  for (int i = 0; i < self->levels; i++) {
    cairo_arc (cr, to_x (self, i, width), to_y (self, largest (self, recipe, i), height),
               GRIP, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

// ---- dragging ------------------------------------------------------------------------

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, Curve *self)
{
  set_level (self, self->grabbed,
             from_y (self, self->from_y + dy, gtk_widget_get_height (self->area)));
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, Curve *self)
{
  const int width = MAX (gtk_widget_get_width (self->area), 1);
  self->grabbed = CLAMP ((int) (x * self->levels / width), 0, self->levels - 1);
  self->from_y = y;
  drag_update_cb (gesture, 0, 0, self);
}

void
odl_level_curve_drag (GtkWidget *row, int level, double to)
{
  Curve *self = g_object_get_data (G_OBJECT (row), SHOWN);
  drag_begin_cb (NULL, to_x (self, level, gtk_widget_get_width (self->area)),
                 to_y (self, to, gtk_widget_get_height (self->area)), self);
}

// ---- widget --------------------------------------------------------------------------

static void
curve_free (void *data)
{
  Curve *self = data;
  g_object_unref (self->session);
  g_free (self);
}

void
odl_level_curve_add (GtkListBox *list,
                     OdlSession *session,
                     int item,
                     const OdlParameter *parameter,
                     int levels)
{
  Curve *self = g_new (Curve, 1);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                                  GTK_ACCESSIBLE_ROLE_IMG, NULL);
  const char *hint = _ ("All levels, from the finest to the coarsest: drag the points");
  GtkGesture *drag = gtk_gesture_drag_new ();
  *self = (Curve){ .session = g_object_ref (session),
                   .item = item,
                   .parameter = parameter,
                   .levels = levels,
                   .row = row,
                   .area = area };
  gtk_widget_set_size_request (area, -1, HEIGHT);
  gtk_widget_set_cursor_from_name (area, "row-resize");
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_cb, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  hint, -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (area, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (gtk_widget_queue_draw),
                           area, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (box, "parameter");
  gtk_box_append (GTK_BOX (box), area);
  gtk_box_append (GTK_BOX (box), odl_measure_caption (hint));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), SHOWN, self, curve_free);
  gtk_list_box_append (list, odl_scale_row_new ());
  gtk_list_box_append (list, row);
}
