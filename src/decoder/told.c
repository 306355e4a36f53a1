// SPDX-License-Identifier: MIT
#include "decoder/told.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

#define MOST_TEXT ((size_t) 16 << 20)
#define COLUMNS 1024

// A line of a picture.
typedef struct {
  uint32_t item;
  uint32_t order;
  char *name;
  char *value;
} Line;

struct _OdlTold {
  GString *text;
  GArray *lines;
  size_t size; // bytes of all names and values
  bool is_cut;
};

static void
clear_line (void *data)
{
  Line *line = data;

  g_free (line->name);
  g_free (line->value);
}

OdlTold *
odl_told_new (void)
{
  OdlTold *told = g_new0 (OdlTold, 1);

  told->text = g_string_new (NULL);
  told->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_array_set_clear_func (told->lines, clear_line);
  return told;
}

void
odl_told_free (OdlTold *told)
{
  if (told == NULL)
    return;
  g_string_free (told->text, TRUE);
  g_array_unref (told->lines);
  g_free (told);
}

static char *
make_line (const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);

  for (char *at = valid; *at != '\0'; at++)
    if (*at > 0 && *at < ' ')
      *at = ' ';
  return valid;
}

static bool
fits (OdlTold *told, const char *name, const char *value)
{
  told->size += strlen (name) + strlen (value) + 16;
  told->is_cut |= told->size > MOST_TEXT;
  return !told->is_cut;
}

// Names of people are marked as in DICOM files, so that they are hidden where those are.
static void
append (GString *text, int depth, const char *name, const char *value)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  g_string_append_printf (text, "%d\t\t%s\t%s\t%s\n", depth,
                          strstr (lower, "patient") != NULL ? "PN" : "", name, value);
}

void
odl_told_add (OdlTold *told, const char *name, const char *value)
{
  g_autofree char *left = make_line (name), *right = make_line (value);

  if (fits (told, left, right))
    append (told->text, 0, left, right);
}

void
odl_told_add_item (OdlTold *told, uint32_t item, const char *name, const char *value)
{
  Line line = { item, told->lines->len, make_line (name), make_line (value) };

  if (fits (told, line.name, line.value))
    g_array_append_val (told->lines, line);
  else
    clear_line (&line);
}

static int
compare (const void *a, const void *b)
{
  const Line *one = a, *other = b;

  if (one->item != other->item)
    return one->item < other->item ? -1 : 1;
  return one->order < other->order ? -1 : one->order > other->order;
}

bool
odl_told_finish (OdlTold *told, OdlPicture *picture, GError **error)
{
  GString *text = told->text;

  g_array_sort (told->lines, compare);
  for (guint i = 0; i < told->lines->len; i++) {
    const Line *line = &g_array_index (told->lines, Line, i);
    if (i == 0 || line->item != line[-1].item) {
      g_autofree char *number = g_strdup_printf ("%u", line->item + 1);
      append (text, 0, _ ("Frame"), number);
    }
    append (text, 1, line->name, line->value);
  }
  if (told->is_cut)
    g_string_append (text, "0\t\t\t\t…\n");
  if (text->len == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its header is empty"));
  const OdlPictureShape shape
      = { COLUMNS, (uint32_t) (text->len / COLUMNS + 1), 1, ODL_SAMPLE_U8 };
  void *samples = odl_picture_allocate (picture, &shape, text->len, error);
  if (samples != NULL)
    memcpy (samples, text->str, text->len);
  return samples != NULL;
}
