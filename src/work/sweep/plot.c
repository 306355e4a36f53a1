// SPDX-License-Identifier: MIT
#include "work/sweep/plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

#define WIDTH 800
#define HEIGHT 500
#define LEFT 80
#define RIGHT 200 // of the legend
#define TOP 50
#define BOTTOM 60
#define MOST_TICKS 8
#define TICK 5
#define MOST_LINES 24
#define LINE_HEIGHT 16
#define LEGEND_LETTERS 28
#define MOST_X 100000 // values of the first parameter
#define DOTS_TO 60 // values that have dots, too
#define DOT 2.5
#define TITLE 14
#define GREY "#dddddd"
#define BLACK "#000000"

// Eight colours that people tell apart (Okabe and Ito, 2008), the pale one darkened.
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000", "#a09000" };
static const char *const dashes[] = { "none", "6 3", "2 3" };

typedef struct {
  guint n;
  double *x, *y; // owned; y NaN: none
} Line;

typedef struct {
  const OdlTable *table;
  const OdlAxes *axes;
  const OdlVaried *first; // whose values are below; NULL: a share of the range of each
  const OdlVaried *second; // with a line for each value, or of filters; NULL: one line
  Line *lines;
  guint n_lines;
  bool words; // the first parameter's values are no numbers
  double least_x, most_x, least_y, most_y;
  OdlDrawing *drawing;
} Plot;

// ---- lines ---------------------------------------------------------------------------

// The first parameter of all filters, if it is one and the same.
static const OdlVaried *
shared_axis (const OdlAxes *axes)
{
  const int first = odl_axes_first_of (axes, 0);

  for (guint i = 1; i < axes->n_recipes; i++)
    if (odl_axes_first_of (axes, i) != first)
      return NULL;
  return first >= 0 ? odl_axes_at (axes, (guint) first) : NULL;
}

static void
choose_axes (Plot *plot)
{
  const OdlAxes *axes = plot->axes;

  if (axes->has_filters) {
    plot->first = shared_axis (axes);
    plot->second = odl_axes_at (axes, 0);
    plot->n_lines = axes->n_recipes;
  } else {
    plot->first = odl_axes_at (axes, 0);
    plot->second = axes->varied->len > 1 ? odl_axes_at (axes, 1) : NULL;
    plot->n_lines = plot->second != NULL ? plot->second->count : 1;
  }
  for (guint i = 0; plot->first != NULL && i < plot->first->count; i++)
    plot->words |= isnan (odl_varied_number (plot->first, i));
}

// How many values line `i` has, and the axis that these are of; −1: a single value, which
// is drawn from end to end.
static guint
length_of (const Plot *plot, guint i, int *axis)
{
  *axis = plot->axes->has_filters ? odl_axes_first_of (plot->axes, i) : 0;
  return *axis >= 0 ? odl_axes_at (plot->axes, (guint) *axis)->count : 2;
}

static double
x_value (const Plot *plot, guint i, guint n)
{
  return plot->first == NULL ? (n > 1 ? (double) i / (n - 1) : 0.5)
         : plot->words       ? i
                             : odl_varied_number (plot->first, i);
}

static void
make_lines (Plot *plot)
{
  plot->lines = g_new0 (Line, plot->n_lines);
  for (guint i = 0; i < plot->n_lines; i++) {
    Line *line = &plot->lines[i];
    int axis;
    line->n = length_of (plot, i, &axis);
    line->x = g_new (double, line->n);
    line->y = g_new (double, line->n);
    for (guint k = 0; k < line->n; k++) {
      line->x[k] = x_value (plot, k, line->n);
      line->y[k] = NAN;
    }
  }
}

static void
take (Plot *plot, double *value, double metric)
{
  if (isfinite (metric) && odl_trial_better (plot->table->trial, metric, *value))
    *value = metric;
}

// The best of all points that have these values.
static void
gather (Plot *plot)
{
  const OdlTable *table = plot->table;
  const bool filters = plot->axes->has_filters;
  guint indices[ODL_AXES_MOST];

  make_lines (plot);
  for (gint64 point = 0; point < table->points; point++) {
    const double metric = odl_table_metric (table, point);
    odl_axes_indices (plot->axes, point, indices);
    const guint i = filters ? indices[0] : plot->second != NULL ? indices[1] : 0;
    int axis;
    length_of (plot, i, &axis);
    if (axis >= 0)
      take (plot, &plot->lines[i].y[indices[axis]], metric);
    else
      for (guint k = 0; k < plot->lines[i].n; k++)
        take (plot, &plot->lines[i].y[k], metric);
  }
}

static void
find_ranges (Plot *plot)
{
  plot->least_x = plot->least_y = INFINITY;
  plot->most_x = plot->most_y = -INFINITY;
  for (guint i = 0; i < plot->n_lines; i++)
    for (guint k = 0; k < plot->lines[i].n; k++) {
      const double x = plot->lines[i].x[k], y = plot->lines[i].y[k];
      plot->least_x = fmin (plot->least_x, x);
      plot->most_x = fmax (plot->most_x, x);
      plot->least_y = fmin (plot->least_y, y); // without what is NaN
      plot->most_y = fmax (plot->most_y, y);
    }
  if (plot->first == NULL)
    plot->least_x = 0, plot->most_x = 1;
  if (!(plot->least_y <= plot->most_y))
    plot->least_y = 0, plot->most_y = 1;
  if (plot->most_x == plot->least_x)
    plot->least_x -= 0.5, plot->most_x += 0.5;
  const double room = 0.05 * (plot->most_y - plot->least_y);
  plot->least_y -= room > 0 ? room : 0.5;
  plot->most_y += room > 0 ? room : 0.5;
}

// ---- places --------------------------------------------------------------------------

static double
place_x (const Plot *plot, double x)
{
  return LEFT
         + (WIDTH - LEFT - RIGHT) * (x - plot->least_x) / (plot->most_x - plot->least_x);
}

static double
place_y (const Plot *plot, double y)
{
  return HEIGHT - BOTTOM
         - (HEIGHT - TOP - BOTTOM) * (y - plot->least_y) / (plot->most_y - plot->least_y);
}

// 1, 2 or 5 times a power of ten, for a few ticks.
static double
tick_step (double range)
{
  const double rough = range / MOST_TICKS, power = pow (10, floor (log10 (rough)));
  const double digit = rough / power;

  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

// ---- what is drawn -------------------------------------------------------------------

static void
draw_words (const Plot *plot, double x, double y, double align, const char *words)
{
  odl_drawing_words (plot->drawing, &(OdlDrawingPlace){ .x = x, .y = y, .align = align },
                     words);
}

static void
draw_line (const Plot *plot,
           double x1,
           double y1,
           double x2,
           double y2,
           const char *colour)
{
  odl_drawing_line (plot->drawing, (OdlPoint){ x1, y1 }, (OdlPoint){ x2, y2 }, colour);
}

static void
draw_x_tick (const Plot *plot, double x, const char *text)
{
  draw_line (plot, place_x (plot, x), TOP, place_x (plot, x), HEIGHT - BOTTOM + TICK,
             GREY);
  draw_words (plot, place_x (plot, x), HEIGHT - BOTTOM + 18, 0.5, text);
}

static void
draw_x_ticks (const Plot *plot)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double step = tick_step (plot->most_x - plot->least_x);

  if (plot->words) {
    const guint every = 1 + (plot->first->count - 1) / MOST_TICKS;
    for (guint i = 0; i < plot->first->count; i += every) {
      g_autofree char *text = odl_varied_text (plot->first, i);
      draw_x_tick (plot, i, text);
    }
    return;
  }
  for (double k = ceil (plot->least_x / step - 1e-9);
       k * step <= plot->most_x + 1e-9 * step; k++)
    draw_x_tick (
        plot, k * step,
        g_ascii_formatd (number, sizeof number, "%.6g", fabs (k) < 0.5 ? 0 : k * step));
}

static void
draw_y_ticks (const Plot *plot)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double step = tick_step (plot->most_y - plot->least_y);

  for (double k = ceil (plot->least_y / step); k * step <= plot->most_y; k++) {
    const double y = place_y (plot, k * step);
    draw_line (plot, LEFT - TICK, y, WIDTH - RIGHT, y, GREY);
    draw_words (
        plot, LEFT - TICK - 4, y + 4, 1,
        g_ascii_formatd (number, sizeof number, "%.6g", fabs (k) < 0.5 ? 0 : k * step));
  }
}

// "soft-threshold.threshold (of full scale)"
static char *
axis_title (const OdlVaried *axis)
{
  const char *unit;

  if (axis == NULL)
    return g_strdup (_ ("share of the range of each"));
  unit = axis->parameter->unit;
  return *unit != '\0' ? g_strdup_printf ("%s (%s)", axis->name, _ (unit))
                       : g_strdup (axis->name);
}

static void
draw_axes (const Plot *plot)
{
  const OdlScoreRow *row = &odl_scores[plot->table->trial->metric];
  g_autofree char *x_title = axis_title (plot->first);
  g_autofree char *y_title = *row->unit != '\0'
                                 ? g_strdup_printf ("%s (%s)", _ (row->label), row->unit)
                                 : g_strdup (_ (row->label));

  draw_line (plot, LEFT, TOP, LEFT, HEIGHT - BOTTOM, BLACK);
  draw_line (plot, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, BLACK);
  draw_words (plot, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, 0.5, x_title);
  odl_drawing_words (
      plot->drawing,
      &(OdlDrawingPlace){
          .x = 20, .y = (TOP + HEIGHT - BOTTOM) / 2.0, .align = 0.5, .upwards = true },
      y_title);
}

static const char *
colour_of (guint line)
{
  return colours[line % G_N_ELEMENTS (colours)];
}

static const char *
dash_of (guint line)
{
  return dashes[line / G_N_ELEMENTS (colours) % G_N_ELEMENTS (dashes)];
}

static void
draw_curve (const Plot *plot, guint number)
{
  const Line *line = &plot->lines[number];
  g_autofree OdlPoint *points = g_new (OdlPoint, line->n);

  for (guint i = 0; i < line->n; i++)
    points[i] = (OdlPoint){ place_x (plot, line->x[i]), place_y (plot, line->y[i]) };
  odl_drawing_curve (plot->drawing, points, line->n, colour_of (number),
                     dash_of (number));
  for (guint i = 0; line->n <= DOTS_TO && i < line->n; i++)
    if (!isnan (points[i].y))
      odl_drawing_dot (plot->drawing, points[i], DOT, colour_of (number));
}

// "bm3d, sigma 0 … 0.2" of a filter whose range is its own.
static char *
line_title (const Plot *plot, guint number)
{
  g_autofree char *name = odl_varied_text (plot->second, number);
  const int own = odl_axes_first_of (plot->axes, number);

  if (!plot->axes->has_filters || plot->first != NULL || own < 0)
    return g_steal_pointer (&name);
  const OdlVaried *axis = odl_axes_at (plot->axes, (guint) own);
  g_autofree char *from = odl_varied_text (axis, 0);
  g_autofree char *to = odl_varied_text (axis, axis->count - 1);
  return g_strdup_printf ("%s\n%s %s … %s", name, axis->parameter->key, from, to);
}

static void
draw_legend (const Plot *plot)
{
  const double x = WIDTH - RIGHT + 14;
  double y = TOP + 0.2 * LINE_HEIGHT;

  if (plot->second == NULL)
    return;
  const char *name = plot->second->name;
  draw_words (plot, x, TOP, 0,
              strlen (name) > LEGEND_LETTERS ? plot->second->parameter->key : name);
  for (guint i = 0; i < plot->n_lines; i++) {
    g_autofree char *title = line_title (plot, i);
    g_auto (GStrv) rows = g_strsplit (title, "\n", -1);
    const OdlPoint ends[]
        = { { x, y + LINE_HEIGHT - 4 }, { x + 24, y + LINE_HEIGHT - 4 } };
    odl_drawing_curve (plot->drawing, ends, G_N_ELEMENTS (ends), colour_of (i),
                       dash_of (i));
    // As many rows as there is room for.
    for (guint k = 0; rows[k] != NULL && (k == 0 || plot->n_lines <= MOST_LINES / 2); k++)
      draw_words (plot, x + 30, y += LINE_HEIGHT, 0, rows[k]);
  }
}

static char *
title_of (const OdlTable *table)
{
  const OdlTrial *trial = table->trial;
  g_autofree char *name = g_filename_display_basename (trial->params->input);
  const char *noise = trial->params->noise;

  return noise != NULL ? g_strdup_printf ("%s, %s", name, noise) : g_strdup (name);
}

static void
draw (const Plot *plot)
{
  g_autofree char *title = title_of (plot->table);

  odl_drawing_words (plot->drawing,
                     &(OdlDrawingPlace){ .x = LEFT, .y = TOP - 24, .size = TITLE },
                     title);
  draw_x_ticks (plot);
  draw_y_ticks (plot);
  draw_axes (plot);
  for (guint line = 0; line < plot->n_lines; line++)
    draw_curve (plot, line);
  draw_legend (plot);
}

// ---- all of it -----------------------------------------------------------------------

bool
odl_plot_check (const OdlTrial *trial, GError **error)
{
  Plot plot = { .axes = trial->axes };

  choose_axes (&plot);
  for (guint i = 0; i < plot.n_lines; i++) {
    int axis;
    if (length_of (&plot, i, &axis) > MOST_X)
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("--plot draws at most %d values of “%s”. Leave it out, or "
                               "choose a larger step."),
                            MOST_X, odl_axes_at (trial->axes, (guint) axis)->name);
  }
  if (plot.n_lines <= MOST_LINES)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--plot draws at most %d lines, and “%s” has %u values. Put "
                           "another parameter second."),
                        MOST_LINES, plot.second->name, plot.second->count);
}

bool
odl_plot_write (OdlOutput *output,
                OdlDrawingFormat format,
                const OdlTable *table,
                GError **error)
{
  g_autoptr (OdlDrawing) drawing = odl_drawing_new (WIDTH, HEIGHT);
  Plot plot = { .table = table, .axes = table->trial->axes, .drawing = drawing };

  choose_axes (&plot);
  gather (&plot);
  find_ranges (&plot);
  draw (&plot);
  for (guint i = 0; i < plot.n_lines; i++) {
    g_free (plot.lines[i].x);
    g_free (plot.lines[i].y);
  }
  g_free (plot.lines);
  return odl_drawing_write (drawing, format, output, error);
}
