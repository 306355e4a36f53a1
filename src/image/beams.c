// SPDX-License-Identifier: MIT
#include "image/beams.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

// Beams of an array are no more than so far apart.
#define MOST_MM 10000.0
#define MOST_DB 1000.0

static bool
is_within (double value, double least, double most)
{
  return isfinite (value) && value >= least && value <= most;
}

int
odl_beams_count (const OdlBeams *beams, int columns)
{
  return beams->content == ODL_BEAMS_COMPLEX ? columns / 2 : columns;
}

bool
odl_beams_are_sound (const OdlBeams *beams, int columns, int rows)
{
  const int count = odl_beams_count (beams, columns);
  const double last = beams->first + beams->step * (count - 1);
  const bool curved = beams->array == ODL_BEAMS_CURVILINEAR;
  const double most = curved ? G_PI : MOST_MM;

  return (curved || beams->array == ODL_BEAMS_LINEAR) && count >= 2 && rows >= 2
         && (beams->content != ODL_BEAMS_COMPLEX || columns % 2 == 0)
         && beams->content >= 0 && beams->content < ODL_N_BEAM_CONTENTS
         && is_within (beams->radius_mm, 0, MOST_MM)
         && is_within (beams->first, -most, most) && is_within (last, -most, most)
         && beams->step > 0
         && is_within (beams->steering, curved ? 0 : -G_PI / 3, curved ? 0 : G_PI / 3)
         && is_within (beams->range_db, 0, MOST_DB)
         && is_within (beams->start_mm, 0, MOST_MM) && beams->sample_mm > 0
         && is_within (beams->sample_mm * (rows - 1), 0, MOST_MM);
}

OdlBeamsPoint
odl_beams_place (const OdlBeams *beams, double column, double row)
{
  const double at = beams->first + beams->step * column;
  const double depth = beams->start_mm + beams->sample_mm * row;

  if (beams->array == ODL_BEAMS_LINEAR)
    return (OdlBeamsPoint){ at + depth * sin (beams->steering),
                            depth * cos (beams->steering) };
  return (OdlBeamsPoint){ (beams->radius_mm + depth) * sin (at),
                          (beams->radius_mm + depth) * cos (at) - beams->radius_mm };
}

OdlBeamsPoint
odl_beams_find (const OdlBeams *beams, double x_mm, double y_mm)
{
  double at, depth;

  if (beams->array == ODL_BEAMS_LINEAR) {
    depth = y_mm / cos (beams->steering);
    at = x_mm - y_mm * tan (beams->steering);
  } else {
    depth = hypot (x_mm, y_mm + beams->radius_mm) - beams->radius_mm;
    at = atan2 (x_mm, y_mm + beams->radius_mm);
  }
  return (OdlBeamsPoint){ (at - beams->first) / beams->step,
                          (depth - beams->start_mm) / beams->sample_mm };
}

void
odl_beams_describe (const OdlBeams *beams,
                    int columns,
                    int rows,
                    double spacing_mm[2],
                    double *aspect)
{
  const double column = (odl_beams_count (beams, columns) - 1) / 2.0;
  const double row = (rows - 1) / 2.0;
  const OdlBeamsPoint left = odl_beams_place (beams, column - 0.5, row);
  const OdlBeamsPoint right = odl_beams_place (beams, column + 0.5, row);
  const bool upright = beams->array == ODL_BEAMS_LINEAR && beams->steering == 0
                       && beams->content != ODL_BEAMS_COMPLEX;

  spacing_mm[0] = upright ? beams->step : 0;
  spacing_mm[1] = upright ? beams->sample_mm : 0;
  *aspect = CLAMP (hypot (right.x - left.x, right.y - left.y) / beams->sample_mm, 0.001,
                   1000);
}

static void
include (OdlBeamsBox *box, OdlBeamsPoint point)
{
  box->left = MIN (box->left, point.x);
  box->right = MAX (box->right, point.x);
  box->top = MIN (box->top, point.y);
  box->bottom = MAX (box->bottom, point.y);
}

// The corners, and of arcs the places where they are farthest along an axis.
OdlBeamsBox
odl_beams_box (const OdlBeams *beams, int columns, int rows)
{
  OdlBeamsBox box = { INFINITY, INFINITY, -INFINITY, -INFINITY };

  for (int row = 0; row < rows; row += rows - 1) {
    include (&box, odl_beams_place (beams, 0, row));
    include (&box, odl_beams_place (beams, columns - 1, row));
    for (int turn = -2; turn <= 2 && beams->array == ODL_BEAMS_CURVILINEAR; turn++) {
      const double column = (turn * G_PI / 2 - beams->first) / beams->step;
      if (column > 0 && column < columns - 1)
        include (&box, odl_beams_place (beams, column, row));
    }
  }
  return box;
}

static const char *const arrays[] = {
  [ODL_BEAMS_NONE] = "",
  [ODL_BEAMS_CURVILINEAR] = "curvilinear",
  [ODL_BEAMS_LINEAR] = "linear",
};

// The name in files, and for people.
static const struct {
  const char *name, *label;
} contents[ODL_N_BEAM_CONTENTS] = {
  [ODL_BEAMS_UNKNOWN] = { "", NULL },
  [ODL_BEAMS_WAVES] = { "rf", N_ ("radio frequency") },
  [ODL_BEAMS_COMPLEX] = { "iq", N_ ("IQ: left in phase, right in quadrature") },
  [ODL_BEAMS_AMPLITUDES] = { "envelope", N_ ("amplitudes") },
  [ODL_BEAMS_DECIBELS] = { "compressed", N_ ("decibels") },
};

static const struct {
  const char *name;
  size_t offset;
} numbers[] = {
  { "radius_mm", G_STRUCT_OFFSET (OdlBeams, radius_mm) },
  { "first", G_STRUCT_OFFSET (OdlBeams, first) },
  { "step", G_STRUCT_OFFSET (OdlBeams, step) },
  { "steering", G_STRUCT_OFFSET (OdlBeams, steering) },
  { "start_mm", G_STRUCT_OFFSET (OdlBeams, start_mm) },
  { "sample_mm", G_STRUCT_OFFSET (OdlBeams, sample_mm) },
  { "range_db", G_STRUCT_OFFSET (OdlBeams, range_db) },
};

const char *
odl_beams_array_name (const OdlBeams *beams)
{
  return arrays[beams->array];
}

const char *
odl_beams_content_name (const OdlBeams *beams)
{
  return contents[beams->content].name;
}

// ---- keys of files ----

char *
odl_beams_to_key (const OdlBeams *beams)
{
  GString *text = g_string_new (odl_beams_array_name (beams));
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (beams->content != ODL_BEAMS_UNKNOWN)
    g_string_append_printf (text, " data=%s", odl_beams_content_name (beams));
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const double number = G_STRUCT_MEMBER (double, beams, numbers[i].offset);
    if (number != 0)
      g_string_append_printf (text, " %s=%s", numbers[i].name,
                              g_ascii_dtostr (digits, sizeof digits, number));
  }
  return g_string_free (text, FALSE);
}

static bool
set_array (OdlBeams *beams, const char *word)
{
  for (int i = ODL_BEAMS_CURVILINEAR; i <= ODL_BEAMS_LINEAR; i++)
    if (strcmp (word, arrays[i]) == 0)
      beams->array = i;
  return beams->array != ODL_BEAMS_NONE;
}

// "name=value"
static bool
set_field (OdlBeams *beams, const char *word)
{
  const size_t n = strcspn (word, "=");
  double number;

  if (word[n] != '=')
    return false;
  if (n == 4 && strncmp (word, "data", n) == 0) {
    for (int i = 1; i < ODL_N_BEAM_CONTENTS; i++)
      if (strcmp (word + n + 1, contents[i].name) == 0)
        beams->content = i;
    return beams->content != ODL_BEAMS_UNKNOWN;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strlen (numbers[i].name) == n && strncmp (word, numbers[i].name, n) == 0
        && odl_number_from_text (word + n + 1, &number)) {
      G_STRUCT_MEMBER (double, beams, numbers[i].offset) = number;
      return true;
    }
  return false;
}

bool
odl_beams_from_key (const char *text, OdlBeams *beams)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  OdlBeams read = { 0 };
  bool good = set_array (&read, words[0] != NULL ? words[0] : "");

  for (char **word = words; good && *++word != NULL;)
    good = **word == '\0' || set_field (&read, *word);
  if (good)
    *beams = read;
  return good;
}

// ---- for people ----

static char *
number_text (double value)
{
  char digits[32];

  return odl_text_with_minus (
      g_strdup (g_ascii_formatd (digits, sizeof digits, "%.4g", value)));
}

static char *
place_text (const OdlBeams *beams, int columns)
{
  const bool curved = beams->array == ODL_BEAMS_CURVILINEAR;
  const double unit = curved ? 180 / G_PI : 1;
  const double last = beams->first + beams->step * (odl_beams_count (beams, columns) - 1);
  g_autofree char *from = number_text (beams->first * unit);
  g_autofree char *to = number_text (last * unit);
  g_autofree char *sample = number_text (beams->sample_mm);
  g_autofree char *start = number_text (beams->start_mm);
  g_autofree char *radius = number_text (beams->radius_mm);
  g_autofree char *steering = number_text (beams->steering * 180 / G_PI);

  if (curved)
    return g_strdup_printf (
        // Translators: a radius; two angles; the length of a sample, and where they
        // begin.
        _ ("curvilinear array, radius %s mm, %s° to %s°, samples of %s mm from %s mm on"),
        radius, from, to, sample, start);
  return g_strdup_printf (
      // Translators: two places and an angle; the length of a sample, and where they
      // begin.
      _ ("linear array, %s mm to %s mm, steered by %s°, samples of %s mm from %s mm on"),
      from, to, steering, sample, start);
}

char *
odl_beams_to_text (const OdlBeams *beams, int columns)
{
  if (beams->array == ODL_BEAMS_NONE)
    return NULL;
  g_autofree char *place = place_text (beams, columns);
  return beams->content == ODL_BEAMS_UNKNOWN
             ? g_steal_pointer (&place)
             // Translators: where beams lie; what their samples are.
             : g_strdup_printf (_ ("%s; %s"), place, _ (contents[beams->content].label));
}
