// SPDX-License-Identifier: MIT
#include "image/annotation/table.h"

#include <inttypes.h>
#include <math.h>

const char *
odl_scale_place_name (const OdlScale *scale)
{
  static const char *const names[ODL_N_SPACING_PLACES] = {
    [ODL_SPACING_IN_OBJECT] = "object",
    [ODL_SPACING_AT_DETECTOR] = "detector",
    [ODL_SPACING_ON_FILM] = "film",
  };

  return scale->known ? names[scale->place] : NULL;
}

// A field in quotation marks.
static void
append_quoted (GString *row, const char *text)
{
  g_string_append_c (row, '"');
  for (; *text != '\0'; text++)
    g_string_append_printf (row, *text == '"' ? "\"%c" : "%c", *text);
  g_string_append (row, "\",");
}

// NaN: an empty field.
static void
append_number (GString *row, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (row, g_ascii_dtostr (number, sizeof number, value));
  g_string_append_c (row, ',');
}

void
odl_measure_table_add (GString *table,
                       const char *input,
                       int64_t frame,
                       const OdlAnnotation *annotation,
                       const char *numbers,
                       const OdlSubject *subject)
{
  g_autofree char *own = numbers ? NULL : odl_annotation_to_numbers (annotation);
  const OdlScale scale = odl_annotation_scale (annotation, &subject->scale);
  const char *place = odl_scale_place_name (&scale);
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (annotation, subject, measures);

  for (int m = 0; m < n; m++) {
    append_quoted (table, input);
    g_string_append_printf (table, "%" PRId64 ",%s,", frame, annotation->kind->name);
    append_quoted (table, numbers ? numbers : own);
    g_string_append_printf (table, "%s,", measures[m].name);
    append_number (table, measures[m].value);
    append_number (table, measures[m].after);
    append_quoted (table, measures[m].unit);
    g_string_append_printf (table, "%s\n", place ? place : "");
  }
}
