// SPDX-License-Identifier: MIT
#include "cli/measure_both.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "image/quality/statistics.h"

bool
odl_measure_print_statistics (const OdlAnnotation *const *annotations,
                              guint n,
                              const OdlSubject *subject,
                              GError **error)
{
  const OdlAnnotation *regions[2] = { NULL, NULL };
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OdlAnnotation));
  int n_regions = 0;

  for (guint i = 0; i < n; i++)
    if (annotations[i]->kind == &odl_annotation_point)
      g_array_append_vals (points, annotations[i], 1);
    else if (annotations[i]->kind->values != NULL && n_regions < 2)
      regions[n_regions++] = annotations[i];
  if (n_regions == 0 && points->len == 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--statistics are those of regions and points. Name some, "
                             "such as --ellipse 10,10,20,20 --ellipse 50,10,20,20."));
  g_autoptr (GArray) rows = n_regions > 0
                                ? odl_statistic_rows (regions[0], regions[1], subject)
                                : g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));
  odl_statistic_rows_add_points (rows, (const OdlAnnotation *) (void *) points->data,
                                 points->len, subject);
  g_autofree char *text = odl_statistic_rows_to_text (rows);
  g_print ("%s", text);
  return true;
}

bool
odl_measure_read_other (const char *name, OdlRecipe *recipe, GError **error)
{
  odl_recipe_init (recipe);
  if (!odl_recipe_load_or_preset (recipe, name, error))
    return false;
  recipe->view = ODL_VIEW_SYNTHESIS;
  if (!odl_recipe_is_temporal (recipe) && !odl_recipe_is_volumetric (recipe))
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--against: filters over time or over slices see more than "
                           "one picture; %s has some."),
                        name);
}
