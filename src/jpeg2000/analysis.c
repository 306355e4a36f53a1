// SPDX-License-Identifier: MIT
#include "jpeg2000/analysis.h"

#include "filter/recipe.h"
#include "plan/plan.h"

const char *
odl_j2k_wavelet (bool reversible)
{
  return reversible ? "int53" : "cdf97";
}

OdlImage *
odl_j2k_analyse (OdlEngine *engine,
                 OdlImage *component,
                 bool reversible,
                 int levels,
                 GError **error)
{
  g_autofree char *text = g_strdup_printf (
      "soft-threshold:wavelet=%s,levels=%d view=analysis border=symmetric",
      odl_j2k_wavelet (reversible), levels);
  OdlGeometry geometry = odl_geometry_of (component);
  OdlRecipe recipe;

  if (levels == 0)
    return odl_image_ref (component);
  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, text, error))
    return NULL;
  geometry.steps = 1; // the unit of whole numbers
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_prepare (engine, plan, error))
    return NULL;
  return odl_engine_show (engine, plan, component, error);
}
