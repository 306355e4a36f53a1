// SPDX-License-Identifier: MIT
#include "work/sweep/table.h"

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
  for (guint i = 0; i < trial->axes->varied->len; i++)
    g_string_append_printf (text, ",%s", odl_axes_at (trial->axes, i)->name);
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
    g_string_append_printf (text, "\"%s\",\"%s\",", trial->params->region,
                            trial->params->background);
  for (guint i = 0; i < trial->axes->varied->len; i++) {
    g_autofree char *typed
        = odl_axes_has (trial->axes, indices, i)
              ? odl_varied_text (odl_axes_at (trial->axes, i), indices[i])
              : g_strdup ("");
    g_autofree char *value = cell (typed);
    g_string_append_printf (text, "%s,", value);
  }
}

// The end of a row: what makes the picture, as it was asked for.
static void
append_recipe (GString *text, const OdlTable *table, const guint *indices)
{
  const OdlRecipe recipe = odl_trial_recipe (table->trial, indices);
  g_autofree char *words = odl_recipe_to_text (&recipe, " ");
  g_autofree char *quoted = cell (words);

  g_string_append_printf (text, "%s\n", quoted);
}

static void
append_row (GString *text, const OdlTable *table, gint64 point, const OdlScores *scores)
{
  guint indices[ODL_AXES_MOST];

  odl_axes_indices (table->trial->axes, point, indices);
  append_place (text, table, point, indices);
  for (int i = 0; i < ODL_N_SCORES; i++) {
    g_autofree char *value = odl_score_to_cell (scores->values[i]);
    if (odl_trial_has (table->trial, i))
      g_string_append_printf (text, "%s,", value);
  }
  append_recipe (text, table, indices);
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

// Neither a file nor room for what is done.
static OdlTable
table_of (const OdlTrial *trial)
{
  g_autofree char *model = odl_noise_model_to_text (&trial->noise);

  return (OdlTable){ .trial = trial,
                     .fd = -1,
                     .points = (gint64) odl_axes_points (trial->axes),
                     .input = name_cell (trial->params->input),
                     .noise = cell (model),
                     .reference = name_cell (trial->params->reference) };
}

// Everything but the file.
static bool
init (OdlTable *table, const OdlTrial *trial, GError **error)
{
  *table = table_of (trial);
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

  append_row (row, table, point, scores);
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

bool
odl_table_export (const OdlTrial *trial,
                  const gint64 *points,
                  const OdlScores *scores,
                  gsize n,
                  OdlOutput *output,
                  GError **error)
{
  g_auto (OdlTable) table = table_of (trial);
  g_autofree char *header = header_of (trial);
  bool done = odl_output_write (output, header, strlen (header), error);

  for (gsize i = 0; i < n && done; i++) {
    g_autoptr (GString) row = g_string_new (NULL);
    append_row (row, &table, points[i], &scores[i]);
    done = odl_output_write (output, row->str, row->len, error);
  }
  return done;
}
