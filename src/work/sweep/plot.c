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

// Eight colours that people tell apart (Okabe and Ito, 2008), the pale one darkened.
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000", "#a09000" };
static const char *const dashes[] = { "none", "6 3", "2 3" };

typedef struct {
  const OdlTable *table;
  const OdlVaried *first, *second; // second NULL: one line
  guint n_x, n_lines;
  double *values; // of line l at x: values[l · n_x + x]; NaN: none
  bool words; // the first parameter's values are no numbers
  double least_x, most_x, least_y, most_y;
} Plot;

static double
x_value (const Plot *plot, guint i)
{
  return plot->words ? i : odl_varied_number (plot->first, i);
}

// The best of all points that have these values of the first two parameters.
static void
gather (Plot *plot)
{
  const OdlTable *table = plot->table;
  guint indices[ODL_AXES_MOST];

  for (gsize i = 0; i < (gsize) plot->n_x * plot->n_lines; i++)
    plot->values[i] = NAN;
  for (gint64 point = 0; point < table->points; point++) {
    odl_axes_indices (table->trial->axes, point, indices);
    const guint line = plot->second != NULL ? indices[1] : 0;
    double *value = &plot->values[(gsize) line * plot->n_x + indices[0]];
    const double metric = odl_table_metric (table, point);
    if (isfinite (metric) && odl_trial_better (table->trial, metric, *value))
      *value = metric;
  }
}

static void
find_ranges (Plot *plot)
{
  plot->least_x = plot->least_y = INFINITY;
  plot->most_x = plot->most_y = -INFINITY;
  for (guint i = 0; i < plot->n_x; i++) {
    plot->least_x = fmin (plot->least_x, x_value (plot, i));
    plot->most_x = fmax (plot->most_x, x_value (plot, i));
  }
  for (gsize i = 0; i < (gsize) plot->n_x * plot->n_lines; i++)
    if (!isnan (plot->values[i])) {
      plot->least_y = fmin (plot->least_y, plot->values[i]);
      plot->most_y = fmax (plot->most_y, plot->values[i]);
    }
  if (!(plot->least_y <= plot->most_y))
    plot->least_y = 0, plot->most_y = 1;
  if (plot->most_x == plot->least_x)
    plot->least_x -= 0.5, plot->most_x += 0.5;
  const double room = 0.05 * (plot->most_y - plot->least_y);
  plot->least_y -= room > 0 ? room : 0.5;
  plot->most_y += room > 0 ? room : 0.5;
}

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

// ---- what is written -----------------------------------------------------------------

static void
append_number (GString *svg, const char *before, const char *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (svg, before);
  g_string_append (svg, g_ascii_formatd (number, sizeof number, format, value));
}

// `where`: attributes besides x and y.
static void
append_text (GString *svg, double x, double y, const char *where, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  append_number (svg, "<text x=\"", "%.1f", x);
  append_number (svg, "\" y=\"", "%.1f", y);
  g_string_append_printf (svg, "\"%s>%s</text>\n", where, escaped);
}

static void
append_line (GString *svg, double x1, double y1, double x2, double y2, const char *colour)
{
  append_number (svg, "<path d=\"M", "%.1f", x1);
  append_number (svg, " ", "%.1f", y1);
  append_number (svg, "L", "%.1f", x2);
  append_number (svg, " ", "%.1f", y2);
  g_string_append_printf (svg, "\" stroke=\"%s\"/>\n", colour);
}

static void
append_x_tick (const Plot *plot, GString *svg, double x, const char *text)
{
  append_line (svg, place_x (plot, x), TOP, place_x (plot, x), HEIGHT - BOTTOM + TICK,
               "#ddd");
  append_text (svg, place_x (plot, x), HEIGHT - BOTTOM + 18, " text-anchor=\"middle\"",
               text);
}

static void
append_x_ticks (const Plot *plot, GString *svg)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double step = tick_step (plot->most_x - plot->least_x);

  if (plot->words) {
    const guint every = 1 + (plot->n_x - 1) / MOST_TICKS;
    for (guint i = 0; i < plot->n_x; i += every) {
      g_autofree char *text = odl_varied_text (plot->first, i);
      append_x_tick (plot, svg, i, text);
    }
    return;
  }
  for (double k = ceil (plot->least_x / step - 1e-9);
       k * step <= plot->most_x + 1e-9 * step; k++)
    append_x_tick (
        plot, svg, k * step,
        g_ascii_formatd (number, sizeof number, "%.6g", fabs (k) < 0.5 ? 0 : k * step));
}

static void
append_y_ticks (const Plot *plot, GString *svg)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const double step = tick_step (plot->most_y - plot->least_y);

  for (double k = ceil (plot->least_y / step); k * step <= plot->most_y; k++) {
    const double y = place_y (plot, k * step);
    append_line (svg, LEFT - TICK, y, WIDTH - RIGHT, y, "#ddd");
    append_text (
        svg, LEFT - TICK - 4, y + 4, " text-anchor=\"end\"",
        g_ascii_formatd (number, sizeof number, "%.6g", fabs (k) < 0.5 ? 0 : k * step));
  }
}

// "soft-threshold.threshold (of full scale)"
static char *
axis_title (const OdlVaried *axis)
{
  const char *unit = axis->parameter->unit;

  return unit != NULL && *unit != '\0' ? g_strdup_printf ("%s (%s)", axis->name, _ (unit))
                                       : g_strdup (axis->name);
}

static void
append_axes (const Plot *plot, GString *svg)
{
  const OdlScoreRow *row = &odl_scores[plot->table->trial->metric];
  g_autofree char *x_title = axis_title (plot->first);
  g_autofree char *y_title = *row->unit != '\0'
                                 ? g_strdup_printf ("%s (%s)", _ (row->label), row->unit)
                                 : g_strdup (_ (row->label));

  g_string_append (svg, "<g fill=\"none\">\n");
  append_line (svg, LEFT, TOP, LEFT, HEIGHT - BOTTOM, "black");
  append_line (svg, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "black");
  g_string_append (svg, "</g>\n");
  append_text (svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16, " text-anchor=\"middle\"",
               x_title);
  append_text (svg, 0, 0,
               " text-anchor=\"middle\" transform=\"translate(20 245) rotate(-90)\"",
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
append_curve (const Plot *plot, GString *svg, guint line)
{
  bool drawn = false;

  g_string_append_printf (svg,
                          "<path fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" "
                          "stroke-dasharray=\"%s\" d=\"",
                          colour_of (line), dash_of (line));
  for (guint i = 0; i < plot->n_x; i++) {
    const double y = plot->values[(gsize) line * plot->n_x + i];
    if (!isnan (y)) {
      append_number (svg, drawn ? "L" : "M", "%.2f", place_x (plot, x_value (plot, i)));
      append_number (svg, " ", "%.2f", place_y (plot, y));
    }
    drawn = !isnan (y);
  }
  g_string_append (svg, "\"/>\n");
  for (guint i = 0; plot->n_x <= DOTS_TO && i < plot->n_x; i++) {
    const double y = plot->values[(gsize) line * plot->n_x + i];
    if (isnan (y))
      continue;
    append_number (svg, "<circle r=\"2.5\" cx=\"", "%.2f",
                   place_x (plot, x_value (plot, i)));
    append_number (svg, "\" cy=\"", "%.2f", place_y (plot, y));
    g_string_append_printf (svg, "\" fill=\"%s\"/>\n", colour_of (line));
  }
}

static void
append_legend (const Plot *plot, GString *svg)
{
  const double x = WIDTH - RIGHT + 14;

  if (plot->second == NULL)
    return;
  const char *name = plot->second->name;
  append_text (svg, x, TOP, "",
               strlen (name) > LEGEND_LETTERS ? plot->second->parameter->key : name);
  for (guint i = 0; i < plot->n_lines; i++) {
    const double y = TOP + LINE_HEIGHT * (i + 1.2);
    append_number (svg, "<path d=\"M", "%.1f", x);
    append_number (svg, " ", "%.1f", y - 4);
    g_string_append_printf (
        svg, "h24\" stroke-width=\"2\" stroke=\"%s\" stroke-dasharray=\"%s\"/>\n",
        colour_of (i), dash_of (i));
    g_autofree char *text = odl_varied_text (plot->second, i);
    append_text (svg, x + 30, y, "", text);
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
draw (const Plot *plot, GString *svg)
{
  g_autofree char *title = title_of (plot->table);

  g_string_append_printf (
      svg,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
      "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      WIDTH, HEIGHT, WIDTH, HEIGHT);
  append_text (svg, LEFT, TOP - 24, " font-size=\"14\"", title);
  append_x_ticks (plot, svg);
  append_y_ticks (plot, svg);
  append_axes (plot, svg);
  for (guint line = 0; line < plot->n_lines; line++)
    append_curve (plot, svg, line);
  append_legend (plot, svg);
  g_string_append (svg, "</svg>\n");
}

bool
odl_plot_check (const OdlTrial *trial, GError **error)
{
  const OdlVaried *first = g_ptr_array_index (trial->axes, 0);
  const OdlVaried *second
      = trial->axes->len > 1 ? g_ptr_array_index (trial->axes, 1) : NULL;

  if (first->count > MOST_X)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--plot draws at most %d values of “%s”. Leave it out, or "
                             "choose a larger step."),
                          MOST_X, first->name);
  if (second == NULL || second->count <= MOST_LINES)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--plot draws at most %d lines, and “%s” has %u values. Put "
                           "another parameter second."),
                        MOST_LINES, second->name, second->count);
}

bool
odl_plot_write (OdlOutput *output, const OdlTable *table, GError **error)
{
  const GPtrArray *axes = table->trial->axes;
  g_autoptr (GString) svg = g_string_new (NULL);
  Plot plot = { .table = table, .first = g_ptr_array_index (axes, 0), .n_lines = 1 };

  plot.n_x = plot.first->count;
  if (axes->len > 1) {
    plot.second = g_ptr_array_index (axes, 1);
    plot.n_lines = plot.second->count;
  }
  for (guint i = 0; i < plot.n_x; i++)
    plot.words |= isnan (odl_varied_number (plot.first, i));
  g_autofree double *values = g_new (double, (gsize) plot.n_x *plot.n_lines);
  plot.values = values;
  gather (&plot);
  find_ranges (&plot);
  draw (&plot, svg);
  return odl_output_write (output, svg->str, svg->len, error);
}
