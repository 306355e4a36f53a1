// SPDX-License-Identifier: MIT
#include "widgets/plot/axes.h"

#include <math.h>

#include "base/text.h"

#define GAP 6.0 // between labels and the frame
#define MOST_TICKS 5
#define LINE 1.6

double
odl_plot_axes_step (double range, int most)
{
  const double power = pow (10, floor (log10 (range / most)));
  const double share = range / most / power;

  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

char *
odl_plot_axes_number (double value, double step)
{
  const int decimals = (int) CLAMP (ceil (-log10 (step) - 1e-9), 0, 9);

  return odl_text_with_minus (
      g_strdup_printf ("%.*f", decimals, fabs (value) < step / 2 ? 0 : value));
}

static void
size_of (GtkWidget *widget, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);

  pango_layout_get_pixel_size (layout, width, height);
}

OdlPlotAxes
odl_plot_axes_fit (GtkWidget *widget, double from, double to, double least, double most)
{
  OdlPlotAxes axes = { .from = from, .to = to, .least = least, .most = most };
  const double step = odl_plot_axes_step (most - least, MOST_TICKS);
  int widest = 0, height = 0;

  for (double value = ceil (least / step) * step; value <= most; value += step) {
    g_autofree char *text = odl_plot_axes_number (value, step);
    int width;
    size_of (widget, text, &width, &height);
    widest = MAX (widest, width);
  }
  axes.x = widest + 2 * GAP;
  axes.y = height / 2.0 + GAP;
  axes.width = fmax (gtk_widget_get_width (widget) - axes.x - 2 * GAP, 1);
  axes.height = fmax (gtk_widget_get_height (widget) - axes.y - height - 2 * GAP, 1);
  return axes;
}

double
odl_plot_axes_x (const OdlPlotAxes *axes, double at)
{
  return axes->x + (at - axes->from) / (axes->to - axes->from) * axes->width;
}

double
odl_plot_axes_y (const OdlPlotAxes *axes, double value)
{
  return axes->y + (axes->most - value) / (axes->most - axes->least) * axes->height;
}

void
odl_plot_axes_colours (GtkWidget *widget, GdkRGBA colours[2])
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);

  gtk_style_context_get_color (style, &colours[0]);
  if (!gtk_style_context_lookup_color (style, "accent_color", &colours[1]))
    colours[1] = colours[0];
}

static void
set_colour (cairo_t *cr, const GdkRGBA *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->red, colour->green, colour->blue,
                         colour->alpha * alpha);
}

static void
draw_label (GtkWidget *widget, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);

  cairo_move_to (cr, x, y);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_values (GtkWidget *widget, cairo_t *cr, const OdlPlotAxes *axes, const GdkRGBA *ink)
{
  const double step = odl_plot_axes_step (axes->most - axes->least, MOST_TICKS);

  for (double value = ceil (axes->least / step) * step; value <= axes->most;
       value += step) {
    g_autofree char *text = odl_plot_axes_number (value, step);
    const double y = round (odl_plot_axes_y (axes, value)) + 0.5;
    int width, height;
    size_of (widget, text, &width, &height);
    set_colour (cr, ink, 0.8);
    draw_label (widget, cr, text, axes->x - GAP - width, y - height / 2.0);
    set_colour (cr, ink, 0.15);
    cairo_move_to (cr, axes->x, y);
    cairo_line_to (cr, axes->x + axes->width, y);
    cairo_set_line_width (cr, 1);
    cairo_stroke (cr);
  }
}

// The last one has the unit.
static void
draw_places (GtkWidget *widget,
             cairo_t *cr,
             const OdlPlotAxes *axes,
             const GdkRGBA *ink,
             const char *unit,
             double factor)
{
  const double step = odl_plot_axes_step (axes->to - axes->from, MOST_TICKS);
  const int first = (int) ceil (axes->from / step - 1e-9);
  const int last = (int) floor (axes->to / step + 1e-9);

  for (int i = first; i <= last; i++) {
    g_autofree char *number = odl_plot_axes_number (i * factor * step, factor * step);
    g_autofree char *text = i == last && *unit ? g_strconcat (number, " ", unit, NULL)
                                               : g_steal_pointer (&number);
    int width, height;
    size_of (widget, text, &width, &height);
    const double right = gtk_widget_get_width (widget) - width;
    set_colour (cr, ink, 0.8);
    draw_label (widget, cr, text,
                fmin (odl_plot_axes_x (axes, i * step) - width / 2.0, right),
                axes->y + axes->height + GAP);
  }
}

void
odl_plot_axes_draw (GtkWidget *widget,
                    cairo_t *cr,
                    const OdlPlotAxes *axes,
                    const GdkRGBA *ink,
                    const char *unit,
                    double factor)
{
  draw_values (widget, cr, axes, ink);
  draw_places (widget, cr, axes, ink, unit, factor);
}

void
odl_plot_axes_draw_curve (cairo_t *cr,
                          const OdlPlotAxes *axes,
                          int n,
                          const double *at,
                          const double *values,
                          const GdkRGBA *colour)
{
  cairo_new_path (cr);
  for (int i = 0; i < n; i++)
    cairo_line_to (cr, odl_plot_axes_x (axes, at[i]), odl_plot_axes_y (axes, values[i]));
  set_colour (cr, colour, 1);
  cairo_set_line_width (cr, LINE);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}
