// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/matrix_words.h"

#include <glib/gi18n-lib.h>

const OdlMatrixWords odl_matrix_words[] = {
  [ODL_FOLLOWS_NOTHING] = { .bands = { "HL", "LH", "HH" },
                            .icon = "view-refresh-symbolic",
                            .follow = N_ ("Measure it in every frame"),
                            .reset = N_ ("Double-click resets to the default"),
                            .link = N_ ("One number for the three bands") },
  [ODL_FOLLOWS_SLICES] = { .bands = { "LLH", "HLH", "LHH", "HHH" },
                           .icon = "view-paged-symbolic",
                           .follow = N_ ("As in the slices: HL, HL, LH and HH"),
                           .reset = N_ ("Double-click takes that of the slices"),
                           .link = N_ ("One number for the four bands") },
  [ODL_FOLLOWS_RISING] = { .bands = { "HL −75°", "LH −15°", "HH −45°" },
                           .icon = "object-flip-horizontal-symbolic",
                           .follow = N_ ("As for edges that rise to the right"),
                           .reset = N_ ("Double-click takes that of rising edges"),
                           .link = N_ ("One number for the three directions") },
};

double
odl_matrix_followed (const OdlRecipeItem *item,
                     const OdlParameter *parameter,
                     int index,
                     int count)
{
  double largest = 0;
  for (int i = index; i < index + count; i++)
    largest = MAX (largest, odl_recipe_item_followed (item, parameter, i));
  return largest;
}

char *
odl_matrix_label (const OdlParameter *parameter, int index)
{
  const int level = index / odl_parameter_bands (parameter) + 1;
  return parameter->kind == ODL_PARAMETER_MATRIX
             ? g_strdup_printf ("%s\u00a0%d", _ (parameter->label), level)
             : g_strdup (_ (parameter->label));
}

char *
odl_matrix_full_label (const OdlParameter *parameter, const char *label, const char *unit)
{
  // Translators: a setting's name and its unit.
  return unit && *parameter->unit ? g_strdup_printf (_ ("%s (%s)"), label, unit)
                                  : g_strdup (label);
}
