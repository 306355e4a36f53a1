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
    [ODL_SPACING_BY_HAND] = "hand",
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

// What the rows of one annotation have in common.
typedef struct {
  const char *input, *kind, *numbers, *place, *plane;
  int64_t frame;
} Row;

static void
begin_row (GString *table, const Row *row, const char *name)
{
  append_quoted (table, row->input);
  g_string_append_printf (table, "%" PRId64 ",%s,", row->frame, row->kind);
  append_quoted (table, row->numbers);
  g_string_append_printf (table, "%s,", name);
}

static void
add_samples (GString *table,
             const Row *row,
             const OdlAnnotation *annotation,
             const OdlSubject *subject)
{
  g_auto (OdlProfile) profile = odl_profile_read (annotation, subject);

  for (int i = 0; i < profile.n; i++) {
    begin_row (table, row, "sample");
    append_number (table, profile.before[i]);
    append_number (table, profile.after ? profile.after[i] : NAN);
    append_quoted (table, profile.unit);
    g_string_append_printf (table, "%s,%s,", row->place, row->plane);
    append_number (table, profile.at[i]);
    g_string_append_printf (table, "%s,\n", profile.at_unit);
  }
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
  g_autofree char *why = odl_annotation_suv_unknown (annotation, subject);
  g_autofree char *plane
      = annotation->on.used ? odl_on_plane_to_text (&annotation->on) : g_strdup ("");
  const Row row = {
    input, annotation->kind->name, numbers ? numbers : own, place ? place : "", plane,
    frame
  };

  for (int m = 0; m < n; m++) {
    begin_row (table, &row, measures[m].name);
    append_number (table, measures[m].value);
    append_number (table, measures[m].after);
    append_quoted (table, measures[m].unit);
    g_string_append_printf (table, "%s,%s,,,\n", row.place, row.plane);
  }
  if (why) {
    begin_row (table, &row, "suv");
    g_string_append_printf (table, ",,\"" ODL_UNIT_SUV "\",%s,%s,,,", row.place,
                            row.plane);
    append_quoted (table, why);
    table->str[table->len - 1] = '\n';
  }
  if (annotation->kind == &odl_annotation_profile)
    add_samples (table, &row, annotation, subject);
}

void
odl_measure_table_add_calculated (GString *table,
                                  const char *input,
                                  int64_t frame,
                                  const OdlCalculation *calculation,
                                  const OdlCalculationPart *parts,
                                  const OdlCalculated *calculated)
{
  const char *place = odl_scale_place_name (&calculated->scale);
  g_autoptr (GString) numbers = g_string_new (NULL);

  for (int i = 0; i < calculation->n_inputs; i++) {
    g_autofree char *own = odl_annotation_to_numbers (parts[i].annotation);
    g_string_append_printf (numbers, "%s: %s %s; ", calculation->inputs[i].name,
                            parts[i].annotation->kind->name, own);
  }
  if (calculated->outside)
    g_string_append (numbers, "outside the published range; ");
  g_string_append (numbers, "this program's, not for diagnosis");
  const Row row = { input, "calculation", numbers->str, place ? place : "", "", frame };
  begin_row (table, &row, calculation->name);
  append_number (table, calculated->value);
  append_number (table, NAN);
  append_quoted (table, calculation->unit);
  g_string_append_printf (table, "%s,,,,\n", row.place);
}

char *
odl_profile_to_csv (const OdlProfile *profile)
{
  GString *table = g_string_new ("x,y,at,at_unit,before,after,unit\n");

  for (int i = 0; i < profile->n; i++) {
    append_number (table, profile->positions[i].x);
    append_number (table, profile->positions[i].y);
    append_number (table, profile->at[i]);
    g_string_append_printf (table, "%s,", profile->at_unit);
    append_number (table, profile->before[i]);
    append_number (table, profile->after ? profile->after[i] : NAN);
    append_quoted (table, profile->unit);
    table->str[table->len - 1] = '\n';
  }
  return g_string_free (table, FALSE);
}
