// SPDX-License-Identifier: MIT
#include "engine/bench_plot.h"

#include <math.h>
#include <string.h>

#include "engine/bench_published.h"
#include "engine/bench_tables.h"
#include "engine/bench_text.h"

#define WIDTH 1000
#define LEFT 80
#define RIGHT 660 // of the diagrams; labels stand to the right of it
#define PANEL 400
#define TOP 80
#define GAP 90
#define FOOT (TOP + 2 * PANEL + GAP + 64)
#define MOST_CURVES 32
#define LABEL_STEP 15

// Colours that people with colour blindness can tell apart (Okabe and Ito 2008).
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000", "#8c6d1f" };

typedef struct {
  char *label;
  const char *colour;
  bool ours;
  int n;
  double side[ODL_BENCH_MOST_COLUMNS];
  double ms[ODL_BENCH_MOST_COLUMNS];
} Curve;

typedef struct {
  Curve curves[MOST_CURVES];
  int n;
} Curves;

typedef double (*Value) (double side, double ms);

// One diagram.
typedef struct {
  const char *title, *unit;
  Value value;
  int top;
  double side_low, side_high; // powers of two
  double low, high; // powers of ten
} Panel;

static double
elements_per_us (double side, double ms)
{
  return side * side / (ms * 1e3);
}

static double
milliseconds (double side, double ms)
{
  return ms;
}

static void
add_point (Curve *curve, double side, double ms)
{
  if (ms <= 0 || curve->n == ODL_BENCH_MOST_COLUMNS)
    return;
  curve->side[curve->n] = side;
  curve->ms[curve->n++] = ms;
}

static double
resident_ms (const OdlBenchCase *one)
{
  return one->stats[ODL_BENCH_RESIDENT].median_ms;
}

// What `ms` says of each line, where it says something.
static void
add_lines (Curves *curves,
           const OdlBenchResult *result,
           double (*ms) (const OdlBenchCase *one),
           const char *suffix)
{
  const OdlBenchSides sides = odl_bench_sides (result);
  g_autoptr (GArray) lines = odl_bench_lines (result, &sides);

  for (guint i = 0; i < lines->len && curves->n < MOST_CURVES; i++) {
    const OdlBenchLine *line = &g_array_index (lines, OdlBenchLine, i);
    Curve *curve = &curves->curves[curves->n];

    if (strstr (line->name, " mono-32") == NULL)
      continue;
    *curve
        = (Curve){ .ours = true, .colour = colours[curves->n % G_N_ELEMENTS (colours)] };
    for (int s = 0; s < sides.n; s++)
      if (line->cases[s] != NULL)
        add_point (curve, sides.sides[s], ms (line->cases[s]));
    if (curve->n == 0)
      continue;
    curve->label = g_strconcat (line->name, suffix, NULL);
    curves->n++;
  }
}

// `elements`: the values are elements per microsecond, else milliseconds.
static void
add_others (Curves *curves,
            const OdlBenchPublished *rows,
            int n,
            bool elements,
            const char *format)
{
  for (int i = 0; i < n && curves->n < MOST_CURVES; i++) {
    Curve *curve = &curves->curves[curves->n];
    const int channels = rows[i].channels == 3 ? 4 : 1;

    // Colour pictures count as many elements: they stand for grey ones of as many.
    if (channels > 1 && !g_str_has_prefix (rows[i].name, "previous"))
      continue;
    if (strstr (rows[i].name, "-16") != NULL)
      continue;
    *curve = (Curve){ .colour = "#777777" };
    for (int s = 0; s < ODL_BENCH_PUBLISHED_SIZES; s++) {
      const double side = odl_bench_published_sides[s], value = rows[i].values[s];
      if (value > 0)
        add_point (curve, side, elements ? side * side / (value * 1e3) : value);
    }
    GString *label = g_string_new (format);
    g_string_replace (label, "%", rows[i].name, 1);
    curve->label = g_string_free (label, FALSE);
    curves->n++;
  }
}

static double
place_x (const Panel *panel, double side)
{
  return LEFT
         + (RIGHT - LEFT) * log (side / panel->side_low)
               / log (panel->side_high / panel->side_low);
}

static double
place_y (const Panel *panel, double value)
{
  return panel->top
         + PANEL * (1 - log (value / panel->low) / log (panel->high / panel->low));
}

static void
fit_axes (Panel *panel, const Curves *curves)
{
  // There is a curve, or nothing is drawn, and it has a point.
  const Curve *first = &curves->curves[0];
  double low = panel->value (first->side[0], first->ms[0]), high = low;
  double side_low = first->side[0], side_high = side_low;

  for (int i = 0; i < curves->n; i++)
    for (int p = 0; p < curves->curves[i].n; p++) {
      const Curve *curve = &curves->curves[i];
      const double value = panel->value (curve->side[p], curve->ms[p]);
      low = fmin (low, value);
      high = fmax (high, value);
      side_low = fmin (side_low, curve->side[p]);
      side_high = fmax (side_high, curve->side[p]);
    }
  panel->low = pow (10, floor (log10 (low)));
  panel->high = fmax (pow (10, ceil (log10 (high))), 10 * panel->low);
  panel->side_low = pow (2, floor (log2 (side_low)));
  panel->side_high = fmax (pow (2, ceil (log2 (side_high))), 2 * panel->side_low);
}

static void
append_axes (GString *out, const Panel *panel)
{
  const int bottom = panel->top + PANEL;

  odl_bench_append (out, "<text x=\"%d\" y=\"%d\" class=\"title\">%s</text>\n", LEFT,
                    panel->top - 14, panel->title);
  for (double side = panel->side_low; side <= panel->side_high * 1.01; side *= 2) {
    const double x = place_x (panel, side);
    odl_bench_append (out, "<path d=\"M%.1f %d V%d\" class=\"grid\"/>\n", x, panel->top,
                      bottom);
    odl_bench_append (out,
                      "<text x=\"%.1f\" y=\"%d\" class=\"tick\" "
                      "text-anchor=\"middle\">%.0f</text>\n",
                      x, bottom + 18, side);
  }
  for (double value = panel->low; value <= panel->high * 1.01; value *= 10) {
    const double y = place_y (panel, value);
    odl_bench_append (out, "<path d=\"M%d %.1f H%d\" class=\"grid\"/>\n", LEFT, y, RIGHT);
    odl_bench_append (out,
                      "<text x=\"%d\" y=\"%.1f\" class=\"tick\" "
                      "text-anchor=\"end\">%g</text>\n",
                      LEFT - 8, y + 4, value);
  }
  odl_bench_append (out,
                    "<text x=\"%d\" y=\"%d\" class=\"tick\" "
                    "text-anchor=\"middle\">side of the picture, pixels</text>\n",
                    (LEFT + RIGHT) / 2, bottom + 38);
  odl_bench_append (out,
                    "<text transform=\"translate(%d %d) rotate(-90)\" class=\"tick\" "
                    "text-anchor=\"middle\">%s</text>\n",
                    24, panel->top + PANEL / 2, panel->unit);
}

// Labels stand beside the last points of their curves, moved apart where they would
// touch.
static void
place_labels (const Panel *panel, const Curves *curves, double *y)
{
  int order[MOST_CURVES];

  for (int i = 0; i < curves->n; i++) {
    const Curve *curve = &curves->curves[i];
    int k = i;
    y[i] = place_y (panel,
                    panel->value (curve->side[curve->n - 1], curve->ms[curve->n - 1]));
    for (; k > 0 && y[order[k - 1]] > y[i]; k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  double next = panel->top + 4;
  for (int k = 0; k < curves->n; k++) {
    // Room for those that follow.
    const double most = panel->top + PANEL + 30 - (curves->n - 1 - k) * LABEL_STEP;
    y[order[k]] = fmin (fmax (y[order[k]] + 4, next), most);
    next = y[order[k]] + LABEL_STEP;
  }
}

static void
append_curve (GString *out, const Panel *panel, const Curve *curve, double label_y)
{
  double x = 0, y = 0;

  odl_bench_append (out, "<path class=\"%s\" stroke=\"%s\" d=\"",
                    curve->ours ? "ours" : "other", curve->colour);
  for (int p = 0; p < curve->n; p++) {
    x = place_x (panel, curve->side[p]);
    y = place_y (panel, panel->value (curve->side[p], curve->ms[p]));
    odl_bench_append (out, "%s%.1f %.1f", p == 0 ? "M" : " L", x, y);
  }
  odl_bench_append (out, "\"/>\n");
  for (int p = 0; p < curve->n; p++)
    odl_bench_append (out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>\n",
                      place_x (panel, curve->side[p]),
                      place_y (panel, panel->value (curve->side[p], curve->ms[p])),
                      curve->ours ? "3" : "2", curve->colour);
  odl_bench_append (out, "<path class=\"lead\" d=\"M%.1f %.1f L%d %.1f\"/>\n", x + 4, y,
                    RIGHT + 14, label_y - 4);
  g_autofree char *label = g_markup_escape_text (curve->label, -1);
  odl_bench_append (out,
                    "<text x=\"%d\" y=\"%.1f\" class=\"label\" fill=\"%s\">%s</text>\n",
                    RIGHT + 18, label_y, curve->colour, label);
}

static void
append_panel (GString *out, Panel panel, const Curves *curves)
{
  double labels[MOST_CURVES];

  fit_axes (&panel, curves);
  append_axes (out, &panel);
  place_labels (&panel, curves, labels);
  for (int i = 0; i < curves->n; i++)
    append_curve (out, &panel, &curves->curves[i], labels[i]);
}

static void
append_head (GString *out, const OdlBenchResult *result)
{
  const OdlBenchMachine *machine = &result->machine;
  const int height = FOOT + 30;
  g_autofree char *text
      = g_strdup_printf ("%s, %d cores%s%s; %s; %.10s", machine->cpu, machine->cores,
                         *machine->gl_renderer != '\0' ? "; " : "", machine->gl_renderer,
                         machine->compiler, machine->date);
  g_autofree char *shown = g_markup_escape_text (text, -1);

  odl_bench_append (
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
      "width=\"%d\" height=\"%d\">\n"
      "<style>text{font-family:sans-serif;font-size:12px}"
      ".title{font-size:14px;font-weight:bold}.tick{fill:#333333}"
      ".label{font-size:11px}.note{font-size:10px}.grid{stroke:#dddddd;fill:none}"
      ".lead{stroke:#cccccc;fill:none}.ours{fill:none;stroke-width:2}"
      ".other{fill:none;stroke-width:1.2;stroke-dasharray:5 3}</style>\n"
      "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
      WIDTH, height, WIDTH, height, WIDTH, height);
  odl_bench_append (out,
                    "<text x=\"%d\" y=\"22\" class=\"title\">Analysis, wavelet "
                    "shrinkage, synthesis of grey pictures, 32 bit</text>\n",
                    LEFT);
  odl_bench_append (out, "<text x=\"%d\" y=\"40\">%s</text>\n", LEFT, shown);
}

char *
odl_bench_to_svg (const OdlBenchResult *result)
{
  g_autofree Curves *curves = g_new0 (Curves, 1);
  GString *out = g_string_new (NULL);

  add_lines (curves, result, odl_bench_frame_ms, "");
  add_lines (curves, result, resident_ms, ", data resident");
  if (curves->n == 0) {
    g_string_free (out, TRUE);
    return NULL;
  }
  add_others (curves, odl_bench_published_elements, ODL_BENCH_N_PUBLISHED_ELEMENTS, true,
              "2007: %");
  add_others (curves, odl_bench_peers, ODL_BENCH_N_PEERS, false, "%");
  append_head (out, result);
  append_panel (out,
                (Panel){ .title = "Throughput (higher is better)",
                         .unit = "elements per microsecond",
                         .value = elements_per_us,
                         .top = TOP },
                curves);
  append_panel (out,
                (Panel){ .title = "Time of a frame, upload included but where data is "
                                  "resident (lower is better)",
                         .unit = "milliseconds",
                         .value = milliseconds,
                         .top = TOP + PANEL + GAP },
                curves);
  odl_bench_append (out,
                    "<text x=\"%d\" y=\"%d\" class=\"note\">Dashed: %s.</text>\n"
                    "<text x=\"%d\" y=\"%d\" class=\"note\">%s.</text>\n",
                    LEFT, FOOT, odl_bench_published_filter_source, LEFT,
                    FOOT + LABEL_STEP, odl_bench_peers_source);
  g_string_append (out, "</svg>\n");
  for (int i = 0; i < curves->n; i++)
    g_free (curves->curves[i].label);
  return g_string_free (out, FALSE);
}
