// SPDX-License-Identifier: MIT
#include "bench/report.h"

#include <glib/gi18n-lib.h>
#include <stddef.h>
#include <string.h>

#include "bench/copy.h"
#include "bench/text.h"

typedef enum {
  FIELD_TEXT, // char[]
  FIELD_STRING, // char *, may be NULL
  FIELD_INTEGER,
  FIELD_NUMBER,
  FIELD_PART,
} FieldKind;

typedef struct {
  const char *name;
  FieldKind kind;
  size_t offset;
} Field;

// Fields of a row, in the order of all formats; those before the part identify the case.
static const Field fields[] = {
  { "engine", FIELD_TEXT, offsetof (OdlBenchRow, engine) },
  { "variant", FIELD_TEXT, offsetof (OdlBenchRow, variant) },
  { "width", FIELD_INTEGER, offsetof (OdlBenchRow, width) },
  { "height", FIELD_INTEGER, offsetof (OdlBenchRow, height) },
  { "channels", FIELD_INTEGER, offsetof (OdlBenchRow, channels) },
  { "precision", FIELD_INTEGER, offsetof (OdlBenchRow, precision) },
  { "levels", FIELD_INTEGER, offsetof (OdlBenchRow, levels) },
  { "threads", FIELD_INTEGER, offsetof (OdlBenchRow, threads) },
  { "part", FIELD_PART, offsetof (OdlBenchRow, part) },
  { "median_ms", FIELD_NUMBER, offsetof (OdlBenchRow, median_ms) },
  { "min_ms", FIELD_NUMBER, offsetof (OdlBenchRow, min_ms) },
  { "mean_ms", FIELD_NUMBER, offsetof (OdlBenchRow, mean_ms) },
  { "max_ms", FIELD_NUMBER, offsetof (OdlBenchRow, max_ms) },
  { "mpx_per_s", FIELD_NUMBER, offsetof (OdlBenchRow, mpx_per_s) },
  { "gb_per_s", FIELD_NUMBER, offsetof (OdlBenchRow, gb_per_s) },
  // Last, and only if a recipe was given.
  { "filter", FIELD_STRING, offsetof (OdlBenchRow, filter) },
};

#define N_CASE_FIELDS 8

static size_t
fields_of (const OdlBenchResult *result)
{
  return G_N_ELEMENTS (fields) - (result->filter == NULL ? 1 : 0);
}

static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((unsigned char) *c < 0x20)
      g_string_append_printf (out, "\\u%04x", *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

// RFC 4180: quotes fields that contain commas or quotes.
static void
append_csv (GString *out, const char *text)
{
  if (strpbrk (text, ",\"\n") == NULL) {
    g_string_append (out, text);
    return;
  }
  g_string_append_c (out, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"')
      g_string_append (out, "\"\"");
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

static void
append_field (GString *out, const void *record, const Field *field, bool json)
{
  const void *at = (const char *) record + field->offset;
  const char *text = at;

  switch (field->kind) {
  case FIELD_INTEGER:
    odl_bench_append (out, "%d", *(const int *) at);
    return;
  case FIELD_NUMBER:
    odl_bench_append (out, "%.6g", *(const double *) at);
    return;
  case FIELD_PART:
    text = odl_bench_part_name (*(const OdlBenchPart *) at);
    break;
  case FIELD_STRING:
    text = *(char *const *) at;
    break;
  case FIELD_TEXT:
    break;
  }
  (json ? append_quoted : append_csv) (out, text != NULL ? text : "");
}

static const OdlBenchRow *
row_at (const OdlBenchResult *result, guint index)
{
  return &g_array_index (result->rows, OdlBenchRow, index);
}

char *
odl_bench_to_csv (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  for (size_t f = 0; f < fields_of (result); f++)
    g_string_append_printf (out, "%s%s", f > 0 ? "," : "", fields[f].name);
  g_string_append_c (out, '\n');
  for (guint r = 0; r < result->rows->len; r++) {
    for (size_t f = 0; f < fields_of (result); f++) {
      if (f > 0)
        g_string_append_c (out, ',');
      append_field (out, row_at (result, r), &fields[f], false);
    }
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

static const Field machine_fields[] = {
  { "cpu", FIELD_STRING, offsetof (OdlBenchMachine, cpu) },
  { "cores", FIELD_INTEGER, offsetof (OdlBenchMachine, cores) },
  { "threads", FIELD_INTEGER, offsetof (OdlBenchMachine, threads) },
  { "cpu_mhz", FIELD_NUMBER, offsetof (OdlBenchMachine, cpu_mhz) },
  { "governor", FIELD_STRING, offsetof (OdlBenchMachine, governor) },
  { "huge_pages", FIELD_STRING, offsetof (OdlBenchMachine, huge_pages) },
  { "load", FIELD_NUMBER, offsetof (OdlBenchMachine, load) },
  { "compiler", FIELD_STRING, offsetof (OdlBenchMachine, compiler) },
  { "flags", FIELD_STRING, offsetof (OdlBenchMachine, flags) },
  { "version", FIELD_STRING, offsetof (OdlBenchMachine, version) },
  { "date", FIELD_STRING, offsetof (OdlBenchMachine, date) },
  { "gl_renderer", FIELD_STRING, offsetof (OdlBenchMachine, gl_renderer) },
  { "gl_driver", FIELD_STRING, offsetof (OdlBenchMachine, gl_driver) },
};

// Measurements of the sets start and load, after the common fields.
static const Field start_fields[] = {
  { "asked", FIELD_STRING, offsetof (OdlBenchStart, asked) },
  { "inverse", FIELD_INTEGER, offsetof (OdlBenchStart, inverse) },
  { "context_ms", FIELD_NUMBER, offsetof (OdlBenchStart, context_ms) },
  { "engine_ms", FIELD_NUMBER, offsetof (OdlBenchStart, engine_ms) },
  { "programs_ms", FIELD_NUMBER, offsetof (OdlBenchStart, programs_ms) },
  { "textures_ms", FIELD_NUMBER, offsetof (OdlBenchStart, textures_ms) },
  { "first_ms", FIELD_NUMBER, offsetof (OdlBenchStart, first_ms) },
  { "read_back_ms", FIELD_NUMBER, offsetof (OdlBenchStart, read_back_ms) },
};
static const Field load_fields[] = {
  { "percent", FIELD_NUMBER, offsetof (OdlBenchLoadRow, load.percent) },
  { "fps", FIELD_NUMBER, offsetof (OdlBenchLoadRow, load.fps) },
  { "frames", FIELD_INTEGER, offsetof (OdlBenchLoadRow, load.frames) },
  { "late", FIELD_INTEGER, offsetof (OdlBenchLoadRow, load.late) },
};

// Members of a JSON object, each after a comma but for the `first` one.
static void
append_members (GString *out,
                const void *record,
                const Field *members,
                size_t n,
                bool first)
{
  for (size_t f = 0; f < n; f++) {
    g_string_append_printf (out, "%s\"%s\":", first && f == 0 ? "" : ",",
                            members[f].name);
    append_field (out, record, &members[f], true);
  }
}

// A JSON array of records that begin with a row: its first `n_fields` fields and `own`.
static void
append_array (GString *out,
              const char *name,
              const GArray *records,
              size_t n_fields,
              const Field *own,
              size_t n_own)
{
  const guint size = g_array_get_element_size ((GArray *) records);

  g_string_append_printf (out, ",\n\"%s\":[", name);
  for (guint i = 0; i < records->len; i++) {
    const char *record = records->data + (size_t) i * size;
    g_string_append (out, i > 0 ? ",\n{" : "\n{");
    append_members (out, record, fields, n_fields, true);
    append_members (out, record, own, n_own, false);
    g_string_append_c (out, '}');
  }
  g_string_append (out, "\n]");
}

char *
odl_bench_to_json (const OdlBenchResult *result)
{
  GString *out = g_string_new ("{\"machine\":{");

  append_members (out, &result->machine, machine_fields, G_N_ELEMENTS (machine_fields),
                  true);
  g_string_append_c (out, '}');
  append_array (out, "rows", result->rows, fields_of (result), NULL, 0);
  if (result->starts->len > 0)
    append_array (out, "starts", result->starts, N_CASE_FIELDS, start_fields,
                  G_N_ELEMENTS (start_fields));
  if (result->loads->len > 0)
    append_array (out, "loads", result->loads, N_CASE_FIELDS, load_fields,
                  G_N_ELEMENTS (load_fields));
  g_string_append (out, "}\n");
  return g_string_free (out, FALSE);
}

// True if the rows differ only in the part.
static bool
is_same_case (const OdlBenchRow *a, const OdlBenchRow *b)
{
  return g_strcmp0 (a->engine, b->engine) == 0 && g_strcmp0 (a->variant, b->variant) == 0
         && a->width == b->width && a->height == b->height && a->channels == b->channels
         && a->precision == b->precision && a->levels == b->levels
         && a->threads == b->threads;
}

// A table line: rows that differ only in the part.
typedef struct {
  const OdlBenchRow *row; // any of them
  const OdlBenchRow *parts[ODL_BENCH_N_PARTS];
  double copy_gb_per_s; // of a plain copy of that size; 0: unknown
} Line;

// 0: not measured.
static double
median_of (const Line *line, OdlBenchPart part)
{
  return line->parts[part] != NULL ? line->parts[part]->median_ms : 0;
}

static double
least_ms (const Line *line)
{
  return line->parts[ODL_BENCH_TOTAL] != NULL ? line->parts[ODL_BENCH_TOTAL]->min_ms : 0;
}

static double
megapixels_per_s (const Line *line)
{
  return line->parts[ODL_BENCH_TOTAL] != NULL ? line->parts[ODL_BENCH_TOTAL]->mpx_per_s
                                              : 0;
}

static double
frames_per_s (const Line *line)
{
  const double ms = median_of (line, ODL_BENCH_TOTAL);

  return ms > 0 ? 1e3 / ms : 0;
}

// Bytes that a plain copy moves in the time of a frame with samples already in place.
static double
bytes_of_copy (const Line *line)
{
  const double resident = median_of (line, ODL_BENCH_RESIDENT);
  const double ms = resident > 0 ? resident : median_of (line, ODL_BENCH_TOTAL);

  return ms * line->copy_gb_per_s * 1e6;
}

static double
samples_of (const Line *line)
{
  return (double) line->row->width * line->row->height * line->row->channels;
}

// Frame time in units of a plain copy of a float picture of its size, in the same API
// and with as many threads.
static double
copies (const Line *line)
{
  return bytes_of_copy (line) / (8 * samples_of (line));
}

// Fraction of the bound given by reading and writing every sample once at the copy's
// speed; GL engines have floats on the GPU.
static double
percent_of_bound (const Line *line)
{
  const double read = median_of (line, ODL_BENCH_RESIDENT) > 0 ? 4 : 1;
  const double bytes = samples_of (line) * (read + line->row->precision / 8.0);

  return bytes_of_copy (line) > 0 ? 100 * bytes / bytes_of_copy (line) : 0;
}

// Columns from left to right; columns without values are omitted.
static const struct {
  const char *name; // NULL: named after the part
  OdlBenchPart part;
  double (*value) (const Line *line);
} columns[] = {
  { NULL, ODL_BENCH_DECODE, NULL },
  { NULL, ODL_BENCH_UPLOAD, NULL },
  { NULL, ODL_BENCH_FORWARD, NULL },
  { NULL, ODL_BENCH_FILTER, NULL },
  { NULL, ODL_BENCH_BACKWARD, NULL },
  { NULL, ODL_BENCH_DISPLAY, NULL },
  { NULL, ODL_BENCH_OVERLAPPED, NULL },
  { NULL, ODL_BENCH_RESIDENT, NULL },
  { NULL, ODL_BENCH_SLIDER, NULL },
  { NULL, ODL_BENCH_TOTAL, NULL },
  { "min", 0, least_ms },
  { "Mpx/s", 0, megapixels_per_s },
  { "frames/s", 0, frames_per_s },
  { "copies", 0, copies },
  { "% of bound", 0, percent_of_bound },
};

static double
cell_of (const Line *line, size_t column)
{
  return columns[column].value != NULL ? columns[column].value (line)
                                       : median_of (line, columns[column].part);
}

// Array of Line, without the copies.
static GArray *
lines_of (const OdlBenchResult *result)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));

  for (guint r = 0; r < result->rows->len; r++) {
    const OdlBenchRow *row = row_at (result, r);
    if (g_str_equal (row->engine, ODL_BENCH_COPY))
      continue;
    if (lines->len == 0
        || !is_same_case (row, g_array_index (lines, Line, lines->len - 1).row)) {
      const Line line
          = { .row = row, .copy_gb_per_s = odl_bench_copy_speed (result, row) };
      g_array_append_val (lines, line);
    }
    g_array_index (lines, Line, lines->len - 1).parts[row->part] = row;
  }
  return lines;
}

static void
append_case_headings (GString *out)
{
  g_string_append_printf (out, "%-13s%-31s%10s%3s%5s%7s%8s", "engine", "variant", "size",
                          "ch", "bits", "levels", "threads");
}

static void
append_case_cells (GString *out, const OdlBenchRow *row)
{
  g_autofree char *size = g_strdup_printf ("%d×%d", row->width, row->height);

  g_string_append_printf (out, "%-13s%-31s", row->engine, row->variant);
  odl_bench_append_cell (out, size, 10);
  g_string_append_printf (out, "%3d%5d%7d%8d", row->channels, row->precision, row->levels,
                          row->threads);
}

static void
append_lines (GString *out, const GArray *lines)
{
  bool used[G_N_ELEMENTS (columns)] = { false };

  for (guint i = 0; i < lines->len; i++)
    for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
      used[c] |= cell_of (&g_array_index (lines, Line, i), c) > 0;
  append_case_headings (out);
  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    if (used[c])
      odl_bench_append_cell (
          out, columns[c].name ? columns[c].name : odl_bench_part_name (columns[c].part),
          11);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < lines->len; i++) {
    const Line *line = &g_array_index (lines, Line, i);
    append_case_cells (out, line->row);
    for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
      if (used[c])
        odl_bench_append_number (out, cell_of (line, c), 11);
    g_string_append_c (out, '\n');
  }
}

// Table of the set start or load; texts are in the JSON alone.
static void
append_table (GString *out,
              const char *title,
              const GArray *measures,
              const Field *own,
              size_t n_own)
{
  const guint size = g_array_get_element_size ((GArray *) measures);

  if (measures->len == 0)
    return;
  odl_bench_append_title (out, title);
  append_case_headings (out);
  for (size_t f = 0; f < n_own; f++)
    if (own[f].kind != FIELD_STRING)
      odl_bench_append_cell (out, own[f].name, 13);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < measures->len; i++) {
    const char *measure = measures->data + (size_t) i * size;
    append_case_cells (out, (const void *) measure);
    for (size_t f = 0; f < n_own; f++) {
      const void *at = measure + own[f].offset;
      if (own[f].kind == FIELD_STRING)
        continue;
      odl_bench_append_number (
          out, own[f].kind == FIELD_INTEGER ? *(const int *) at : *(const double *) at,
          13);
    }
    g_string_append_c (out, '\n');
  }
}

static void
append_machine (GString *out, const OdlBenchMachine *machine)
{
  odl_bench_append (out, "%s, %d cores, %d threads", machine->cpu, machine->cores,
                    machine->threads);
  if (machine->cpu_mhz > 0)
    odl_bench_append (out, ", now %.0f MHz", machine->cpu_mhz);
  if (*machine->governor != '\0')
    odl_bench_append (out, ", governor %s", machine->governor);
  odl_bench_append (out, ", huge pages %s, load %.1f\n",
                    *machine->huge_pages != '\0' ? machine->huge_pages : "unknown",
                    machine->load);
  if (*machine->gl_renderer != '\0')
    odl_bench_append (out, "%s (%s)\n", machine->gl_renderer, machine->gl_driver);
  odl_bench_append (out, "Ondelette %s, %s, %s; %s\n", machine->version,
                    machine->compiler, machine->flags, machine->date);
}

static void
append_notes (GString *out, const OdlBenchResult *result)
{
  for (guint n = 0; n < result->notes->len; n++)
    g_string_append_printf (out, _ ("not measured: %s\n"),
                            (const char *) result->notes->pdata[n]);
}

char *
odl_bench_to_table (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GArray) lines = lines_of (result);

  append_machine (out, &result->machine);
  if (lines->len > 0) {
    if (result->filter != NULL)
      g_string_append_printf (out, _ ("\n%s; medians in milliseconds\n\n"),
                              result->filter);
    else
      g_string_append (out, _ ("\nAnalysis, wavelet shrinkage, synthesis; medians in "
                               "milliseconds\n\n"));
    append_lines (out, lines);
  }
  append_table (out, _ ("Start-up to the first picture"), result->starts, start_fields,
                G_N_ELEMENTS (start_fields));
  append_table (out, _ ("Processor load at 20 frames per second, percent of a core"),
                result->loads, load_fields, G_N_ELEMENTS (load_fields));
  append_notes (out, result);
  return g_string_free (out, FALSE);
}
