// SPDX-License-Identifier: MIT
#include "cli/sweep/outcome.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cli/inputs.h"
#include "cli/verb.h"
#include "image/display/display.h"
#include "output/contact_sheet.h"
#include "output/picture/png.h"
#include "work/sweep/plot.h"

// Results of a sweep side by side, as a PNG.

#define ODL_SHEET_SIDE 12

#define MOST_SIDE 256 // of a picture on the sheet

typedef struct {
  const OdlTable *table;
  OdlContactSheet *sheet;
  OdlRunner *runner;
  OdlDisplay display;
  guint columns, rows;
  double x, y; // centre of the part that is shown
} Sheet;

// The k-th of `shown` values that are evenly chosen among n.
static guint
choose (guint k, guint shown, guint n)
{
  return shown < 2 ? 0
                   : (guint) (((guint64) k * (n - 1) + (shown - 1) / 2) / (shown - 1));
}

// Which axis is across, and which one down, of filters the one that says which; −1: none.
static int
across (const OdlAxes *axes, guint number)
{
  return odl_axes_first_of (axes, number);
}

static int
down (const OdlAxes *axes)
{
  return axes->has_filters ? 0 : axes->varied->len > 1 ? 1 : -1;
}

static guint
axis_length (const OdlAxes *axes, int axis)
{
  return axis >= 0 ? odl_axes_at (axes, (guint) axis)->count : 1;
}

// The most values across that a row has.
static guint
most_across (const OdlAxes *axes)
{
  guint most = 1;

  for (guint i = 0; i < axes->n_recipes; i++)
    most = MAX (most, axis_length (axes, across (axes, i)));
  return most;
}

// The best point that has these values of the first two axes; the first one where none
// has a value.
static gint64
best_point (const OdlTable *table, guint first, guint second)
{
  const OdlAxes *axes = table->trial->axes;
  const guint number = axes->has_filters ? second : 0;
  gint64 from = axes->begins[number], best = -1;
  gint64 n
      = (axes->begins[number + 1] - from) / axis_length (axes, across (axes, number));

  from += first * n;
  if (!axes->has_filters) {
    n /= axis_length (axes, down (axes));
    from += second * n;
  }
  for (gint64 point = from; point < from + n; point++)
    if (best < 0
        || odl_trial_better (table->trial, odl_table_metric (table, point),
                             odl_table_metric (table, best)))
      best = point;
  return best;
}

// "threshold 0.05, levels 3", and the metric on a second line.
static char *
text_of (const OdlTable *table, const guint *indices, const char *name, double metric)
{
  const OdlTrial *trial = table->trial;
  const OdlScoreRow *row = &odl_scores[trial->metric];
  g_autoptr (GString) text = g_string_new (name);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; indices != NULL && i < trial->axes->varied->len; i++) {
    const OdlVaried *axis = odl_axes_at (trial->axes, i);
    if (!odl_axes_has (trial->axes, indices, i))
      continue;
    g_autofree char *value = odl_varied_text (axis, indices[i]);
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", axis->parameter->key,
                            value);
  }
  if (isfinite (metric))
    g_string_append_printf (text, "\n%s %s%s%s", _ (row->label),
                            g_ascii_formatd (number, sizeof number, row->format, metric),
                            *row->unit != '\0' ? " " : "", row->unit);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static bool
put (Sheet *self,
     guint column,
     guint row,
     const OdlImage *image,
     const char *text,
     GError **error)
{
  g_autoptr (OdlImage) shown = odl_display_render (image, &self->display, 8, error);

  if (shown == NULL)
    return false;
  odl_contact_sheet_put (self->sheet, (int) column, (int) row, shown, self->x, self->y,
                         text);
  return true;
}

// The picture as it came, and what it is compared with.
static bool
put_first_row (Sheet *self, GError **error)
{
  const OdlTrial *trial = self->table->trial;
  OdlScores scores;

  if (!odl_scores_measure (&scores, trial->image, trial->image, trial->reference,
                           &trial->regions, error))
    return false;
  g_autofree char *before
      = text_of (self->table, NULL, _ ("before"), scores.values[trial->metric]);
  if (!put (self, 0, 0, trial->image, before, error))
    return false;
  return trial->reference == NULL || self->columns < 2
         || put (self, 1, 0, trial->reference, _ ("reference"), error);
}

static bool
put_result (Sheet *self, guint column, guint row, GError **error)
{
  const OdlTable *table = self->table;
  const OdlTrial *trial = table->trial;
  const OdlAxes *axes = trial->axes;
  const guint second = choose (row, self->rows, axis_length (axes, down (axes)));
  const guint n_x = axis_length (axes, across (axes, axes->has_filters ? second : 0));
  guint indices[ODL_AXES_MOST];
  if (column >= MIN (n_x, ODL_SHEET_SIDE)) // of filters with fewer values
    return true;
  const gint64 point
      = best_point (table, choose (column, MIN (n_x, ODL_SHEET_SIDE), n_x), second);
  g_autoptr (OdlImage) result = NULL;
  g_autoptr (GError) refusal = NULL;
  OdlScores scores;

  odl_axes_indices (trial->axes, point, indices);
  const OdlRecipe recipe = odl_trial_recipe (trial, indices);
  g_autofree char *text = text_of (table, indices, NULL, odl_table_metric (table, point));
  // What cannot be computed leaves its place empty.
  return !odl_trial_run (trial, self->runner, &recipe, &scores, &result, &refusal)
         || put (self, column, row + 1, result, text, error);
}

static bool
fill (Sheet *self, GError **error)
{
  const guint columns = MIN (most_across (self->table->trial->axes), ODL_SHEET_SIDE);

  if (!put_first_row (self, error))
    return false;
  for (guint row = 0; row < self->rows; row++)
    for (guint column = 0; column < columns; column++)
      if (!put_result (self, column, row, error))
        return false;
  return true;
}

// The picture as it came and what it is compared with, then the results: a column for
// each value of the first parameter, a row for each of the second, at most
// ODL_SHEET_SIDE of each, evenly chosen; of further parameters the best values. Of
// filters in the place of one a row for each, over its own first parameter. Pixel by
// pixel, of large pictures the part about the region, or the middle. Results are computed
// again.
static bool
odl_sheet_write (OdlOutput *output, const OdlTable *table, GError **error)
{
  const OdlTrial *trial = table->trial;
  const OdlImageInfo *info = odl_image_info (trial->image);
  const OdlWindow window = { .mode = ODL_WINDOW_FILE };
  const OdlPoint *region = trial->regions.region.points;
  const bool named = trial->regions.used;
  Sheet self
      = { .table = table,
          .display = odl_display_make (info, &window, ODL_NO_DETAILS),
          .columns = MAX (MIN (most_across (trial->axes), ODL_SHEET_SIDE), 2),
          .rows = MIN (axis_length (trial->axes, down (trial->axes)), ODL_SHEET_SIDE),
          .x = named ? (region[0].x + region[1].x) / 2 : info->extent.x / 2.0,
          .y = named ? (region[0].y + region[1].y) / 2 : info->extent.y / 2.0 };
  g_autoptr (OdlRunner) runner = odl_trial_runner (trial, error);
  g_autoptr (OdlContactSheet) sheet
      = runner == NULL ? NULL
                       : odl_contact_sheet_new ((int) self.columns, (int) self.rows + 1,
                                                MIN (info->extent.x, MOST_SIDE),
                                                MIN (info->extent.y, MOST_SIDE), error);

  if (sheet == NULL)
    return false;
  self.sheet = sheet;
  self.runner = runner;
  return fill (&self, error)
         && odl_png_encode (output, odl_contact_sheet_image (sheet),
                            "sweep; processed, not for diagnostic use", NULL, error);
}

// ---- what is said and written --------------------------------------------------------

static bool
has_other_ending (const char *path, const char *ending)
{
  g_autofree char *lower = path != NULL ? g_ascii_strdown (path, -1) : NULL;

  return lower != NULL && !g_str_has_suffix (lower, ending);
}

bool
odl_outcome_check_names (const OdlOutcomeParams *params)
{
  OdlDrawingFormat format;

  if ((params->plot == NULL || odl_drawing_format (params->plot, &format))
      && !has_other_ending (params->sheet, ".png"))
    return true;
  odl_report_usage (_ ("--plot writes %s, and --sheet a PNG. Name files that end so."),
                    ODL_DRAWING_NAMES);
  return false;
}

bool
odl_outcome_check (const OdlOutcomeParams *params,
                   const OdlTrial *trial,
                   GHashTable *inputs,
                   GError **error)
{
  const char *const outputs[] = { params->plot, params->sheet };

  if (params->plot != NULL && !odl_plot_check (trial, error))
    return false;
  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++)
    if (outputs[i] != NULL
        && !odl_output_check (inputs, outputs[i], params->replace, error))
      return false;
  return true;
}

void
odl_outcome_report_ends (const OdlTrial *trial, const guint *indices)
{
  for (guint i = 0; i < trial->axes->varied->len; i++) {
    const OdlVaried *axis = odl_axes_at (trial->axes, i);
    if (!odl_axes_goes_on (trial->axes, indices, i))
      continue;
    g_autofree char *value = odl_varied_text (axis, indices[i]);
    g_autofree char *text = g_strdup_printf (
        // Translators: a parameter and its value.
        _ ("The best %s, %s, lies at the end of its range: a better one may lie beyond."),
        axis->name, value);
    odl_report_note (NULL, text);
  }
}

void
odl_outcome_print_best (const OdlTable *table, bool beside)
{
  const OdlTrial *trial = table->trial;
  const OdlScoreRow *row = &odl_scores[trial->metric];
  guint indices[ODL_AXES_MOST];
  gint64 best = -1;

  for (gint64 i = 0; i < table->points; i++)
    if (table->done[i]
        && odl_trial_better (trial, table->metric[i],
                             best >= 0 ? table->metric[best] : NAN))
      best = i;
  if (best < 0)
    return;
  odl_axes_indices (trial->axes, best, indices);
  const OdlRecipe recipe = odl_trial_recipe (trial, indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (number, sizeof number, row->format, table->metric[best]);
  g_autofree char *line = g_strdup_printf (
      // Translators: a metric such as PSNR, its value and unit, and a recipe.
      _ ("best %s: %s%s%s with %s\n"), _ (row->label),
      isinf (table->metric[best]) ? _ ("infinite") : number,
      *row->unit != '\0' ? " " : "", row->unit, words);
  if (beside)
    g_printerr ("%s", line);
  else
    g_print ("%s", line);
  odl_outcome_report_ends (trial, indices);
}

static bool
write_plot (const OdlOutcomeParams *params,
            const OdlTable *table,
            OdlOutput *output,
            GError **error)
{
  OdlDrawingFormat format = ODL_DRAWING_SVG;

  odl_drawing_format (params->plot, &format);
  return odl_plot_write (output, format, table, error);
}

static bool
write_sheet (const OdlOutcomeParams *params,
             const OdlTable *table,
             OdlOutput *output,
             GError **error)
{
  return odl_sheet_write (output, table, error);
}

typedef bool (*Writer) (const OdlOutcomeParams *params,
                        const OdlTable *table,
                        OdlOutput *output,
                        GError **error);

static bool
write_file (const OdlOutcomeParams *params,
            const char *path,
            Writer writer,
            const OdlTable *table,
            GError **error)
{
  OdlOutput output;

  if (path == NULL)
    return true;
  if (!(params->replace ? odl_output_open (params->guard, path, &output, error)
                        : odl_output_open_new (params->guard, path, &output, error)))
    return false;
  return odl_output_end (&output, writer (params, table, &output, error), error);
}

bool
odl_outcome_write (const OdlOutcomeParams *params, const OdlTable *table, GError **error)
{
  return write_file (params, params->plot, write_plot, table, error)
         && write_file (params, params->sheet, write_sheet, table, error);
}
