// SPDX-License-Identifier: MIT
#include "cli/measure_calculate.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "image/annotation/table.h"

bool
odl_measure_calculations_exist (char *const *names, GError **error)
{
  for (char *const *name = names; name != NULL && *name != NULL; name++)
    if (odl_calculation_find (*name) == NULL)
      return odl_usage_error (error,
                              _ ("--calculate %s: there is no such calculation. “list "
                                 "calculations” names those that there are."),
                              *name);
  return true;
}

static void
clear (void *data)
{
  OdlMeasureCalculated *one = data;

  odl_calculated_clear (&one->calculated);
}

// The first one from *next on that fits; it goes on behind it. NULL: there is none.
static const OdlAnnotation *
take (const OdlCalculationInput *input,
      const OdlAnnotation *const *annotations,
      guint n,
      guint *next)
{
  while (*next < n) {
    const OdlAnnotation *annotation = annotations[(*next)++];
    if (odl_calculation_fits (input, annotation))
      return annotation;
  }
  return NULL;
}

static bool
calculate (OdlMeasureCalculated *one,
           const OdlAnnotation *const *annotations,
           guint n,
           const OdlScale *scale,
           GError **error)
{
  guint next_closed = 0, next_length = 0;

  for (int i = 0; i < one->calculation->n_inputs; i++) {
    const OdlCalculationInput *input = &one->calculation->inputs[i];
    guint *next = input->takes == ODL_TAKES_CLOSED ? &next_closed : &next_length;
    one->parts[i]
        = (OdlCalculationPart){ take (input, annotations, n, next), *scale, NULL };
  }
  if (odl_calculate (one->calculation, one->parts, &one->calculated, error))
    return true;
  g_prefix_error (error, "--calculate %s: ", one->calculation->name);
  return false;
}

GArray *
odl_measure_calculate (char *const *names,
                       const OdlAnnotation *const *annotations,
                       guint n,
                       const OdlScale *scale,
                       GError **error)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (OdlMeasureCalculated));

  g_array_set_clear_func (all, clear);
  for (char *const *name = names; name != NULL && *name != NULL; name++) {
    OdlMeasureCalculated one = { .calculation = odl_calculation_find (*name) };
    if (!calculate (&one, annotations, n, scale, error))
      return NULL;
    g_array_append_val (all, one);
  }
  return g_steal_pointer (&all);
}

// ---- what is written -----------------------------------------------------------------

void
odl_measure_print_calculated (const GArray *calculated)
{
  for (guint i = 0; i < calculated->len; i++) {
    const OdlMeasureCalculated *one
        = &g_array_index (calculated, OdlMeasureCalculated, i);
    g_autofree char *line = odl_calculated_to_line (one->calculation, &one->calculated);
    g_print ("%s: %s\n    %s\n", one->calculation->name, line,
             _ (one->calculation->formula));
  }
}

void
odl_measure_write_calculated (OdlJson *json, const GArray *calculated)
{
  if (calculated->len == 0)
    return;
  odl_json_begin_array (json, "calculated");
  for (guint i = 0; i < calculated->len; i++) {
    const OdlMeasureCalculated *one
        = &g_array_index (calculated, OdlMeasureCalculated, i);
    const OdlCalculation *calculation = one->calculation;
    odl_json_begin_object (json, NULL);
    odl_json_string (json, "name", calculation->name);
    odl_json_number (json, "value", one->calculated.value);
    odl_json_string (json, "unit", calculation->unit);
    odl_json_string (json, "spacing", odl_scale_place_name (&one->calculated.scale));
    odl_json_bool (json, "outside_published_range", one->calculated.outside);
    odl_json_string (json, "note", one->calculated.note);
    odl_json_string (json, "formula", calculation->formula);
    odl_json_string (json, "source", calculation->source);
    odl_json_string (json, "warning", odl_calculation_warning ());
    odl_json_begin_array (json, "inputs");
    for (int k = 0; k < calculation->n_inputs; k++) {
      const OdlAnnotation *annotation = one->parts[k].annotation;
      g_autofree char *numbers = odl_annotation_to_numbers (annotation);
      odl_json_begin_object (json, NULL);
      odl_json_string (json, "name", calculation->inputs[k].name);
      odl_json_string (json, "kind", annotation->kind->name);
      odl_json_string (json, "numbers", numbers);
      odl_json_end_object (json);
    }
    odl_json_end_array (json);
    odl_json_end_object (json);
  }
  odl_json_end_array (json);
}

void
odl_measure_add_calculated (GString *table,
                            const char *input,
                            gint64 frame,
                            const GArray *calculated)
{
  for (guint i = 0; i < calculated->len; i++) {
    const OdlMeasureCalculated *one
        = &g_array_index (calculated, OdlMeasureCalculated, i);
    odl_measure_table_add_calculated (table, input, frame, one->calculation, one->parts,
                                      &one->calculated);
  }
}

static void
clear_line (void *data)
{
  g_free ((char *) ((OdlSaidLine *) data)->text);
}

GArray *
odl_measure_list_calculated (const GArray *calculated)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (OdlSaidLine));

  g_array_set_clear_func (lines, clear_line);
  for (guint i = 0; i < calculated->len; i++) {
    const OdlMeasureCalculated *one
        = &g_array_index (calculated, OdlMeasureCalculated, i);
    const OdlSaidLine line
        = { odl_calculated_to_line (one->calculation, &one->calculated),
            one->parts[0].annotation };
    g_array_append_val (lines, line);
  }
  return lines;
}
