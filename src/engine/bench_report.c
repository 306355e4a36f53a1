// SPDX-License-Identifier: MIT
#include "engine/bench_report.h"

#include <glib/gi18n-lib.h>
#include <stddef.h>
#include <string.h>

// The fields of a row, in the order of every format.
typedef enum { FIELD_TEXT, FIELD_INTEGER, FIELD_NUMBER, FIELD_PART } FieldKind;

typedef struct {
  const char *name;
  FieldKind kind;
  size_t offset;
} Field;

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
  { "mpx_per_s", FIELD_NUMBER, offsetof (OdlBenchRow, mpx_per_s) },
  { "gb_per_s", FIELD_NUMBER, offsetof (OdlBenchRow, gb_per_s) },
};

// Columns of the table, left to right.
static const OdlBenchPart columns[] = {
  ODL_BENCH_DECODE,   ODL_BENCH_UPLOAD,  ODL_BENCH_FORWARD, ODL_BENCH_FILTER,
  ODL_BENCH_BACKWARD, ODL_BENCH_DISPLAY, ODL_BENCH_TOTAL,
};

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

static void
append_field (GString *out, const OdlBenchRow *row, const Field *field, bool quoted)
{
  const char *at = (const char *) row + field->offset;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  const char *text = at;

  switch (field->kind) {
  case FIELD_INTEGER:
    g_string_append_printf (out, "%d", *(const int *) (const void *) at);
    return;
  case FIELD_NUMBER:
    g_string_append (out, g_ascii_formatd (number, sizeof number, "%.6g",
                                           *(const double *) (const void *) at));
    return;
  case FIELD_PART:
    text = odl_bench_part_name (row->part);
    break;
  case FIELD_TEXT:
    break;
  }
  if (quoted)
    append_quoted (out, text);
  else
    g_string_append (out, text);
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

  for (size_t f = 0; f < G_N_ELEMENTS (fields); f++)
    g_string_append_printf (out, "%s%s", f > 0 ? "," : "", fields[f].name);
  g_string_append_c (out, '\n');
  for (guint r = 0; r < result->rows->len; r++) {
    for (size_t f = 0; f < G_N_ELEMENTS (fields); f++) {
      if (f > 0)
        g_string_append_c (out, ',');
      append_field (out, row_at (result, r), &fields[f], false);
    }
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

char *
odl_bench_to_json (const OdlBenchResult *result)
{
  GString *out = g_string_new ("{\"machine\":{\"cpu\":");

  append_quoted (out, result->cpu);
  g_string_append_printf (out, ",\"threads\":%d,\"compiler\":", result->threads);
  append_quoted (out, result->compiler);
  g_string_append (out, ",\"gl_renderer\":");
  append_quoted (out, result->renderer);
  g_string_append (out, "},\n\"rows\":[");
  for (guint r = 0; r < result->rows->len; r++) {
    g_string_append (out, r > 0 ? ",\n{" : "\n{");
    for (size_t f = 0; f < G_N_ELEMENTS (fields); f++) {
      g_string_append_printf (out, "%s\"%s\":", f > 0 ? "," : "", fields[f].name);
      append_field (out, row_at (result, r), &fields[f], true);
    }
    g_string_append_c (out, '}');
  }
  g_string_append (out, "\n]}\n");
  return g_string_free (out, FALSE);
}

// True when both rows differ in the part alone.
static bool
is_same_case (const OdlBenchRow *a, const OdlBenchRow *b)
{
  return g_strcmp0 (a->engine, b->engine) == 0 && g_strcmp0 (a->variant, b->variant) == 0
         && a->width == b->width && a->height == b->height && a->channels == b->channels
         && a->precision == b->precision && a->levels == b->levels
         && a->threads == b->threads;
}

static void
append_padded (GString *out, const char *text, int width)
{
  glong length = g_utf8_strlen (text, -1);

  g_string_append_printf (out, "%*s%s", (int) MAX (width - length, 0), "", text);
}

static void
append_ms (GString *out, double ms)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  append_padded (out, g_ascii_formatd (number, sizeof number, "%.3f", ms), 10);
}

// The line of the case whose first row is `first`. Returns the row after its last.
static guint
append_case (GString *out, const OdlBenchResult *result, guint first)
{
  const OdlBenchRow *row = row_at (result, first);
  const OdlBenchRow *parts[ODL_BENCH_N_PARTS] = { NULL };
  guint end = first;

  for (; end < result->rows->len && is_same_case (row, row_at (result, end)); end++)
    parts[row_at (result, end)->part] = row_at (result, end);

  g_autofree char *size = g_strdup_printf ("%d×%d", row->width, row->height);
  g_string_append_printf (out, "%-13s%-23s", row->engine, row->variant);
  append_padded (out, size, 10);
  g_string_append_printf (out, "%3d%5d%7d%8d", row->channels, row->precision, row->levels,
                          row->threads);
  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    if (parts[columns[c]] != NULL)
      append_ms (out, parts[columns[c]]->median_ms);
    else
      append_padded (out, "–", 10);

  const OdlBenchRow *total = parts[ODL_BENCH_TOTAL];
  if (total != NULL) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    append_ms (out, total->min_ms);
    append_padded (out, g_ascii_formatd (number, sizeof number, "%.1f", total->mpx_per_s),
                   10);
    append_padded (
        out, g_ascii_formatd (number, sizeof number, "%.1f", 1e3 / total->median_ms), 10);
  }
  g_string_append_c (out, '\n');
  return end;
}

char *
odl_bench_to_table (const OdlBenchResult *result)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, _ ("%s, %d threads, %s"), result->cpu, result->threads,
                          result->compiler);
  if (*result->renderer != '\0')
    g_string_append_printf (out, ", %s", result->renderer);
  g_string_append (out, _ ("\nAnalysis, wavelet shrinkage, synthesis; medians in "
                           "milliseconds\n\n"));
  g_string_append_printf (out, "%-13s%-23s%10s%3s%5s%7s%8s", "engine", "variant", "size",
                          "ch", "bits", "levels", "threads");
  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    append_padded (out, odl_bench_part_name (columns[c]), 10);
  append_padded (out, "min", 10);
  append_padded (out, "Mpx/s", 10);
  append_padded (out, "frames/s", 10);
  g_string_append_c (out, '\n');

  for (guint r = 0; r < result->rows->len;)
    r = append_case (out, result, r);
  for (guint n = 0; n < result->notes->len; n++)
    g_string_append_printf (out, _ ("not measured: %s\n"),
                            (const char *) result->notes->pdata[n]);
  return g_string_free (out, FALSE);
}
