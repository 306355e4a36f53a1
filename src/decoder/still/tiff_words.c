// SPDX-License-Identifier: MIT
// ImageJ writes lines of “key=value”, as Java's properties are (ij.io.FileSaver,
// FileOpener); tifffile writes JSON, in older versions “shape=(…)”.
#include "decoder/still/tiff_words.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "decoder/still/tiff_ome.h"

#define IMAGEJ "ImageJ="
// Of a description all that matters stands at its beginning.
#define MOST_BYTES 65536u
#define MOST_AXES 16
// The largest and smallest length and time that is taken for one.
#define MOST 1e6
#define LEAST 1e-9

// A whole number; 0: it is none.
static uint64_t
count_of (double value)
{
  return value >= 1 && value <= G_MAXUINT32 && value == floor (value) ? (uint64_t) value
                                                                      : 0;
}

static bool
is_sane (double value)
{
  return value >= LEAST && value <= MOST;
}

// ---- ImageJ --------------------------------------------------------------------------

// Lines as they were found.
typedef struct {
  double spacing, interval, time_s, function, coefficients[2];
} Lines;

static void
take_length (OdlTiffWords *words, const char *value)
{
  g_strlcpy (words->unit, value, sizeof words->unit);
  words->unit_mm = odl_tiff_length_mm (value);
}

static void
take_extent (OdlTiffWords *words, int axis, double value)
{
  if (count_of (value) == 0)
    return;
  words->extent[axis] = count_of (value);
  words->has_axes = true;
}

static void
take_line (OdlTiffWords *words, Lines *lines, const char *key, const char *value)
{
  const struct {
    const char *key;
    double *to;
  } numbers[] = { { "spacing", &lines->spacing },    { "finterval", &lines->interval },
                  { "fps", &words->rate },           { "cf", &lines->function },
                  { "c0", &lines->coefficients[0] }, { "c1", &lines->coefficients[1] },
                  { "min", &words->window[0] },      { "max", &words->window[1] } };
  static const char *const extents[] = { "channels", "slices", "frames" };
  double number;

  if (g_str_equal (key, "unit"))
    take_length (words, value);
  else if (g_str_equal (key, "tunit"))
    lines->time_s = odl_tiff_time_s (value);
  else if (g_str_equal (key, "vunit") && g_utf8_validate (value, -1, NULL))
    g_strlcpy (words->value_unit, value, sizeof words->value_unit);
  else if (g_str_equal (key, "order"))
    odl_tiff_axes_order (value, words->order);
  if (!odl_number_from_text (value, &number))
    return;
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (key, numbers[i].key))
      *numbers[i].to = number;
  if (g_str_equal (key, "images"))
    words->images = count_of (number);
  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    if (g_str_equal (key, extents[axis]))
      take_extent (words, axis, number);
}

static void
read_imagej (OdlTiffWords *words, char *text)
{
  Lines lines = { .time_s = 1, .function = NAN, .coefficients = { NAN, NAN } };

  words->by = "ImageJ";
  for (char *line = text, *next; line != NULL; line = next) {
    next = strpbrk (line, "\n\r");
    if (next != NULL)
      *next++ = '\0';
    char *equals = strchr (line, '=');
    if (equals == NULL)
      continue;
    *equals = '\0';
    take_line (words, &lines, g_strstrip (line), g_strstrip (equals + 1));
  }
  if (is_sane (fabs (lines.spacing)))
    words->spacing = fabs (lines.spacing);
  if (is_sane (lines.interval * lines.time_s))
    words->interval_s = lines.interval * lines.time_s;
  if (!is_sane (words->rate))
    words->rate = 0;
  // A straight line; of other functions the stored values are shown.
  if (lines.function == 0 && isfinite (lines.coefficients[0])
      && fabs (lines.coefficients[0]) < 1e30 && fabs (lines.coefficients[1]) < 1e30
      && fabs (lines.coefficients[1]) > 1e-30) {
    words->intercept = lines.coefficients[0];
    words->slope = lines.coefficients[1];
  }
}

// ---- tifffile ------------------------------------------------------------------------

// The numbers between the brackets that follow.
static int
read_shape (const char *at, uint64_t shape[MOST_AXES])
{
  int n = 0;

  at += strcspn (at, "[(");
  while (*at != '\0' && n < MOST_AXES) {
    char *end;
    at++;
    const uint64_t number = g_ascii_strtoull (at, &end, 10);
    if (end == at || number == 0 || number > G_MAXUINT32)
      break;
    shape[n++] = number;
    at = end + strspn (end, " ");
    if (*at != ',')
      break;
  }
  return n;
}

// The axes of pages among those of the file, the last of which changes first.
static void
read_axes (OdlTiffWords *words, const char *letters, const uint64_t *shape, int n)
{
  static const char axes[] = "CZT";
  int n_found = 0, order[ODL_TIFF_N_AXES];
  uint64_t extent[ODL_TIFF_N_AXES] = { 1, 1, 1 };
  unsigned seen = 0;

  for (int i = n - 1; i >= 0; i--) {
    const char *at = strchr (axes, letters[i]);
    if (strchr ("YXS", letters[i]) != NULL || shape[i] == 1)
      continue;
    if (at == NULL || (seen & 1u << (at - axes)) != 0)
      return;
    seen |= 1u << (at - axes);
    order[n_found++] = (int) (at - axes);
    extent[at - axes] = shape[i];
  }
  for (int axis = 0; axis < ODL_TIFF_N_AXES; axis++)
    if ((seen & 1u << axis) == 0)
      order[n_found++] = axis;
  memcpy (words->order, order, sizeof order);
  memcpy (words->extent, extent, sizeof extent);
  words->has_axes = seen != 0;
}

static void
read_tifffile (OdlTiffWords *words, const char *text)
{
  const char *shape_at = strstr (text, text[0] == '{' ? "\"shape\"" : "shape=(");
  const char *axes_at = strstr (text, "\"axes\"");
  uint64_t shape[MOST_AXES];
  const int n = shape_at != NULL ? read_shape (shape_at, shape) : 0;

  if (n == 0)
    return;
  words->by = "tifffile";
  const char *letters = axes_at != NULL ? axes_at + strlen ("\"axes\"") : "";
  letters += strspn (letters, " :\"");
  if ((int) strcspn (letters, "\"") == n)
    read_axes (words, letters, shape, n);
}

void
odl_tiff_words_read (OdlTiffWords *words, const char *description, uint32_t n_pages)
{
  g_autofree char *text = NULL;

  *words = (OdlTiffWords){ .extent = { 1, 1, 1 },
                           .order = { ODL_TIFF_C, ODL_TIFF_Z, ODL_TIFF_T },
                           .slope = 1 };
  if (description == NULL)
    return;
  if (g_str_has_prefix (description, "<?xml") || g_str_has_prefix (description, "<OME")) {
    odl_tiff_ome_read (words, description, n_pages);
    return;
  }
  text = g_strndup (description, MOST_BYTES);
  if (g_str_has_prefix (text, IMAGEJ))
    read_imagej (words, text);
  else if (text[0] == '{' || g_str_has_prefix (text, "shape=("))
    read_tifffile (words, text);
}

void
odl_tiff_words_clear (OdlTiffWords *words)
{
  g_clear_pointer (&words->pages, g_array_unref);
  g_clear_pointer (&words->stamps_s, g_array_unref);
}
