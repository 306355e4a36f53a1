// SPDX-License-Identifier: MIT
#include "widgets/lab/rule_curve.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/shrinking.h"
#include "plan/detail_curve.h"
#include "widgets/lab/point_curve.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/plot/axes.h"

// Both axes, in thresholds to either side of 0; by hand from a little below 0 on, since
// the curve is odd: all that a point may become, and room for its handle.
#define REACH 3.0
#define ACROSS_BY_HAND 3.6
#define UP_BY_HAND 6.6
#define BELOW 0.1 // of what is beyond 0
#define WIDTH 200
#define HEIGHT 150
#define POINTS 241
#define GRIP 4.0 // radius of a point that is dragged, logical pixels
#define STEP 0.05 // of what is dragged, thresholds

#define SHOWN ODL_RULE_CURVE

typedef struct {
  OdlLabSide side;
  OdlShrinkingRule rule; // that is drawn
  bool by_hand; // its points can be dragged
  double points[ODL_CURVE_POINTS]; // likewise
  int grabbed; // the point that is dragged, from 1 on
  double from_y; // where its drag began, logical pixels
  GtkWidget *area, *caption;
} Curve;

static const char *const point_keys[ODL_CURVE_POINTS]
    = { NULL, "half", "one", "more", "two", "three" };

static bool
suits (const OdlRecipe *recipe, int item)
{
  const OdlFilter *filter = recipe->items[item].filter;
  return filter->kind == ODL_FILTER_SOFT_THRESHOLD
         || filter->kind == ODL_FILTER_HARD_THRESHOLD
         || filter->kind == ODL_FILTER_SHRINKAGE
         || filter->kind == ODL_FILTER_BAYES_SHRINK
         || filter->kind == ODL_FILTER_DETAIL_CURVE || odl_point_curve_suits (filter);
}

static OdlShrinkingRule
rule_of (Curve *self)
{
  const OdlRecipe *recipe = odl_lab_side_recipe (&self->side);
  if (self->side.item >= recipe->n_items)
    return self->rule;
  const OdlFilter *filter = recipe->items[self->side.item].filter;
  if (filter->kind == ODL_FILTER_HARD_THRESHOLD)
    return ODL_SHRINK_HARD;
  return odl_filter_parameter (filter, "rule")
             ? (OdlShrinkingRule) odl_recipe_get (recipe, self->side.item, "rule", 0)
             : ODL_SHRINK_SOFT;
}

static const char *
name_of (OdlShrinkingRule rule)
{
  const OdlFilter *filter = odl_filter_find ("shrinkage");
  return odl_filter_parameter (filter, "rule")->choices[rule];
}

// The ends of an axis that goes to `reach` by hand.
static double
first_of (const Curve *self, double reach)
{
  return self->by_hand ? -BELOW * reach : -REACH;
}

static double
last_of (const Curve *self, double reach)
{
  return self->by_hand ? reach : REACH;
}

static double
value_at (const Curve *self, double share, double reach)
{
  const double first = first_of (self, reach);
  return first + share * (last_of (self, reach) - first);
}

// With numbers at both, in thresholds.
static OdlPlotAxes
axes_of (const Curve *self)
{
  return odl_plot_axes_fit (self->area, first_of (self, ACROSS_BY_HAND),
                            last_of (self, ACROSS_BY_HAND), first_of (self, UP_BY_HAND),
                            last_of (self, UP_BY_HAND));
}

static void
line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
}

static void
across (cairo_t *cr, const OdlPlotAxes *axes, double value)
{
  const double y = odl_plot_axes_y (axes, value);
  line (cr, axes->x, y, axes->x + axes->width, y);
}

static void
down (cairo_t *cr, const OdlPlotAxes *axes, double value)
{
  const double x = odl_plot_axes_x (axes, value);
  line (cr, x, axes->y, x, axes->y + axes->height);
}

static double
made_of (const Curve *self, double x)
{
  return self->by_hand ? copysign (odl_detail_curve_of (self->points, fabs (x)), x)
                       : odl_shrink (x, 1, self->rule);
}

// Axes, the thresholds, and as if nothing was done, below the curve.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Curve *self = data;
  const OdlPlotAxes axes = axes_of (self);
  GdkRGBA colours[2];
  odl_plot_axes_colours (self->area, colours);
  odl_plot_axes_draw (self->area, cr, &axes, &colours[0], "", 1);
  cairo_rectangle (cr, axes.x, axes.y, axes.width, axes.height);
  cairo_save (cr);
  cairo_clip (cr);
  cairo_set_line_width (cr, 1);
  odl_measure_use_bars (area, cr, 0.3);
  across (cr, &axes, 0);
  down (cr, &axes, 0);
  cairo_set_dash (cr, (const double[]){ 3, 3 }, 2, 0);
  down (cr, &axes, -1);
  down (cr, &axes, 1);
  line (cr, odl_plot_axes_x (&axes, -REACH), odl_plot_axes_y (&axes, -REACH),
        odl_plot_axes_x (&axes, 2 * REACH), odl_plot_axes_y (&axes, 2 * REACH));
  cairo_set_dash (cr, NULL, 0, 0);
  odl_measure_use_line (area, cr);
  cairo_set_line_width (cr, 2);
  for (int i = 0; i < POINTS; i++) {
    const double x = value_at (self, (double) i / (POINTS - 1), ACROSS_BY_HAND);
    cairo_line_to (cr, odl_plot_axes_x (&axes, x),
                   odl_plot_axes_y (&axes, made_of (self, x)));
  }
  cairo_stroke (cr);
  cairo_restore (cr);
  odl_measure_use_line (area, cr);
  for (int i = 1; self->by_hand && i < ODL_CURVE_POINTS; i++) {
    cairo_arc (cr, odl_plot_axes_x (&axes, odl_detail_curve_at[i]),
               odl_plot_axes_y (&axes, self->points[i]), GRIP, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

// ---- by hand -------------------------------------------------------------------------

static bool
read_points (Curve *self)
{
  const OdlRecipe *recipe = odl_lab_side_recipe (&self->side);
  if (self->side.item >= recipe->n_items
      || recipe->items[self->side.item].filter->kind != ODL_FILTER_DETAIL_CURVE)
    return false;
  for (int i = 1; i < ODL_CURVE_POINTS; i++)
    self->points[i] = odl_recipe_get (recipe, self->side.item, point_keys[i], 0);
  return true;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, GtkWidget *widget)
{
  Curve *self = g_object_get_data (G_OBJECT (widget), SHOWN);
  const OdlPlotAxes axes = axes_of (self);
  const double up = 1 - (self->from_y + dy - axes.y) / axes.height;
  const double value = value_at (self, up, UP_BY_HAND);
  OdlRecipe recipe = *odl_session_recipe (self->side.session);
  if (self->side.other || self->grabbed == 0 || !read_points (self))
    return;
  g_autofree char *tag
      = g_strdup_printf ("%d/%s/curve", self->side.item, point_keys[self->grabbed]);
  odl_recipe_set (&recipe, self->side.item, point_keys[self->grabbed], 0,
                  round (MAX (value, 0) / STEP) * STEP);
  odl_session_set_recipe (self->side.session, &recipe, tag);
}

// The point that is nearest along x.
static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, GtkWidget *widget)
{
  Curve *self = g_object_get_data (G_OBJECT (widget), SHOWN);
  const OdlPlotAxes axes = axes_of (self);
  const double at = value_at (self, (x - axes.x) / axes.width, ACROSS_BY_HAND);
  self->grabbed = 1;
  for (int i = 2; i < ODL_CURVE_POINTS; i++)
    if (fabs (odl_detail_curve_at[i] - at)
        < fabs (odl_detail_curve_at[self->grabbed] - at))
      self->grabbed = i;
  self->from_y = y;
  drag_update_cb (gesture, 0, 0, widget);
}

void
odl_rule_curve_drag (GtkWidget *widget, double at, double to)
{
  const Curve *self = g_object_get_data (G_OBJECT (widget), SHOWN);
  const OdlPlotAxes axes = axes_of (self);
  drag_begin_cb (NULL, odl_plot_axes_x (&axes, at), odl_plot_axes_y (&axes, to), widget);
}

static void
show (Curve *self)
{
  self->rule = rule_of (self);
  self->by_hand = read_points (self);
  if (self->by_hand) {
    const char *hint
        = _ ("What is made of a coefficient, in thresholds (dashed): drag the points");
    gtk_label_set_text (GTK_LABEL (self->caption), hint);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->area),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, hint, -1);
    gtk_widget_queue_draw (self->area);
    return;
  }
  g_autofree char *text
      // Translators: a rule such as “soft” for shrinking coefficients of wavelets.
      = g_strdup_printf (_ ("What %s leaves of a coefficient, in thresholds (dashed)"),
                         _ (name_of (self->rule)));
  gtk_label_set_text (GTK_LABEL (self->caption), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_queue_draw (self->area);
}

static void
follow_cb (GtkWidget *widget)
{
  Curve *self = g_object_get_data (G_OBJECT (widget), SHOWN);
  if (self->by_hand || rule_of (self) != self->rule)
    show (self);
}

static void
curve_free (void *data)
{
  Curve *self = data;
  odl_lab_side_release (&self->side);
  g_free (self);
}

static void
add_dragging (Curve *self, GtkWidget *widget)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begin_cb), widget, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (drag_update_cb), widget, 0);
  gtk_widget_add_controller (self->area, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_cursor_from_name (self->area, "row-resize");
}

static GtkWidget *
make (const OdlLabSide *side)
{
  const OdlFilter *filter = odl_lab_side_recipe (side)->items[side->item].filter;
  if (odl_point_curve_suits (filter))
    return odl_point_curve_new (side);
  Curve *self = g_new0 (Curve, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                             GTK_ACCESSIBLE_ROLE_IMG, NULL);
  self->caption = odl_measure_caption ("");
  gtk_widget_set_size_request (self->area, WIDTH, HEIGHT);
  gtk_widget_set_vexpand (self->area, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  gtk_box_append (GTK_BOX (box), self->caption);
  gtk_box_append (GTK_BOX (box), self->area);
  g_object_set_data_full (G_OBJECT (box), SHOWN, self, curve_free);
  if (read_points (self) && !side->other)
    add_dragging (self, box);
  odl_lab_side_follow (side, box, follow_cb);
  show (self);
  return box;
}

static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  const Curve *self = g_object_get_data (G_OBJECT (widget), SHOWN);
  if (!self) {
    odl_point_curve_add_rows (widget, table);
    return;
  }
  for (int i = 0; i < POINTS; i++) {
    const double x = value_at (self, (double) i / (POINTS - 1), ACROSS_BY_HAND);
    odl_lab_table_begin (table);
    odl_lab_table_add_word (table, "thresholds");
    odl_lab_table_add (table, x);
    odl_lab_table_add (table, made_of (self, x));
  }
}

const OdlLabPage odl_lab_curves = {
  .name = "curves",
  .title = N_ ("Curve"),
  .nothing = N_ ("Filters that shrink coefficients, such as Wavelet shrinkage or Detail "
                 "curve, and those of single grey levels, such as Tone curve, show here "
                 "what they make of each one."),
  .suits = suits,
  .make = make,
  .columns = "unit,in,out",
  .add_rows = add_rows,
};
