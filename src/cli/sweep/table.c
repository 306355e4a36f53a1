// SPDX-License-Identifier: MIT
#include "cli/sweep/table.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "source/source_file.h"

// Longer lines are none of ours: a recipe has at most 16 filters.
#define MOST_LINE ((size_t) 1 << 20)
#define CHUNK ((size_t) 1 << 16)

// `what` is translated, and no full stop ends it.
static bool
io_error (const OdlTable *table, const char *what, int code, GError **error)
{
  return odl_error_set (error, ODL_ERROR_IO, "%s: %s (%s).", table->shown, what,
                        g_strerror (code));
}

// ---- cells ---------------------------------------------------------------------------

// RFC 4180. Names of files may hold anything; a row is one line.
static char *
cell (const char *text)
{
  g_autofree char *line = odl_text_in_one_line (text);

  if (strpbrk (line, ",\"") == NULL)
    return g_steal_pointer (&line);
  g_auto (GStrv) parts = g_strsplit (line, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);
  return g_strconcat ("\"", doubled, "\"", NULL);
}

static char *
name_cell (const char *name)
{
  g_autofree char *shown = name == NULL ? g_strdup ("")
                           : odl_source_file_is_standard_input (name)
                               ? g_strdup ("-") // wherever the stream is kept
                               : g_filename_display_name (name);

  return cell (shown);
}

static char *
header_of (const OdlTrial *trial)
{
  GString *text = g_string_new ("point,input,frame,noise,reference");

  if (trial->regions.used)
    g_string_append (text, ",region,background");
  for (guint i = 0; i < trial->axes->len; i++)
    g_string_append_printf (
        text, ",%s", ((const OdlVaried *) g_ptr_array_index (trial->axes, i))->name);
  for (int i = 0; i < ODL_N_SCORES; i++)
    if (odl_trial_has (trial, i))
      g_string_append_printf (text, ",%s", odl_scores[i].name);
  g_string_append (text, ",recipe\n");
  return g_string_free (text, FALSE);
}

// The beginning of a row, up to its scores.
static void
append_place (GString *text, const OdlTable *table, gint64 point, const guint *indices)
{
  const OdlTrial *trial = table->trial;

  g_string_append_printf (text, "%" PRId64 ",%s,%s,%s,%s,", point + 1, table->input,
                          trial->pictures.range, table->noise, table->reference);
  if (trial->regions.used)
    g_string_append_printf (text, "\"%s\",\"%s\",", trial->options->region,
                            trial->options->background);
  for (guint i = 0; i < trial->axes->len; i++) {
    const OdlVaried *axis = g_ptr_array_index (trial->axes, i);
    g_autofree char *typed = odl_varied_text (axis, indices[i]);
    g_autofree char *value = cell (typed);
    g_string_append_printf (text, "%s,", value);
  }
}

// The end of a row: what makes the picture, as it was asked for.
static void
append_recipe (GString *text, const OdlTable *table, const guint *indices)
{
  const OdlRecipe recipe
      = odl_axes_recipe (table->trial->axes, &table->trial->recipe, indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  g_autofree char *quoted = cell (words);

  g_string_append_printf (text, "%s\n", quoted);
}

// ---- rows that are there -------------------------------------------------------------

// Reads the scores from `cells`, which end with the comma before the recipe; *metric is
// that of the trial. Returns what follows; NULL: these are no scores.
static const char *
read_scores (const OdlTrial *trial, const char *cells, double *metric)
{
  for (int i = 0; i < ODL_N_SCORES; i++) {
    if (!odl_trial_has (trial, i))
      continue;
    const char *end = strchr (cells, ',');
    if (end == NULL)
      return NULL;
    g_autofree char *text = g_strndup (cells, (gsize) (end - cells));
    const double value = odl_score_from_cell (text);
    if (*text != '\0' && isnan (value))
      return NULL;
    if (i == trial->metric)
      *metric = value;
    cells = end + 1;
  }
  return cells;
}

// The point of a row, and its metric. `line` ends with a newline. −1: it is no row of
// this sweep.
static gint64
point_of (const OdlTable *table, const char *line, double *metric)
{
  guint indices[ODL_AXES_MOST];
  char *end = NULL;
  const gint64 point = g_ascii_strtoll (line, &end, 10) - 1;

  if (end == line || point < 0 || point >= table->points)
    return -1;
  odl_axes_indices (table->trial->axes, point, indices);
  g_autoptr (GString) place = g_string_new (NULL), recipe = g_string_new (NULL);
  append_place (place, table, point, indices);
  append_recipe (recipe, table, indices);
  if (!g_str_has_prefix (line, place->str))
    return -1;
  const char *rest = read_scores (table->trial, line + place->len, metric);
  return rest != NULL && g_str_equal (rest, recipe->str) ? point : -1;
}

// `line` ends with a newline. False: it is no row of this table.
static bool
read_row (OdlTable *table, const char *line)
{
  double metric = NAN;
  const gint64 point = point_of (table, line, &metric);

  if (point < 0)
    return false;
  if (table->places != NULL) {
    if (point % table->shards != table->shard)
      table->problem = _ ("this row is of another shard. Make this part anew, under "
                          "another name");
    else if (table->done[point])
      table->problem = _ ("this point was there before. Delete one of the two lines");
    if (table->problem != NULL)
      return false;
    table->places[point] = table->bytes;
  }
  if (!table->done[point])
    table->n_done++;
  table->done[point] = true;
  table->metric[point] = metric;
  return true;
}

static bool
other_table (const OdlTable *table, gint64 line, GError **error)
{
  if (table->problem != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO, _ ("%s: line %" PRId64 ": %s."),
                 table->shown, line, table->problem);
  else if (line == 1 && table->places != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: the first line is not the header of this sweep. It is a part of "
                    "another one."),
                 table->shown);
  else if (line == 1)
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: this file is there already, and its first line is not the "
                    "header of this sweep. Choose another name."),
                 table->shown);
  else if (table->places != NULL)
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: line %" PRId64 " is no row of this sweep: another input, noise, "
                    "filter or grid made it. Make this part anew, under another name."),
                 table->shown, line);
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
                 _ ("%s: line %" PRId64 " is no row of this sweep: another input, noise, "
                    "filter or grid made it. Choose another name."),
                 table->shown, line);
  return false;
}

// Goes through the whole lines of the file; what follows the last one is torn.
static bool
read_rows (OdlTable *table, const char *header, GError **error)
{
  g_autoptr (GString) rest = g_string_new (NULL);
  g_autofree char *chunk = g_malloc (CHUNK);
  gint64 line = 0;
  ssize_t n;

  while ((n = read (table->fd, chunk, CHUNK)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return io_error (table, _ ("this file cannot be read"), errno, error);
    g_string_append_len (rest, chunk, n);
    gsize from = 0;
    char *end;
    while ((end = memchr (rest->str + from, '\n', rest->len - from)) != NULL) {
      const gsize length = (gsize) (end + 1 - rest->str) - from;
      g_autofree char *text = g_strndup (rest->str + from, length);
      if (strlen (text) != length
          || !(line == 0 ? g_str_equal (text, header) : read_row (table, text)))
        return other_table (table, line + 1, error);
      line++;
      from += length;
      table->bytes += (gint64) length;
    }
    g_string_erase (rest, 0, (gssize) from);
    if (rest->len > MOST_LINE)
      return other_table (table, line + 1, error);
  }
  // A torn header is ours only as far as it goes.
  if (line == 0 && rest->len > 0 && !g_str_has_prefix (header, rest->str))
    return other_table (table, 1, error);
  return true;
}

// ---- writing -------------------------------------------------------------------------

// In one call, unless the disk fills: then what was written is taken back.
static bool
write_whole (OdlTable *table, const char *text, size_t size, GError **error)
{
  size_t written = 0;
  int code = 0;

  while (written < size && code == 0) {
    const ssize_t n = write (table->fd, text + written, size - written);
    if (n > 0)
      written += (size_t) n;
    else if (n == 0 || errno != EINTR)
      code = n == 0 ? ENOSPC : errno;
  }
  if (code == 0) {
    table->bytes += (gint64) size;
    return true;
  }
  // If this fails, too, the next call cuts the torn line.
  if (table->regular && ftruncate (table->fd, table->bytes) != 0)
    g_debug ("the torn line stays");
  return io_error (table,
                   _ ("this row cannot be written; the rows before it stay. Make room, "
                      "and call again to continue"),
                   code, error);
}

static bool
begin (OdlTable *table, GError **error)
{
  g_autofree char *header = header_of (table->trial);
  struct stat status;

  if (fstat (table->fd, &status) != 0)
    return io_error (table, _ ("this file cannot be read"), errno, error);
  table->regular = S_ISREG (status.st_mode);
  if (table->regular && flock (table->fd, LOCK_EX | LOCK_NB) != 0)
    return io_error (table,
                     _ ("another sweep is writing this file. Wait for its end, or "
                        "choose another name"),
                     errno, error);
  if (table->regular) {
    if (!read_rows (table, header, error))
      return false;
    if (ftruncate (table->fd, table->bytes) != 0)
      return io_error (table, _ ("this file cannot be written"), errno, error);
  }
  return table->bytes > 0 || write_whole (table, header, strlen (header), error);
}

// Everything but the file.
static bool
init (OdlTable *table, const OdlTrial *trial, GError **error)
{
  const OdlProcessOptions *process = &trial->options->process;
  g_autofree char *model = odl_noise_model_to_text (&trial->noise);

  *table = (OdlTable){ .trial = trial,
                       .fd = -1,
                       .points = (gint64) odl_axes_points (trial->axes),
                       .input = name_cell (process->inputs[0]),
                       .noise = cell (model),
                       .reference = name_cell (process->reference) };
  // Zeroed pages take no memory until a point of theirs is done.
  table->metric = g_try_new0 (double, table->points);
  table->done = g_try_new0 (bool, table->points);
  if (table->metric != NULL && table->done != NULL)
    return true;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("not enough memory for %" PRId64 " points. Vary less."),
                        table->points);
}

bool
odl_table_open (OdlTable *table, const OdlTrial *trial, const char *path, GError **error)
{
  if (!init (table, trial, error))
    return false;
  table->shown = g_filename_display_name (path);
  // Devices and pipes may not be readable.
  table->fd = open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (table->fd < 0)
    table->fd = open (path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (table->fd < 0)
    return io_error (table,
                     _ ("this file cannot be written. Choose another name for --csv"),
                     errno, error);
  return begin (table, error);
}

// ---- joined from parts ---------------------------------------------------------------

// Points whose rows are gathered, each part being opened once for them, and then written.
#define BLOCK ((gint64) 1 << 16)

bool
odl_table_begin (OdlTable *table, const OdlTrial *trial, GError **error)
{
  if (!init (table, trial, error))
    return false;
  table->places = g_try_new0 (gint64, table->points);
  return table->places != NULL
         || odl_error_set (error, ODL_ERROR_TOO_LARGE,
                           _ ("not enough memory for %" PRId64 " points. Vary less."),
                           table->points);
}

// A regular file that no sweep is writing. −1: *error is set.
static int
open_part (OdlTable *table, const char *path, GError **error)
{
  struct stat status;
  const int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const int code = errno;

  g_free (table->shown);
  table->shown = g_filename_display_name (path);
  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    io_error (table, _ ("this file cannot be read"), fd < 0 ? code : EINVAL, error);
  else if (flock (fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    io_error (table, _ ("a sweep is writing this part. Wait for its end"), errno, error);
  else
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

bool
odl_table_read_part (OdlTable *table,
                     const char *path,
                     gint64 shard,
                     gint64 shards,
                     GError **error)
{
  g_autofree char *header = header_of (table->trial);

  table->shard = shard;
  table->shards = shards;
  table->bytes = 0;
  table->fd = open_part (table, path, error);
  if (table->fd < 0)
    return false;
  const bool done = read_rows (table, header, error);
  close (table->fd);
  table->fd = -1;
  return done;
}

// The rows of a part from point `from` to before `to`.
static bool
gather_rows (OdlTable *table,
             const char *path,
             gint64 from,
             gint64 to,
             GString **rows,
             GError **error)
{
  const int fd = open_part (table, path, error);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;
  const gint64 first
      = from + (table->shard - from % table->shards + table->shards) % table->shards;
  bool good = file != NULL;
  gint64 at = 0;

  for (gint64 point = first; good && point < to; point += table->shards) {
    GString *row = rows[point - from];
    int c = 0;
    good = at == table->places[point]
           || fseeko (file, table->places[point], SEEK_SET) == 0;
    while (good && c != '\n' && row->len < MOST_LINE && (c = getc (file)) != EOF)
      g_string_append_c (row, (char) c);
    at = table->places[point] + (gint64) row->len;
    // The rest of the row was looked at when it was read.
    good = good && c == '\n' && g_ascii_strtoll (row->str, NULL, 10) == point + 1;
  }
  if (file != NULL)
    fclose (file);
  if (!good && fd >= 0)
    io_error (table, _ ("this part changed while it was read. Try again"), EIO, error);
  return good;
}

static bool
write_block (OdlTable *table,
             GHashTable *paths,
             gint64 from,
             OdlOutput *output,
             GError **error)
{
  const gint64 to = MIN (from + BLOCK, table->points);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  GHashTableIter iter;
  void *shard, *path;
  bool done = true;

  for (gint64 point = from; point < to; point++)
    g_ptr_array_add (rows, g_string_new (NULL));
  g_hash_table_iter_init (&iter, paths);
  while (done && g_hash_table_iter_next (&iter, &shard, &path)) {
    table->shard = *(gint64 *) shard;
    done = gather_rows (table, path, from, to, (GString **) rows->pdata, error);
  }
  for (guint i = 0; i < rows->len; i++) {
    GString *row = rows->pdata[i];
    done = done && odl_output_write (output, row->str, row->len, error);
    g_string_free (row, TRUE);
  }
  return done;
}

bool
odl_table_write (OdlTable *table, GHashTable *paths, OdlOutput *output, GError **error)
{
  g_autofree char *header = header_of (table->trial);
  bool done = odl_output_write (output, header, strlen (header), error);

  for (gint64 from = 0; done && from < table->points; from += BLOCK)
    done = write_block (table, paths, from, output, error);
  return done;
}

void
odl_table_clear (OdlTable *table)
{
  if (table->fd >= 0 && table->shown != NULL)
    close (table->fd);
  g_clear_pointer (&table->shown, g_free);
  g_clear_pointer (&table->input, g_free);
  g_clear_pointer (&table->noise, g_free);
  g_clear_pointer (&table->reference, g_free);
  g_clear_pointer (&table->metric, g_free);
  g_clear_pointer (&table->done, g_free);
  g_clear_pointer (&table->places, g_free);
}

double
odl_table_metric (const OdlTable *table, gint64 point)
{
  return table->done[point] ? table->metric[point] : NAN;
}

bool
odl_table_add (OdlTable *table, gint64 point, const OdlScores *scores, GError **error)
{
  g_autoptr (GString) row = g_string_new (NULL);
  guint indices[ODL_AXES_MOST];

  odl_axes_indices (table->trial->axes, point, indices);
  append_place (row, table, point, indices);
  for (int i = 0; i < ODL_N_SCORES; i++) {
    g_autofree char *value = odl_score_to_cell (scores->values[i]);
    if (odl_trial_has (table->trial, i))
      g_string_append_printf (row, "%s,", value);
  }
  append_recipe (row, table, indices);
  if (!write_whole (table, row->str, row->len, error))
    return false;
  table->done[point] = true;
  table->n_done++;
  table->metric[point] = scores->values[table->trial->metric];
  return true;
}

bool
odl_table_sync (OdlTable *table, GError **error)
{
  return !table->regular || fsync (table->fd) == 0
         || io_error (table, _ ("this file cannot be written"), errno, error);
}

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
  g_autofree char *name = g_filename_display_basename (trial->options->process.inputs[0]);
  const char *noise = trial->options->process.noise;

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
