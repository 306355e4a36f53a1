// SPDX-License-Identifier: MIT
#include "decoder/nrrd/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Largest gap in the numbering of the items' stamps.
#define MAX_GAP 4096u
// Of the text for people.
#define MOST_TEXT ((size_t) 16 << 20)
#define PLUS "Seq_Frame"

static const struct {
  const char *name;
  double seconds;
} units[] = {
  { "s", 1 },
  { "sec", 1 },
  { "second", 1 },
  { "seconds", 1 },
  { "ms", 1e-3 },
  { "millisecond", 1e-3 },
  { "milliseconds", 1e-3 },
  { "us", 1e-6 },
  { "µs", 1e-6 },
  { "μs", 1e-6 },
  { "ns", 1e-9 },
  { "min", 60 },
  { "h", 3600 },
};

static double
seconds_of (const char *unit)
{
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].name) == 0)
      return units[i].seconds;
  return 0;
}

// "axis 3 index values"
static bool
is_axis_key (const OdlNrrdLine *line, int axis, const char *what)
{
  OdlNrrdText rest;
  uint64_t number = 0;

  return line->is_key && odl_nrrd_text_begins (line->name, "axis ", &rest)
         && odl_nrrd_text_take_number (&rest, &number) && number == (uint64_t) axis
         && rest.n == strlen (what) && memcmp (rest.at, what, rest.n) == 0;
}

static const OdlNrrdLine *
find_axis_key (const OdlNrrdHeader *header, const char *what)
{
  for (guint i = 0; header->sequence >= 0 && i < header->lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (header->lines.lines, OdlNrrdLine, i);
    if (is_axis_key (line, header->sequence, what))
      return line;
  }
  return NULL;
}

static void
split_index (OdlNrrdItems *items, OdlNrrdText text, uint32_t most)
{
  while (items->index->len < most) {
    while (text.n > 0 && g_ascii_isspace (text.at[0])) {
      text.at++;
      text.n--;
    }
    OdlNrrdText word = { text.at, 0 };
    while (word.n < text.n && !g_ascii_isspace (text.at[word.n]))
      word.n++;
    if (word.n == 0)
      return;
    g_array_append_val (items->index, word);
    text.at += word.n;
    text.n -= word.n;
  }
}

static double
number_of (OdlNrrdText text)
{
  char word[64] = "", *end = NULL;

  if (text.n == 0 || text.n >= sizeof word)
    return NAN;
  memcpy (word, text.at, text.n);
  const double number = g_ascii_strtod (word, &end);
  return end == word || *end != '\0' ? NAN : number;
}

// The values of the sequence's axis are times where their unit is one.
static void
read_index (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const OdlNrrdLine *values = find_axis_key (header, " index values");
  const OdlNrrdLine *type = find_axis_key (header, " index type");
  const OdlNrrdLine *unit = find_axis_key (header, " index unit");
  const OdlNrrdAxis *axis
      = header->sequence >= 0 ? &header->axes[header->sequence] : NULL;

  if (values == NULL)
    return;
  split_index (items, values->value, header->n_items);
  g_strlcpy (items->unit, axis->unit, sizeof items->unit);
  if (unit != NULL && items->unit[0] == '\0') {
    g_autofree char *told = odl_nrrd_text_show (unit->value, true);
    g_strlcpy (items->unit, told, sizeof items->unit);
  }
  const bool is_time
      = g_ascii_strcasecmp (axis->label, "time") == 0 || axis->kind == ODL_NRRD_TIME;
  const double scale = items->unit[0] == '\0' && is_time ? 1 : seconds_of (items->unit);
  const bool is_text
      = type != NULL && type->value.n == 4 && memcmp (type->value.at, "text", 4) == 0;
  if (is_text || scale == 0)
    return;
  items->stamps_name = "index values";
  for (guint i = 0; i < items->index->len; i++) {
    const double stamp = number_of (g_array_index (items->index, OdlNrrdText, i)) * scale;
    g_array_append_val (items->stamps_s, stamp);
  }
}

// Equal steps along the sequence's axis.
static void
read_interval (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const OdlNrrdAxis *axis
      = header->sequence >= 0 ? &header->axes[header->sequence] : NULL;
  g_autofree char *value = odl_nrrd_field (&header->lines, "space units");
  g_auto (GStrv) words = odl_nrrd_words (value != NULL ? value : "");
  const char *unit = "";
  double step = NAN;

  if (axis == NULL)
    return;
  if (isfinite (axis->spacing)) {
    step = axis->spacing;
    unit = axis->unit;
  } else if (axis->has_direction) {
    step = axis->direction[3];
    unit = g_strv_length (words) == 4 ? words[3] : "";
  }
  const bool is_time = unit[0] == '\0' && axis->kind == ODL_NRRD_TIME;
  const double seconds = fabs (step) * (is_time ? 1 : seconds_of (unit));
  if (seconds > 1e-9 && seconds < 1e9)
    items->interval_s = seconds;
}

// Of "Seq_Frame0012_Timestamp" the number and what follows "_".
static bool
is_plus_key (const OdlNrrdLine *line, uint64_t *item, OdlNrrdText *rest)
{
  return line->is_key && odl_nrrd_text_begins (line->name, PLUS, rest)
         && odl_nrrd_text_take_number (rest, item)
         && odl_nrrd_text_begins (*rest, "_", rest);
}

static bool
is_word (OdlNrrdText text, const char *word)
{
  return text.n == strlen (word) && g_ascii_strncasecmp (text.at, word, text.n) == 0;
}

static void
read_plus (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  const bool has_index = items->stamps_s->len > 0;

  for (guint i = 0; i < header->lines.lines->len; i++) {
    const OdlNrrdLine *line = &g_array_index (header->lines.lines, OdlNrrdLine, i);
    OdlNrrdText rest;
    uint64_t item = 0;
    if (!is_plus_key (line, &item, &rest) || item >= header->n_items)
      continue;
    if ((is_word (rest, "ImageStatus") || is_word (rest, "Status"))
        && is_word (line->value, "INVALID"))
      g_hash_table_add (items->invalid, GUINT_TO_POINTER ((guint) item));
    if (has_index || !is_word (rest, "Timestamp")
        || item >= items->stamps_s->len + MAX_GAP)
      continue;
    items->stamps_name = "Timestamp";
    while (items->stamps_s->len <= item) {
      const double none = NAN;
      g_array_append_val (items->stamps_s, none);
    }
    g_array_index (items->stamps_s, double, item) = number_of (line->value);
  }
}

void
odl_nrrd_items_read (OdlNrrdItems *items, const OdlNrrdHeader *header)
{
  *items = (OdlNrrdItems){
    .stamps_s = g_array_new (FALSE, FALSE, sizeof (double)),
    .index = g_array_new (FALSE, FALSE, sizeof (OdlNrrdText)),
    .invalid = g_hash_table_new (NULL, NULL),
  };
  read_index (items, header);
  read_interval (items, header);
  read_plus (items, header);
}

void
odl_nrrd_items_clear (OdlNrrdItems *items)
{
  g_clear_pointer (&items->stamps_s, g_array_unref);
  g_clear_pointer (&items->index, g_array_unref);
  g_clear_pointer (&items->invalid, g_hash_table_unref);
}
