// SPDX-License-Identifier: MIT
// A second recipe that the one in force is compared with: both filter the same frames.
#include "session/session_private.h"

#include "plan/step.h"

void
odl_session_set_other (OdlSession *self, const OdlOther *other)
{
  if (!other && !self->has_other)
    return;
  self->has_other = other != NULL;
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  self->other_failed = false;
  if (other) {
    self->other = *other;
    self->other.recipe.view = ODL_VIEW_SYNTHESIS;
    odl_session_volume_came (self);
  }
  odl_session_render (self);
}

// What both recipes take away from the picture as it came, whose difference is that of
// their results: such views need filters that act.
bool
odl_session_shows_difference (OdlSession *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self);
  return self->has_other && self->other.difference
         && odl_recipe_has_view (recipe, ODL_VIEW_RESIDUAL)
         && odl_recipe_has_view (&self->other.recipe, ODL_VIEW_RESIDUAL)
         && !odl_session_uses_volume (self);
}

static bool
ensure_plan (OdlSession *self)
{
  const bool of_volume = odl_session_uses_volume (self);
  g_autoptr (GError) error = NULL;
  OdlGeometry geometry;
  if (!odl_session_other_geometry (self, &self->other.recipe, &geometry))
    return false;
  if (self->other_plan && self->other_plan_of == self->plan
      && self->other_plan_of_volume == of_volume)
    return true;
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  OdlRecipe recipe = self->other.recipe;
  recipe.view = odl_session_shows_difference (self) ? ODL_VIEW_RESIDUAL : recipe.view;
  self->other_plan = odl_plan_new (&recipe, &geometry, &error);
  self->other_plan_of_volume = of_volume;
  g_clear_pointer (&self->other_plan_of, odl_plan_unref);
  self->other_plan_of = odl_plan_ref (self->plan);
  if (!self->other_plan && !self->other_failed)
    odl_session_say (self, error->message);
  self->other_failed = !self->other_plan;
  return self->other_plan != NULL;
}

// If a registration draws its deformed grid over the result, the picture as it came gets
// the grid before that. With no iterations the same filter finds no motion and draws it.
// False: there is no such registration.
static bool
find_grid (OdlSession *self, OdlRecipe *recipe)
{
  *recipe = *odl_session_recipe (self);
  for (int i = recipe->n_items - 1; i >= 0; i--)
    if (recipe->items[i].filter->kind == ODL_FILTER_REGISTER
        && odl_recipe_operand (recipe, i) != NULL
        && odl_recipe_get (recipe, i, "output", 0) == ODL_REGISTER_GRID) {
      recipe->items[0] = recipe->items[i];
      recipe->n_items = 1;
      const OdlParameter *iterations
          = odl_filter_parameter (recipe->items[0].filter, "iterations");
      recipe->items[0].values[iterations->offset] = 0;
      return true;
    }
  return false;
}

static void
add_grid (OdlSession *self, OdlFrame *frame)
{
  OdlRecipe recipe;
  OdlGeometry geometry;
  if (!find_grid (self, &recipe)
      || !odl_session_other_geometry (self, &recipe, &geometry))
    return;
  frame->other = odl_plan_new (&recipe, &geometry, NULL);
  frame->other_recipe = recipe;
  frame->gridded = frame->other != NULL;
}

void
odl_session_add_other (OdlSession *self, OdlFrame *frame)
{
  if (!self->has_other && self->planned.view == ODL_VIEW_SYNTHESIS)
    add_grid (self, frame);
  const bool suits = self->has_other && !odl_image_info (frame->input)->surface
                     && !odl_view_is_within (self->planned.view);
  if (!suits || !ensure_plan (self))
    return;
  frame->other = odl_plan_ref (self->other_plan);
  frame->other_recipe = self->other.recipe;
  frame->letter = self->other.letter;
  frame->other_letter = self->other.other_letter;
  frame->difference = odl_session_shows_difference (self);
}
