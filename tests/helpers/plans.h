// SPDX-License-Identifier: MIT
// Recipes and plans from text, and running them, for tests: errors fail the test.
#pragma once

#include "engine/engine.h"
#include "plan/plan.h"

static inline OdlRecipe
odl_test_recipe (const char *text)
{
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  return recipe;
}

static inline OdlPlan *
odl_test_plan_of (const OdlRecipe *recipe, const OdlGeometry *geometry)
{
  g_autoptr (GError) error = NULL;
  OdlPlan *plan = odl_plan_new (recipe, geometry, &error);

  g_assert_no_error (error);
  return plan;
}

static inline OdlPlan *
odl_test_plan (const char *text, const OdlImage *image)
{
  const OdlRecipe recipe = odl_test_recipe (text);
  const OdlGeometry geometry = odl_geometry_of (image);

  return odl_test_plan_of (&recipe, &geometry);
}

static inline void
odl_test_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *image)
{
  g_autoptr (GError) error = NULL;

  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
  odl_engine_run (engine, plan, image, &error);
  g_assert_no_error (error);
}
