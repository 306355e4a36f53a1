// SPDX-License-Identifier: MIT
// Operands for tests of engines.
#pragma once

#include "plans.h"

typedef OdlImage *(*OdlTestNoise) (int width,
                                   int height,
                                   int channels,
                                   OdlSampleType type,
                                   guint32 seed);

// Provides noise pictures for all filters that take a second picture, whatever file is
// named: alternating grey and colour, of various types. The result is for
// geometry->operands; transfer full.
static inline OdlOperands *
odl_test_operands (OdlRecipe *recipe, const OdlGeometry *geometry, OdlTestNoise noise)
{
  OdlOperands *operands = odl_operands_new ();

  for (int i = 0; i < recipe->n_items; i++) {
    const int turn = geometry->width + geometry->height + i;
    g_autofree char *name = g_strdup_printf ("second-%d", i);
    if (odl_filter_file (recipe->items[i].filter) == NULL)
      continue;
    g_autoptr (OdlImage) second
        = noise (geometry->width, geometry->height, turn % 2 == 0 ? 3 : 1,
                 (OdlSampleType) (turn / 2 % 4), (guint32) turn);
    g_assert_true (odl_operands_add (operands, name, second, NULL));
    odl_recipe_set_file (recipe, i, name);
  }
  return operands;
}
