// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/text.h"
#include "image/display/colour_map.h"
#include "widgets/plot/axes.h"

#define LEAST_WIDTH 280
#define LEAST_HEIGHT 220
#define GAP 6.0 // between labels and the frame
#define MOST_TICKS 5
#define BESIDE 0.06 // of the range of values, above and below it
#define LINE 1.6
#define DOT 3.0
#define MARK 5.0
#define LEAST_CELL 4.0 // pixels of a map's cell
#define KEY_WIDTH 14.0 // of the colours' key
#define DOTS_TO 60 // values that have dots, too
#define MOST_LEGEND 0.34 // of the width
#define SAMPLE 16.0 // length of a line in the legend

// Of filters that stand in for each other: colours that people tell apart on light and on
// dark grey (Okabe and Ito, 2008).
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#a09000", "#888888" };

// What is drawn at one place.
typedef struct {
  guint x, y; // indices of the values of the first two parameters, or of the first one of
              // a filter and of that; y 0: there is one
  const OdlSweepRow *row; // the best there
} Cell;

struct _OdlSweepPlot {
  GtkWidget parent;
  const OdlSweepWords *words; // NULL: none
  const OdlTrial *trial; // of the words
  GHashTable *at; // gint64 → index + 1 in `cells`
  GArray *cells; // Cell, in the order of their places where `sorted`
  bool sorted;
  const OdlSweepRow *marked, *hovered; // NULL: none
};

G_DEFINE_FINAL_TYPE (OdlSweepPlot, odl_sweep_plot, GTK_TYPE_WIDGET)

enum { SHOWN, MARKED, CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

// ---- cells ---------------------------------------------------------------------------

static const OdlVaried *
axis_of (const OdlSweepPlot *self, guint axis)
{
  return odl_axes_at (self->trial->axes, axis);
}

static bool
is_of_filters (const OdlSweepPlot *self)
{
  return self->trial->axes->has_filters;
}

static bool
is_map (const OdlSweepPlot *self)
{
  return !is_of_filters (self) && self->trial->axes->varied->len > 1;
}

// The axis that line `y` is drawn over; −1: it is a single value.
static int
axis_across (const OdlSweepPlot *self, guint y)
{
  return is_of_filters (self) ? odl_axes_first_of (self->trial->axes, y) : 0;
}

// That of all lines; −1: each has its own, of which a share is shown.
static int
shared_axis (const OdlSweepPlot *self)
{
  const int first = axis_across (self, 0);
  for (guint i = 1; is_of_filters (self) && i < self->trial->axes->n_recipes; i++)
    if (axis_across (self, i) != first)
      return -1;
  return first;
}

static Cell
cell_of (const OdlSweepPlot *self, const OdlSweepRow *row)
{
  const guint y = is_of_filters (self) ? row->indices[0]
                  : is_map (self)      ? row->indices[1]
                                       : 0;
  const int axis = axis_across (self, y);
  return (Cell){ axis >= 0 ? row->indices[axis] : 0, y, row };
}

static gint64
key_of (const Cell *at)
{
  return (gint64) at->y << 32 | at->x;
}

static double
value_of (const OdlSweepPlot *self, const OdlSweepRow *row)
{
  return row->scores.values[self->trial->metric];
}

static const Cell *
cell (const OdlSweepPlot *self, guint i)
{
  return &g_array_index (self->cells, Cell, i);
}

static void
add_row (OdlSweepPlot *self, const OdlSweepRow *row)
{
  const Cell made = cell_of (self, row);
  const gint64 key = key_of (&made);
  if (!isfinite (value_of (self, row)))
    return;
  const guint there = GPOINTER_TO_UINT (g_hash_table_lookup (self->at, &key));
  if (there == 0) {
    g_array_append_val (self->cells, made);
    g_hash_table_insert (self->at, g_memdup2 (&key, sizeof key),
                         GUINT_TO_POINTER (self->cells->len));
    self->sorted = false;
    return;
  }
  Cell *old = &g_array_index (self->cells, Cell, there - 1);
  if (odl_trial_better (self->trial, value_of (self, row), value_of (self, old->row)))
    old->row = row;
}

static int
compare_cells (const void *a, const void *b)
{
  const Cell *first = a, *second = b;
  return first->y != second->y ? (first->y > second->y) - (first->y < second->y)
                               : (first->x > second->x) - (first->x < second->x);
}

static void
sort (OdlSweepPlot *self)
{
  if (self->sorted)
    return;
  g_array_sort (self->cells, compare_cells);
  for (guint i = 0; i < self->cells->len; i++) {
    const gint64 key = key_of (cell (self, i));
    g_hash_table_insert (self->at, g_memdup2 (&key, sizeof key),
                         GUINT_TO_POINTER (i + 1));
  }
  self->sorted = true;
}

// −1: the row's place has no value.
static int
index_of (OdlSweepPlot *self, const OdlSweepRow *row)
{
  if (!row || !self->trial)
    return -1;
  const Cell at = cell_of (self, row);
  const gint64 key = key_of (&at);
  sort (self);
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (self->at, &key)) - 1;
}

// ---- places --------------------------------------------------------------------------

// Where the curve or map lies in the widget, and what its edges mean.
typedef struct {
  double x, y, width, height;
  double least, most; // metric
  double first_x, last_x, first_y, last_y; // indices at the edges
} Frame;

// 1, 2 or 5 times a power of ten, for a few ticks.
static double
step_of (double range)
{
  const double rough = range / MOST_TICKS, power = pow (10, floor (log10 (rough)));
  const double share = rough / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static char *
number_text (double value, double step)
{
  const int decimals = (int) CLAMP (ceil (-log10 (step) - 1e-9), 0, 9);
  return odl_text_with_minus (
      g_strdup_printf ("%.*f", decimals, fabs (value) < step / 2 ? 0 : value));
}

static void
size_of (OdlSweepPlot *self, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout
      = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  pango_layout_get_pixel_size (layout, width, height);
}

static void
find_values (OdlSweepPlot *self, Frame *frame)
{
  frame->least = INFINITY;
  frame->most = -INFINITY;
  for (guint i = 0; i < self->cells->len; i++) {
    const double value = value_of (self, cell (self, i)->row);
    frame->least = fmin (frame->least, value);
    frame->most = fmax (frame->most, value);
  }
  if (frame->most > frame->least && is_map (self))
    return;
  const double range = frame->most > frame->least ? frame->most - frame->least
                                                  : fmax (fabs (frame->most), 1) * 0.1;
  frame->least -= BESIDE * range;
  frame->most += BESIDE * range;
}

// Ticks of an axis of values: every how many.
static guint
every (const OdlVaried *axis)
{
  return 1 + (axis->count - 1) / MOST_TICKS;
}

static int
widest_value (OdlSweepPlot *self, guint axis, int *height)
{
  int widest = 0;
  for (guint i = 0; i < axis_of (self, axis)->count; i += every (axis_of (self, axis))) {
    g_autofree char *text = odl_sweep_value_text (self->words, axis, i);
    int width;
    size_of (self, text, &width, height);
    widest = MAX (widest, width);
  }
  return widest;
}

static int
widest_metric (OdlSweepPlot *self, const Frame *frame, int *height)
{
  const double step = step_of (frame->most - frame->least);
  int widest = 0;
  for (double k = ceil (frame->least / step); k * step <= frame->most; k++) {
    g_autofree char *text = number_text (k * step, step);
    int width;
    size_of (self, text, &width, height);
    widest = MAX (widest, width);
  }
  return widest;
}

// How much room the names of filters take beside the lines.
static double
width_of_legend (OdlSweepPlot *self)
{
  int widest = 0;
  for (guint i = 0; i < axis_of (self, 0)->count; i++) {
    g_autofree char *text = odl_sweep_value_text (self->words, 0, i);
    int width, height;
    size_of (self, text, &width, &height);
    widest = MAX (widest, width);
  }
  return fmin (widest + SAMPLE + 3 * GAP,
               MOST_LEGEND * gtk_widget_get_width (GTK_WIDGET (self)));
}

static Frame
find_frame (OdlSweepPlot *self)
{
  const double width = gtk_widget_get_width (GTK_WIDGET (self));
  const double height = gtk_widget_get_height (GTK_WIDGET (self));
  Frame frame = { 0 };
  int line = 0;
  find_values (self, &frame);
  const int metric = widest_metric (self, &frame, &line);
  const int left = is_map (self) ? widest_value (self, 1, &line) : metric;
  const double right = is_map (self)          ? metric + KEY_WIDTH + 3 * GAP
                       : is_of_filters (self) ? width_of_legend (self)
                                              : 2 * GAP;
  frame.x = left + 2 * GAP;
  frame.y = line + 2 * GAP; // below the title
  frame.width = fmax (width - frame.x - right, 1);
  frame.height = fmax (height - frame.y - 2 * line - 3 * GAP, 1);
  const int across = shared_axis (self);
  frame.first_x = is_map (self) ? -0.5 : 0;
  frame.last_x = across < 0
                     ? 1
                     : axis_of (self, (guint) across)->count - (is_map (self) ? 0.5 : 1);
  if (frame.last_x <= frame.first_x)
    frame.first_x -= 0.5, frame.last_x += 0.5;
  frame.first_y = -0.5;
  frame.last_y = is_map (self) ? axis_of (self, 1)->count - 0.5 : 0.5;
  return frame;
}

static double
x_of (const Frame *frame, double index)
{
  return frame->x
         + (index - frame->first_x) / (frame->last_x - frame->first_x) * frame->width;
}

// Of a map, whose second parameter grows upwards.
static double
y_of (const Frame *frame, double index)
{
  return frame->y
         + (frame->last_y - index) / (frame->last_y - frame->first_y) * frame->height;
}

static double
height_of (const Frame *frame, double value)
{
  return frame->y + (frame->most - value) / (frame->most - frame->least) * frame->height;
}

// Of its own range.
static double
share_of (OdlSweepPlot *self, const Cell *at)
{
  const int axis = axis_across (self, at->y);
  const guint n = axis >= 0 ? axis_of (self, (guint) axis)->count : 1;
  return n > 1 ? (double) at->x / (n - 1) : 0.5;
}

static void
place_of (OdlSweepPlot *self, const Frame *frame, const Cell *at, double *x, double *y)
{
  *x = x_of (frame, shared_axis (self) < 0 ? share_of (self, at) : at->x);
  *y = is_map (self) ? y_of (frame, at->y) : height_of (frame, value_of (self, at->row));
}

bool
odl_sweep_plot_place (OdlSweepPlot *self, const OdlSweepRow *row, double *x, double *y)
{
  const int index = index_of (self, row);
  if (index < 0)
    return false;
  const Frame frame = find_frame (self);
  place_of (self, &frame, cell (self, (guint) index), x, y);
  return true;
}

// ---- drawing -------------------------------------------------------------------------

static void
set_colour (cairo_t *cr, const GdkRGBA *colour, double alpha)
{
  cairo_set_source_rgba (cr, (double) colour->red, (double) colour->green,
                         (double) colour->blue, (double) colour->alpha * alpha);
}

// `align`: what share of its width lies left of x.
static void
draw_label (OdlSweepPlot *self,
            cairo_t *cr,
            const char *text,
            double x,
            double y,
            double align)
{
  g_autoptr (PangoLayout) layout
      = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width;
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_get_pixel_size (layout, &width, NULL);
  const double most = gtk_widget_get_width (GTK_WIDGET (self)) - width;
  cairo_move_to (cr, CLAMP (x - align * width, 0, fmax (most, 0)), y);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_grid_line (cairo_t *cr, double x1, double y1, double x2, double y2)
{
  cairo_move_to (cr, x1, y1);
  cairo_line_to (cr, x2, y2);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

// The metric's numbers, at the left of a curve or beside the key of a map.
static void
draw_metric (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *ink)
{
  const double step = step_of (frame->most - frame->least);
  const bool map = is_map (self);
  const double x = map ? frame->x + frame->width + KEY_WIDTH + 2 * GAP : frame->x - GAP;
  for (double k = ceil (frame->least / step); k * step <= frame->most; k++) {
    g_autofree char *text = number_text (k * step, step);
    const double y = round (height_of (frame, k * step)) + 0.5;
    int width, height;
    size_of (self, text, &width, &height);
    set_colour (cr, ink, 0.8);
    draw_label (self, cr, text, x, y - height / 2.0, map ? 0 : 1);
    set_colour (cr, ink, 0.15);
    if (!map)
      draw_grid_line (cr, frame->x, y, frame->x + frame->width, y);
  }
}

// Shares of ranges, or values of the parameter across.
static void
draw_places (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *ink)
{
  const double y = frame->y + frame->height + GAP;
  const int across = shared_axis (self);
  set_colour (cr, ink, 0.8);
  for (int i = 0; across < 0 && i <= MOST_TICKS; i++) {
    g_autofree char *text = number_text ((double) i / MOST_TICKS, 1.0 / MOST_TICKS);
    draw_label (self, cr, text, x_of (frame, (double) i / MOST_TICKS), y, 0.5);
  }
  for (guint i = 0; across >= 0 && i < axis_of (self, (guint) across)->count;
       i += every (axis_of (self, (guint) across))) {
    g_autofree char *text = odl_sweep_value_text (self->words, (guint) across, i);
    draw_label (self, cr, text, x_of (frame, i), y, 0.5);
  }
}

// Values of the second parameter at the left.
static void
draw_values (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *ink)
{
  const OdlVaried *second = is_map (self) ? axis_of (self, 1) : NULL;
  draw_places (self, cr, frame, ink);
  for (guint i = 0; second && i < second->count; i += every (second)) {
    g_autofree char *text = odl_sweep_value_text (self->words, 1, i);
    int width, height;
    size_of (self, text, &width, &height);
    draw_label (self, cr, text, frame->x - GAP, y_of (frame, i) - height / 2.0, 1);
  }
}

// "Threshold (of full scale)"
static char *
title_of (OdlSweepPlot *self, int axis)
{
  if (axis < 0)
    return g_strdup (_ ("share of the range of each"));
  g_autofree char *title = odl_sweep_axis_title (self->words, (guint) axis);
  return odl_sweep_with_unit (title, self->words->units[axis]);
}

static void
draw_titles (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *ink)
{
  const OdlScoreRow *score = &odl_scores[self->trial->metric];
  g_autofree char *metric = odl_sweep_with_unit (_ (score->label), score->unit);
  g_autofree char *below = title_of (self, shared_axis (self));
  int width, height;
  size_of (self, below, &width, &height);
  set_colour (cr, ink, 1);
  draw_label (self, cr, metric,
              is_map (self) ? gtk_widget_get_width (GTK_WIDGET (self)) : 0, GAP / 2,
              is_map (self) ? 1 : 0);
  if (is_map (self)) {
    g_autofree char *left = title_of (self, 1);
    draw_label (self, cr, left, 0, GAP / 2, 0);
  }
  draw_label (self, cr, below, frame->x + frame->width / 2,
              frame->y + frame->height + height + 2 * GAP, 0.5);
}

// Cells from `from` to before `to`.
static void
draw_curve (OdlSweepPlot *self,
            cairo_t *cr,
            const Frame *frame,
            guint from,
            guint to,
            const GdkRGBA *colour)
{
  double x, y;
  set_colour (cr, colour, 1);
  cairo_set_line_width (cr, LINE);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_new_path (cr);
  for (guint i = from; i < to; i++) {
    place_of (self, frame, cell (self, i), &x, &y);
    cairo_line_to (cr, x, y);
  }
  // What has no range is as good everywhere.
  if (axis_across (self, cell (self, from)->y) < 0) {
    cairo_move_to (cr, frame->x, y);
    cairo_line_to (cr, frame->x + frame->width, y);
  }
  cairo_stroke (cr);
  for (guint i = from; to - from <= DOTS_TO && i < to; i++) {
    place_of (self, frame, cell (self, i), &x, &y);
    cairo_new_path (cr);
    cairo_arc (cr, x, y, DOT, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

static GdkRGBA
colour_of (OdlSweepPlot *self, guint y, const GdkRGBA *accent)
{
  GdkRGBA colour = *accent;
  if (is_of_filters (self))
    gdk_rgba_parse (&colour, colours[y % G_N_ELEMENTS (colours)]);
  return colour;
}

// Cells stand line by line.
static void
draw_curves (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *accent)
{
  guint from = 0;
  for (guint i = 1; i <= self->cells->len; i++)
    if (i == self->cells->len || cell (self, i)->y != cell (self, from)->y) {
      const GdkRGBA colour = colour_of (self, cell (self, from)->y, accent);
      draw_curve (self, cr, frame, from, i, &colour);
      from = i;
    }
}

static void
draw_legend (OdlSweepPlot *self, cairo_t *cr, const Frame *frame, const GdkRGBA *ink)
{
  const double x = frame->x + frame->width + 2 * GAP;
  const double most = gtk_widget_get_width (GTK_WIDGET (self)) - x - SAMPLE - GAP;
  double y = frame->y;
  for (guint i = 0; i < axis_of (self, 0)->count; i++) {
    const GdkRGBA colour = colour_of (self, i, ink);
    g_autofree char *text = odl_sweep_value_text (self->words, 0, i);
    g_autoptr (PangoLayout) layout
        = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
    int width, height;
    pango_layout_set_width (layout, (int) fmax (most, 1) * PANGO_SCALE);
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    pango_layout_get_pixel_size (layout, &width, &height);
    set_colour (cr, &colour, 1);
    cairo_set_line_width (cr, 2 * LINE);
    cairo_move_to (cr, x, y + height / 2.0);
    cairo_line_to (cr, x + SAMPLE, y + height / 2.0);
    cairo_stroke (cr);
    set_colour (cr, ink, 1);
    cairo_move_to (cr, x + SAMPLE + GAP, y);
    pango_cairo_show_layout (cr, layout);
    y += height;
  }
}

static void
set_shade (cairo_t *cr, const OdlColourMap *map, double share)
{
  float colour[3];
  odl_colour_map_show (map, (float) CLAMP (share, 0, 1), colour);
  cairo_set_source_rgb (cr, (double) colour[0], (double) colour[1], (double) colour[2]);
}

static void
draw_map (OdlSweepPlot *self, cairo_t *cr, const Frame *frame)
{
  const OdlColourMap *map = odl_colour_map_find ("viridis");
  const double width = fmax (x_of (frame, 1) - x_of (frame, 0), LEAST_CELL);
  const double height = fmax (y_of (frame, 0) - y_of (frame, 1), LEAST_CELL);
  for (guint i = 0; i < self->cells->len; i++) {
    double x, y;
    place_of (self, frame, cell (self, i), &x, &y);
    set_shade (cr, map,
               (value_of (self, cell (self, i)->row) - frame->least)
                   / (frame->most - frame->least));
    // Neighbours leave no seam.
    cairo_rectangle (cr, floor (x - width / 2), floor (y - height / 2), ceil (width) + 1,
                     ceil (height) + 1);
    cairo_fill (cr);
  }
  for (int y = 0; y < (int) frame->height; y++) {
    set_shade (cr, map, 1 - y / frame->height);
    cairo_rectangle (cr, frame->x + frame->width + GAP, frame->y + y, KEY_WIDTH, 1);
    cairo_fill (cr);
  }
}

// White with a dark edge, seen on every colour of a map; thin below the pointer.
static void
draw_mark (OdlSweepPlot *self,
           cairo_t *cr,
           const Frame *frame,
           const OdlSweepRow *row,
           double radius)
{
  const int index = index_of (self, row);
  double x, y;
  if (index < 0)
    return;
  place_of (self, frame, cell (self, (guint) index), &x, &y);
  cairo_new_path (cr);
  cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  cairo_set_source_rgb (cr, 0, 0, 0);
  cairo_set_line_width (cr, 4);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static void
snapshot_cb (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlSweepPlot *self = ODL_SWEEP_PLOT (widget);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);
  GdkRGBA ink[2];
  if (!self->trial || self->cells->len == 0)
    return;
  sort (self);
  const Frame frame = find_frame (self);
  odl_plot_axes_colours (widget, ink);
  cairo_t *cr
      = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (is_map (self))
    draw_map (self, cr, &frame);
  draw_metric (self, cr, &frame, &ink[0]);
  draw_values (self, cr, &frame, &ink[0]);
  draw_titles (self, cr, &frame, &ink[0]);
  if (!is_map (self))
    draw_curves (self, cr, &frame, &ink[1]);
  if (is_of_filters (self))
    draw_legend (self, cr, &frame, &ink[0]);
  draw_mark (self, cr, &frame, self->marked, MARK);
  draw_mark (self, cr, &frame, self->hovered, DOT);
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 0, 0,
                               (double) width, (double) height);
}

// ---- choosing ------------------------------------------------------------------------

static void
describe (OdlSweepPlot *self)
{
  g_autofree char *point
      = self->marked ? odl_sweep_point_text (self->words, self->marked) : g_strdup ("");
  g_autofree char *score
      = self->marked
            ? odl_sweep_score_text (self->trial->metric, value_of (self, self->marked))
            : g_strdup ("");
  // Translators: parameters with their values, and that of a metric.
  g_autofree char *text = g_strdup_printf (_ ("%s: %s"), point, score);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->marked ? text : "", -1);
}

void
odl_sweep_plot_mark (OdlSweepPlot *self, const OdlSweepRow *row)
{
  if (row == self->marked)
    return;
  self->marked = row;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
mark (OdlSweepPlot *self, const OdlSweepRow *row)
{
  if (row == self->marked)
    return;
  odl_sweep_plot_mark (self, row);
  g_signal_emit (self, signals[MARKED], 0, row);
}

static const OdlSweepRow *
row_near (OdlSweepPlot *self, double x, double y)
{
  const OdlSweepRow *nearest = NULL;
  double least = INFINITY;
  if (!self->trial || self->cells->len == 0)
    return NULL;
  sort (self);
  const Frame frame = find_frame (self);
  for (guint i = 0; i < self->cells->len; i++) {
    double at_x, at_y;
    place_of (self, &frame, cell (self, i), &at_x, &at_y);
    // Of a curve the value below the pointer.
    const double distance = is_map (self) || is_of_filters (self)
                                ? hypot (at_x - x, at_y - y)
                                : fabs (at_x - x);
    if (distance >= least)
      continue;
    least = distance;
    nearest = cell (self, i)->row;
  }
  return nearest;
}

static void
hover (OdlSweepPlot *self, const OdlSweepRow *row)
{
  if (row == self->hovered)
    return;
  self->hovered = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SHOWN], 0, row ? row : self->marked);
}

static void
motion_cb (GtkEventController *motion, double x, double y, OdlSweepPlot *self)
{
  hover (self, row_near (self, x, y));
}

static void
leave_cb (GtkEventController *motion, OdlSweepPlot *self)
{
  hover (self, NULL);
}

static void
click_cb (GtkGestureClick *click, int n, double x, double y, OdlSweepPlot *self)
{
  const OdlSweepRow *row = row_near (self, x, y);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!row)
    return;
  mark (self, row);
  if (n == 2)
    g_signal_emit (self, signals[CHOSEN], 0, row);
}

// The next one in that direction: on the same line, else the nearest. Of filters left and
// right stay on the curve.
static const OdlSweepRow *
next_of (OdlSweepPlot *self, const Cell *from, int by_x, int by_y)
{
  const OdlSweepRow *found = NULL;
  double least = INFINITY;
  for (guint i = 0; i < self->cells->len; i++) {
    const Cell *to = cell (self, i);
    const double dx = (double) to->x - from->x, dy = (double) to->y - from->y;
    const double along = by_x != 0 ? dx * by_x : dy * by_y;
    const double across = by_x != 0 ? fabs (dy) : fabs (dx);
    if (is_of_filters (self) && by_x != 0 && across > 0)
      continue;
    // What lies across counts more than everything along.
    const double distance = along + across * 1e10;
    if (along <= 0 || distance >= least)
      continue;
    least = distance;
    found = to->row;
  }
  return found;
}

static gboolean
key_cb (GtkEventController *keys,
        guint key,
        guint code,
        GdkModifierType state,
        OdlSweepPlot *self)
{
  const int by_x = (key == GDK_KEY_Right) - (key == GDK_KEY_Left);
  const int by_y = (key == GDK_KEY_Up) - (key == GDK_KEY_Down);
  if (!self->trial || self->cells->len == 0)
    return FALSE;
  const int at = index_of (self, self->marked);
  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_space)
      && self->marked) {
    g_signal_emit (self, signals[CHOSEN], 0, self->marked);
    return TRUE;
  }
  if (by_x == 0 && (by_y == 0 || (!is_map (self) && !is_of_filters (self))))
    return FALSE;
  sort (self);
  const OdlSweepRow *row = at < 0 ? cell (self, 0)->row
                                  : next_of (self, cell (self, (guint) at), by_x, by_y);
  if (row)
    mark (self, row);
  return TRUE;
}

// ---- what is shown -------------------------------------------------------------------

void
odl_sweep_plot_begin (OdlSweepPlot *self, const OdlSweepWords *words)
{
  self->words = words;
  self->trial = words ? words->trial : NULL;
  self->marked = self->hovered = NULL;
  self->sorted = true;
  g_array_set_size (self->cells, 0);
  g_hash_table_remove_all (self->at);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
odl_sweep_plot_add (OdlSweepPlot *self, const GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    add_row (self, rows->pdata[i]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

// ---- the widget ----------------------------------------------------------------------

static void
finalize (GObject *object)
{
  OdlSweepPlot *self = ODL_SWEEP_PLOT (object);
  g_array_unref (self->cells);
  g_hash_table_unref (self->at);
  G_OBJECT_CLASS (odl_sweep_plot_parent_class)->finalize (object);
}

static void
odl_sweep_plot_class_init (OdlSweepPlotClass *klass)
{
  static const char *const names[N_SIGNALS] = { "shown", "marked", "chosen" };
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget->snapshot = snapshot_cb;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  for (int i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                               NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
odl_sweep_plot_init (OdlSweepPlot *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  self->at = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gtk_widget_set_size_request (GTK_WIDGET (self), LEAST_WIDTH, LEAST_HEIGHT);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  g_signal_connect (click, "released", G_CALLBACK (click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Plot of the Sweep"), -1);
}

GtkWidget *
odl_sweep_plot_new (void)
{
  return g_object_new (ODL_TYPE_SWEEP_PLOT, NULL);
}
