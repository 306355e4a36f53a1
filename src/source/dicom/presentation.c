// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/dicom/presentation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MOST_SIDE 65536

// Tags as the text of a header has them.
#define REFERENCED_SERIES "(0008,1115)"
#define REFERENCED_IMAGES "(0008,1140)"
#define REFERENCED_INSTANCE "(0008,1155)"
#define REFERENCED_FRAMES "(0008,1160)"
#define VOI_TABLES "(0028,3010)"
#define SOFTCOPY_VOI "(0028,3110)"
#define DISPLAYED_AREAS "(0070,005A)"

// ---- the text of a header as a tree
// ----------------------------------------------------

// A line "depth TAB tag TAB VR TAB name TAB value"; the lines of an item are those that
// follow and are deeper.
typedef struct {
  int depth;
  const char *tag, *value;
} Line;

static GArray *
split (char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  for (char *rest = text; rest != NULL && *rest != '\0';) {
    char *row = strsep (&rest, "\n"), *fields[5] = { 0 };
    for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
      fields[i] = i < 4 ? strsep (&row, "\t") : row;
    if (fields[4] == NULL)
      continue;
    const Line line = { atoi (fields[0]), fields[1], g_strstrip (fields[4]) };
    g_array_append_val (lines, line);
  }
  return lines;
}

// Part of the lines.
typedef struct {
  const Line *at, *end;
} Item;

// The element `tag` of an item; NULL: it has none.
static const Line *
find (Item item, const char *tag)
{
  const int depth = item.at < item.end ? item.at->depth : 0;

  for (const Line *line = item.at; line < item.end; line++)
    if (line->depth == depth && g_str_equal (line->tag, tag))
      return line;
  return NULL;
}

// What lies below a line.
static Item
below (Item item, const Line *line)
{
  Item inner = { line + 1, line + 1 };

  while (inner.end < item.end && inner.end->depth > line->depth)
    inner.end++;
  return inner;
}

// The item number `index` of a sequence; empty: there is none.
static Item
item_in (Item item, const char *sequence, int index)
{
  const Line *line = find (item, sequence);

  if (line == NULL)
    return (Item){ item.end, item.end };
  const Item all = below (item, line);
  for (const Line *one = all.at; one < all.end; one++)
    if (one->depth == line->depth + 1 && index-- == 0)
      return below (all, one);
  return (Item){ item.end, item.end };
}

static bool
is_empty (Item item)
{
  return item.at == item.end;
}

static const char *
text_of (Item item, const char *tag)
{
  const Line *line = find (item, tag);

  return line != NULL ? line->value : "";
}

// Value number `index` of those between backslashes. False: there is no such number.
static bool
number_of (Item item, const char *tag, int index, double *value)
{
  g_auto (GStrv) parts = g_strsplit (text_of (item, tag), "\\", -1);
  double number = 0;

  if (index >= (int) g_strv_length (parts)
      || !odl_number_from_text (g_strstrip (parts[index]), &number)
      || !(fabs (number) < 1e15))
    return false;
  *value = number;
  return true;
}

// ---- what it refers to ---------------------------------------------------------------

static bool
names_frame (Item reference, int64_t frame)
{
  double number = 0;

  if (frame < 0 || *text_of (reference, REFERENCED_FRAMES) == '\0')
    return true;
  for (int i = 0; number_of (reference, REFERENCED_FRAMES, i, &number); i++)
    if (number == (double) frame + 1)
      return true;
  return false;
}

// Whether one of the images that an item lists is the picture; without a list all are
// meant, if `all`.
static bool
refers_to (Item item, const char *sop_instance, int64_t frame, bool all)
{
  if (is_empty (item_in (item, REFERENCED_IMAGES, 0)))
    return all;
  for (int i = 0;; i++) {
    const Item reference = item_in (item, REFERENCED_IMAGES, i);
    if (is_empty (reference))
      return false;
    if (g_str_equal (text_of (reference, REFERENCED_INSTANCE), sop_instance)
        && names_frame (reference, frame))
      return true;
  }
}

static bool
is_of_picture (Item whole, const char *sop_instance, int64_t frame)
{
  for (int i = 0;; i++) {
    const Item series = item_in (whole, REFERENCED_SERIES, i);
    if (is_empty (series))
      return false;
    if (refers_to (series, sop_instance, frame, false))
      return true;
  }
}

// The item of a sequence that is for the picture.
static Item
item_for (Item whole, const char *sequence, const char *sop_instance, int64_t frame)
{
  for (int i = 0;; i++) {
    const Item item = item_in (whole, sequence, i);
    if (is_empty (item) || refers_to (item, sop_instance, frame, true))
      return item;
  }
}

// ---- how it is looked at -------------------------------------------------------------

static void
read_modality (Item whole, OdlPresentation *into)
{
  double slope = 1, intercept = 0;

  if (number_of (whole, "(0028,1053)", 0, &slope)
      && number_of (whole, "(0028,1052)", 0, &intercept) && fabs (slope) > 1e-15) {
    into->slope = slope;
    into->intercept = intercept;
  }
  into->is_partial |= !is_empty (item_in (whole, "(0028,3000)", 0)); // a table
}

// Descriptor: number of entries (0: 65536), first value, bits.
static bool
read_table (Item table, OdlPresentation *into)
{
  double n = 0, first = 0, bits = 0;
  g_auto (GStrv) entries = g_strsplit (text_of (table, "(0028,3006)"), "\\", -1);
  const guint there = g_strv_length (entries);

  if (!number_of (table, "(0028,3002)", 0, &n)
      || !number_of (table, "(0028,3002)", 1, &first)
      || !number_of (table, "(0028,3002)", 2, &bits))
    return false;
  n = n == 0 ? ODL_CURVE_MAX_LEVELS : n;
  if (!(n >= 2 && n <= there && n <= ODL_CURVE_MAX_LEVELS && bits >= 8 && bits <= 16))
    return false;
  g_autofree float *levels = g_new (float, (gsize) n);
  for (int i = 0; i < (int) n; i++) {
    double value = 0;
    if (!odl_number_from_text (entries[i], &value))
      return false;
    levels[i] = (float) CLAMP (value / (exp2 (bits) - 1), 0, 1);
  }
  into->window.curve = odl_curve_new (levels, (int) n);
  into->window.first = first;
  into->window.last = first + n - 1;
  into->window.name = g_strdup (text_of (table, "(0028,3003)"));
  return into->window.curve != NULL;
}

static void
read_window (Item voi, OdlPresentation *into)
{
  static const char *const functions[] = { "LINEAR", "LINEAR_EXACT", "SIGMOID" };
  const Item table = item_in (voi, VOI_TABLES, 0);
  double centre = 0, width = 0;

  if (!is_empty (table)) {
    into->has_window = read_table (table, into);
    into->is_partial |= !into->has_window;
    return;
  }
  if (!number_of (voi, "(0028,1050)", 0, &centre)
      || !number_of (voi, "(0028,1051)", 0, &width) || width <= 0)
    return;
  into->has_window = true;
  into->window.centre = centre;
  into->window.width = width;
  into->window.name = g_strdup (text_of (voi, "(0028,1055)"));
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (g_str_equal (text_of (voi, "(0028,1056)"), functions[i]))
      into->function = (OdlVoiFunction) i;
}

static void
read_turn (Item whole, OdlPresentation *into)
{
  double degrees = 0;

  if (number_of (whole, "(0070,0042)", 0, &degrees) && fmod (degrees, 90) == 0)
    into->quarter_turns = ((int) degrees / 90 % 4 + 4) % 4;
  into->flip = g_str_equal (text_of (whole, "(0070,0041)"), "Y");
}

// The corners are those that are seen, as places of the picture as it is stored, from 1.
static void
read_area (Item area, OdlPresentation *into)
{
  double x[2], y[2], down = 0, across = 0, ratio = 0;

  if (number_of (area, "(0070,0101)", 0, &down)
      && number_of (area, "(0070,0101)", 1, &across) && down > 0 && across > 0)
    into->pixel_aspect = across / down;
  else if (number_of (area, "(0070,0102)", 0, &down)
           && number_of (area, "(0070,0102)", 1, &across) && down > 0 && across > 0)
    into->pixel_aspect = across / down;
  if (into->pixel_aspect < 0.01 || into->pixel_aspect > 100)
    into->pixel_aspect = 0;
  if (!number_of (area, "(0070,0052)", 0, &x[0])
      || !number_of (area, "(0070,0052)", 1, &y[0])
      || !number_of (area, "(0070,0053)", 0, &x[1])
      || !number_of (area, "(0070,0053)", 1, &y[1]))
    return;
  for (int i = 0; i < 2; i++)
    if (fabs (x[i]) > MOST_SIDE || fabs (y[i]) > MOST_SIDE)
      return;
  into->has_area = true;
  into->left = (int) MIN (x[0], x[1]) - 1;
  into->right = (int) MAX (x[0], x[1]);
  into->top = (int) MIN (y[0], y[1]) - 1;
  into->bottom = (int) MAX (y[0], y[1]);
  if (g_str_equal (text_of (area, "(0070,0100)"), "MAGNIFY")
      && number_of (area, "(0070,0103)", 0, &ratio) && ratio > 0)
    into->magnification = ratio;
  into->is_partial |= g_str_equal (text_of (area, "(0070,0100)"), "TRUE SIZE");
}

// Drawings, shutters, masks, overlays and tables of presentation, which are not shown.
static bool
asks_for_more (Item whole)
{
  static const char *const sequences[] = { "(0070,0001)", "(0028,6100)", "(2050,0010)" };

  for (guint i = 0; i < G_N_ELEMENTS (sequences); i++)
    if (!is_empty (item_in (whole, sequences[i], 0)))
      return true;
  return *text_of (whole, "(0018,1600)") != '\0';
}

OdlPresentation *
odl_presentation_parse (const char *text, const char *sop_instance, int64_t frame)
{
  g_autofree char *copy = g_strdup (text);
  g_autoptr (GArray) lines = split (copy);
  const Line *first = (const Line *) (const void *) lines->data;
  const Item whole = { first, first + lines->len };
  const char *kind = text_of (whole, "(0008,0060)");

  if (*sop_instance == '\0' || !g_str_equal (kind, "PR")
      || !is_of_picture (whole, sop_instance, frame))
    return NULL;
  OdlPresentation *into = g_new0 (OdlPresentation, 1);
  *into = (OdlPresentation){ .label = g_strdup (text_of (whole, "(0070,0080)")),
                             .description = g_strdup (text_of (whole, "(0070,0081)")),
                             .creator = g_strdup (text_of (whole, "(0070,0084)")),
                             .date = g_strdup (text_of (whole, "(0070,0082)")),
                             .path = g_strdup (""),
                             .header = g_strdup (text),
                             .sop_instance = g_strdup (sop_instance),
                             .slope = 1 };
  read_modality (whole, into);
  read_window (item_for (whole, SOFTCOPY_VOI, sop_instance, frame), into);
  read_turn (whole, into);
  read_area (item_for (whole, DISPLAYED_AREAS, sop_instance, frame), into);
  const char *shape = text_of (whole, "(2050,0020)");
  into->has_shape = *shape != '\0';
  into->inverse = g_str_equal (shape, "INVERSE");
  into->is_partial |= asks_for_more (whole);
  return into;
}

OdlPresentation *
odl_presentation_of_frame (const OdlPresentation *presentation, int64_t frame)
{
  return odl_presentation_parse (presentation->header, presentation->sop_instance, frame);
}

char *
odl_presentation_value (const char *header, const char *tag)
{
  g_autofree char *copy = g_strdup (header);
  g_autoptr (GArray) lines = split (copy);
  const Line *first = (const Line *) (const void *) lines->data;

  return g_strdup (text_of ((Item){ first, first + lines->len }, tag));
}

void
odl_presentation_free (OdlPresentation *presentation)
{
  g_free (presentation->label);
  g_free (presentation->description);
  g_free (presentation->creator);
  g_free (presentation->date);
  g_free (presentation->path);
  g_free (presentation->header);
  g_free (presentation->sop_instance);
  g_free (presentation->window.name);
  odl_curve_unref (presentation->window.curve);
  g_free (presentation);
}

// value = slope · stored + intercept, in both.
bool
odl_presentation_window (const OdlPresentation *presentation,
                         const OdlValueMap *map,
                         OdlFileWindow *window)
{
  const double scale = map->slope / presentation->slope;
  const double offset = map->intercept - presentation->intercept * scale;

  if (!presentation->has_window)
    return false;
  *window = presentation->window;
  window->centre = window->centre * scale + offset;
  window->width = window->width * fabs (scale);
  window->first = window->first * scale + offset;
  window->last = window->last * scale + offset;
  return true;
}
