// SPDX-License-Identifier: MIT
#include "cli/process/log.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/shard.h"
#include "cli/verb.h"
#include "source/source_file.h"
#include "source/source_files.h"

#define HEADER "number,input,output,state,said\n"
#define MOST_BYTES ((gint64) 1 << 30)
#define MOST_NAMED 20 // commands; a thousand would hide the first one
#define BEFORE "ondelette-cli: " // of each message

static bool
io_error (const char *shown, const char *what, int code, GError **error)
{
  return odl_error_set (error, ODL_ERROR_IO, "%s: %s (%s).", shown, what,
                        g_strerror (code));
}

// ---- reading -------------------------------------------------------------------------

// The text of an open log; NULL: *error is set.
static char *
read_text (int fd, const char *shown, GError **error)
{
  struct stat status;

  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode)
      || status.st_size > MOST_BYTES) {
    io_error (shown, _ ("this is no log of “process”"), EINVAL, error);
    return NULL;
  }
  g_autofree char *text = g_malloc0 ((gsize) status.st_size + 1);
  for (gsize size = 0; size < (gsize) status.st_size;) {
    const ssize_t n = read (fd, text + size, (gsize) status.st_size - size);
    if (n <= 0 && (n == 0 || errno != EINTR))
      break;
    size += n > 0 ? (gsize) n : 0;
  }
  return g_steal_pointer (&text);
}

// The number of the row that `line` is, which ends with a newline; 0: it is none. *state
// is its fourth cell.
static gint64
number_of (const char *line, const char *end, char *state, gsize size)
{
  gint64 number = 0;
  bool quoted = false;
  int cell = 0;
  gsize length = 0;

  for (const char *c = line; c < end; c++) {
    quoted ^= *c == '"';
    if (*c == ',' && !quoted)
      cell++;
    else if (cell == 0 && g_ascii_isdigit (*c) && number < G_MAXINT32)
      number = 10 * number + (*c - '0');
    else if (cell == 0)
      return 0;
    else if (cell == 3 && length + 1 < size)
      state[length++] = *c;
  }
  state[length] = '\0';
  return cell == 4 && !quoted
                 && (g_str_equal (state, "done") || g_str_equal (state, "damaged")
                     || g_str_equal (state, "failed"))
             ? number
             : 0;
}

// Goes through the rows; what follows the last newline is torn. `row` gets each, without
// its newline. Returns how many bytes are whole; −1: *error is set.
typedef bool (*Row) (gint64 number, const char *state, char *line, void *data);

static gssize
each_row (char *text, const char *shown, Row row, void *data, GError **error)
{
  const gsize header = strlen (HEADER);
  char *line = text + header, *end;
  char state[16];

  if (!g_str_has_prefix (text, HEADER)) {
    if (g_str_has_prefix (HEADER, text))
      return 0;
    odl_error_set (error, ODL_ERROR_IO,
                   _ ("%s: this file is no log of “process”. Choose another name."),
                   shown);
    return -1;
  }
  for (gint64 n = 2; (end = strchr (line, '\n')) != NULL; line = end + 1, n++) {
    const gint64 number = number_of (line, end, state, sizeof state);
    *end = '\0';
    if (number == 0 || !row (number, state, line, data)) {
      odl_error_set (error, ODL_ERROR_IO,
                     _ ("%s: line %" PRId64 " is no row of this log. Choose another "
                        "name."),
                     shown, n);
      return -1;
    }
  }
  return line - text;
}

static bool
take_done (gint64 number, const char *state, char *line, void *data)
{
  GHashTable *done = data;

  // A later row says what became of it in the end.
  if (g_str_equal (state, "failed"))
    g_hash_table_remove (done, &number);
  else
    g_hash_table_add (done, g_memdup2 (&number, sizeof number));
  return line != NULL;
}

// ---- writing -------------------------------------------------------------------------

static bool
write_all (int fd, const char *text)
{
  const size_t size = strlen (text);
  size_t written = 0;

  while (written < size) {
    const ssize_t n = write (fd, text + written, size - written);
    if (n < 0 && errno != EINTR)
      return false;
    written += n > 0 ? (size_t) n : 0;
  }
  return true;
}

static bool
begin (OdlLog *log, bool resume, bool replace, GError **error)
{
  if (flock (log->fd, LOCK_EX | LOCK_NB) != 0)
    return io_error (log->shown,
                     _ ("another run is writing this log. Wait for its end, or choose "
                        "another name"),
                     errno, error);
  g_autofree char *text = read_text (log->fd, log->shown, error);
  if (text == NULL)
    return false;
  if (*text != '\0' && !resume && !replace)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: this log is there already. Add --resume to go on with "
                             "it, or --force to replace it."),
                          log->shown);
  const gssize whole = resume || *text == '\0'
                           ? each_row (text, log->shown, take_done, log->done, error)
                           : 0;
  if (whole < 0)
    return false;
  if (ftruncate (log->fd, whole) == 0 && (whole > 0 || write_all (log->fd, HEADER)))
    return true;
  return io_error (log->shown, _ ("this file cannot be written"), errno, error);
}

OdlLog *
odl_log_open (const char *path, bool resume, bool replace, GError **error)
{
  OdlLog *log = g_new0 (OdlLog, 1);

  log->shown = g_filename_display_name (path);
  log->done = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  log->fd = open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (log->fd < 0)
    io_error (log->shown, _ ("this file cannot be written"), errno, error);
  else if (begin (log, resume, replace, error))
    return log;
  odl_log_close (log, NULL);
  return NULL;
}

bool
odl_log_has (const OdlLog *log, const OdlJob *job)
{
  const gint64 number = (gint64) job->number + 1;

  return g_hash_table_contains (log->done, &number);
}

static void
append_cell (GString *row, const char *text)
{
  g_autofree char *line = odl_text_in_one_line (text);

  if (strpbrk (line, ",\"") == NULL) {
    g_string_append_printf (row, ",%s", line);
    return;
  }
  g_auto (GStrv) parts = g_strsplit (line, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (row, ",\"%s\"", doubled);
}

// Messages beside each other, without the program's name.
static char *
in_a_row (const char *said)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++) {
    const char *message
        = g_str_has_prefix (*line, BEFORE) ? *line + strlen (BEFORE) : *line;
    if (*message != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " | " : "", message);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
odl_log_add (OdlLog *log, const OdlJob *job, bool failed, gint64 marked, const char *said)
{
  g_autoptr (GString) row = g_string_new (NULL);
  g_autofree char *input = odl_source_file_display_path (job->input);
  g_autofree char *output = g_filename_display_name (job->output);
  g_autofree char *text = in_a_row (said);

  if (log->failure != NULL)
    return;
  g_string_append_printf (row, "%u", job->number + 1);
  append_cell (row, input);
  append_cell (row, output);
  append_cell (row, failed ? "failed" : marked > 0 ? "damaged" : "done");
  append_cell (row, text);
  g_string_append_c (row, '\n');
  if (!write_all (log->fd, row->str))
    io_error (log->shown,
              _ ("this row cannot be written. Make room, and call again with --resume"),
              errno, &log->failure);
}

bool
odl_log_close (OdlLog *log, GError **error)
{
  bool done = log->failure == NULL;

  if (!done)
    g_propagate_error (error, g_steal_pointer (&log->failure));
  if (log->fd >= 0 && fsync (log->fd) != 0 && done)
    done = io_error (log->shown, _ ("this file cannot be written"), errno, error);
  if (log->fd >= 0)
    close (log->fd);
  g_hash_table_unref (log->done);
  g_free (log->shown);
  g_free (log);
  return done;
}

// ---- joined from parts ---------------------------------------------------------------

typedef struct {
  gint64 shard, shards, inputs;
  char **rows; // of each input, borrowed from `texts`; NULL: it has none
  GPtrArray *texts;
} Rows;

static bool
take_row (gint64 number, const char *state, char *line, void *data)
{
  Rows *rows = data;

  if (number > rows->inputs || (number - 1) % rows->shards != rows->shard - 1)
    return false;
  rows->rows[number - 1] = line;
  return state != NULL;
}

static bool
read_part (Rows *rows, const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (fd < 0)
    return io_error (shown, _ ("this file cannot be read"), errno, error);
  const bool busy = flock (fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  char *text = busy ? NULL : read_text (fd, shown, error);
  close (fd);
  if (busy)
    return io_error (shown, _ ("a run is writing this log. Wait for its end"),
                     EWOULDBLOCK, error);
  if (text == NULL)
    return false;
  g_ptr_array_add (rows->texts, text);
  return each_row (text, shown, take_row, rows, error) >= 0;
}

static void
name_command (const OdlShardNote *note, const char *part, gint64 shard, bool there)
{
  g_autofree char *path = there ? g_strdup (part) : odl_shard_path (note, part, shard);
  g_autofree char *command = odl_shard_command (note, shard, "--resume --log", path);
  g_autofree char *shown = g_filename_display_name (command);

  if (there)
    // Translators: a part of a job; a command follows.
    odl_report_usage (
        _ ("shard %" PRId64 " of %" PRId64 " was stopped. This goes on: %s"), shard,
        note->shards, shown);
  else
    odl_report_usage (
        _ ("shard %" PRId64 " of %" PRId64 " is missing. This makes it: %s"), shard,
        note->shards, shown);
}

// Shards that lack rows; `parts` are by their numbers.
static bool
check_whole (const Rows *rows, GHashTable *parts, const OdlShardNote *any, GError **error)
{
  gint64 lacking = 0;

  for (gint64 shard = 1; shard <= MIN (rows->shards, rows->inputs); shard++) {
    bool whole = true;
    for (gint64 i = shard - 1; i < rows->inputs; i += rows->shards)
      whole &= rows->rows[i] != NULL;
    const char *part = g_hash_table_lookup (parts, &shard);
    const char *name = g_hash_table_lookup (parts, &any->shard);
    if (!whole && lacking++ < MOST_NAMED)
      name_command (any, part != NULL ? part : name, shard, part != NULL);
  }
  return lacking == 0
         || odl_error_set (error, ODL_ERROR_IO,
                           g_dngettext (GETTEXT_PACKAGE,
                                        "Nothing was written, since %" PRId64
                                        " shard of %" PRId64 " is not whole.",
                                        "Nothing was written, since %" PRId64
                                        " shards of %" PRId64 " are not whole.",
                                        (gulong) lacking),
                           lacking, rows->shards);
}

static bool
write_rows (const Rows *rows, const char *out, bool replace, GError **error)
{
  OdlOutput output;

  if (!(replace ? odl_output_open (NULL, out, &output, error)
                : odl_output_open_new (NULL, out, &output, error)))
    return false;
  bool done = odl_output_write (&output, HEADER, strlen (HEADER), error);
  for (gint64 i = 0; done && i < rows->inputs; i++)
    done = odl_output_write (&output, rows->rows[i], strlen (rows->rows[i]), error)
           && odl_output_write (&output, "\n", 1, error);
  return odl_output_end (&output, done, error);
}

static bool
read_parts (Rows *rows,
            GHashTable *by_number,
            GHashTable *files,
            char *const *parts,
            const GPtrArray *notes,
            GError **error)
{
  for (guint i = 0; parts[i] != NULL; i++) {
    OdlShardNote *note = g_ptr_array_index (notes, i);
    g_autofree char *path = g_strconcat (parts[i], ODL_SHARD_ENDING, NULL);
    if (!odl_shard_claim (by_number, note->shard, note, parts[i], error))
      return false;
    odl_source_files_add_path (files, parts[i]);
    odl_source_files_add_path (files, path);
    rows->shard = note->shard;
    if (!read_part (rows, parts[i], error))
      return false;
  }
  return true;
}

bool
odl_log_join (const char *out,
              char *const *parts,
              const GPtrArray *notes,
              bool replace,
              GError **error)
{
  OdlShardNote *any = g_ptr_array_index (notes, 0);
  g_autoptr (GHashTable) files = odl_source_files_new ();
  g_autoptr (GHashTable) by_number
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Rows rows = { .shards = any->shards, .inputs = any->points, .texts = texts };
  g_autofree char **found
      = any->points < G_MAXINT32 ? g_try_new0 (char *, any->points) : NULL;

  rows.rows = found;
  if (found == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("There is not enough memory for so many inputs."));
  return read_parts (&rows, by_number, files, parts, notes, error)
         && odl_output_check (files, out, replace, error)
         && check_whole (&rows, by_number, any, error)
         && write_rows (&rows, out, replace, error);
}
