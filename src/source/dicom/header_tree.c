// SPDX-License-Identifier: MIT
#include "source/dicom/header_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define LARGEST 1e15

// A line "depth TAB tag TAB VR TAB name TAB value".
GArray *
odl_header_split (char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (OdlHeaderLine));

  for (char *rest = text; rest != NULL && *rest != '\0';) {
    char *row = strsep (&rest, "\n"), *fields[5] = { 0 };
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
      fields[i] = i < 4 ? strsep (&row, "\t") : row;
    if (fields[4] == NULL)
      continue;
    const OdlHeaderLine line = { atoi (fields[0]), fields[1], g_strstrip (fields[4]) };
    g_array_append_val (lines, line);
  }
  return lines;
}

OdlHeaderItem
odl_header_whole (const GArray *lines)
{
  const OdlHeaderLine *first = (const OdlHeaderLine *) (const void *) lines->data;

  return (OdlHeaderItem){ first, first + lines->len };
}

// NULL: there is none.
static const OdlHeaderLine *
find (OdlHeaderItem item, const char *tag)
{
  const int depth = item.at < item.end ? item.at->depth : 0;

  for (const OdlHeaderLine *line = item.at; line < item.end; line++)
    if (line->depth == depth && g_str_equal (line->tag, tag))
      return line;
  return NULL;
}

// What lies below a line.
static OdlHeaderItem
below (OdlHeaderItem item, const OdlHeaderLine *line)
{
  OdlHeaderItem inner = { line + 1, line + 1 };

  while (inner.end < item.end && inner.end->depth > line->depth)
    inner.end++;
  return inner;
}

OdlHeaderItem
odl_header_item (OdlHeaderItem item, const char *sequence, int index)
{
  const OdlHeaderLine *line = find (item, sequence);

  if (line == NULL)
    return (OdlHeaderItem){ item.end, item.end };
  const OdlHeaderItem all = below (item, line);
  for (const OdlHeaderLine *one = all.at; one < all.end; one++)
    if (one->depth == line->depth + 1 && index-- == 0)
      return below (all, one);
  return (OdlHeaderItem){ item.end, item.end };
}

OdlHeaderItem
odl_header_items (OdlHeaderItem item, const char *sequence)
{
  const OdlHeaderLine *line = find (item, sequence);

  return line != NULL ? below (item, line) : (OdlHeaderItem){ item.end, item.end };
}

bool
odl_header_next (OdlHeaderItem *rest, OdlHeaderItem *next)
{
  if (rest->at >= rest->end)
    return false;
  *next = below (*rest, rest->at);
  rest->at = next->end;
  return true;
}

const char *
odl_header_text (OdlHeaderItem item, const char *tag)
{
  const OdlHeaderLine *line = find (item, tag);

  return line != NULL ? line->value : "";
}

char *
odl_header_lines (OdlHeaderItem item, const char *tag)
{
  GString *lines = g_string_new (odl_header_text (item, tag));

  g_string_replace (lines, "\u2028", "\n", 0);
  return g_strchomp (g_string_free (lines, FALSE));
}

GArray *
odl_header_numbers (OdlHeaderItem item, const char *tag, guint most)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *copy = g_strdup (odl_header_text (item, tag));
  double number = 0;

  for (char *rest = copy; rest != NULL && numbers->len < most;) {
    const char *word = g_strstrip (strsep (&rest, "\\"));
    if (!odl_number_from_text (word, &number) || !(fabs (number) < LARGEST))
      break;
    g_array_append_val (numbers, number);
  }
  return numbers;
}

bool
odl_header_number (OdlHeaderItem item, const char *tag, guint index, double *value)
{
  g_autoptr (GArray) numbers = odl_header_numbers (item, tag, index + 1);

  if (index >= numbers->len)
    return false;
  *value = g_array_index (numbers, double, index);
  return true;
}
