// SPDX-License-Identifier: MIT
// The recipe of a session and its history.
#include <glib/gi18n-lib.h>

#include "engine/received.h"
#include "filter/received.h"
#include "session/computing.h"
#include "session/session_private.h"

// In the picture, or in all slices of a volume, when they have been read.
static bool
measure (OdlSession *self, OdlRecipe *recipe)
{
  OdlImage *image = self->image ? odl_session_measured_image (self, recipe) : NULL;
  return image
         && odl_measure_recipe (
             recipe,
             &(OdlMeasured){ .image = image,
                             .operands = odl_session_geometry (self, image).operands });
}

void
odl_session_settle (OdlSession *self, OdlRecipe *recipe)
{
  const OdlRecipe before = *recipe;
  if (!measure (self, recipe) || !odl_recipe_found_no_noise (&before, recipe))
    return;
  odl_session_say (self, _ ("There is no noise in this picture: the thresholds are 0 and "
                            "change nothing. Move a slider to filter it."));
}

// What the recipe in force, or the one beside it, still waits for; true if it was there.
static bool
settle_late (OdlSession *self)
{
  OdlRecipe recipe = *odl_session_recipe (self);
  if (self->has_other && !odl_recipe_is_measured (&self->other.recipe)
      && measure (self, &self->other.recipe))
    g_clear_pointer (&self->other_plan, odl_plan_unref);
  if (odl_recipe_is_measured (&recipe))
    return false;
  odl_session_settle (self, &recipe);
  return odl_history_amend (&self->history, &recipe);
}

void
odl_session_volume_came (OdlSession *self)
{
  if (settle_late (self))
    g_object_notify (G_OBJECT (self), "recipe");
}

static void
recipe_changed (OdlSession *self)
{
  settle_late (self);
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_render (self);
}

void
odl_session_put_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  if (odl_history_push (&self->history, recipe, tag, g_get_monotonic_time () / 1000))
    recipe_changed (self);
  else if (odl_history_amend (&self->history, recipe))
    g_object_notify (G_OBJECT (self), "recipe");
}

void
odl_session_set_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  OdlRecipe next = *recipe;
  if (!odl_recipe_has_view (&next, next.view))
    next.view = ODL_VIEW_SYNTHESIS;
  if (!odl_session_takes_operands (self, &next, tag))
    return;
  odl_session_settle (self, &next);
  odl_session_put_recipe (self, &next, tag);
}

bool
odl_session_take_noise (OdlSession *self,
                        int item,
                        OdlImage *image,
                        const OdlNoisePart *part)
{
  OdlRecipe next = *odl_session_recipe (self), measured = next;
  bool any = false;
  if (!(odl_deviation_of (image, next.colour, part) >= ODL_NO_NOISE))
    return false;
  for (int i = 0; i < next.n_items; i++)
    any |= (item < 0 || i == item) && odl_recipe_forget_noise (&measured, i);
  if (!any)
    return false;
  odl_measure_recipe (
      &measured,
      &(OdlMeasured){ image, odl_session_geometry (self, image).operands, part });
  for (int i = 0; i < next.n_items; i++)
    if (item < 0 || i == item)
      next.items[i] = measured.items[i];
  odl_session_put_recipe (self, &next, NULL);
  return true;
}

const OdlRecipe *
odl_session_recipe (OdlSession *self)
{
  return odl_history_current (&self->history);
}

// Steps in between are neither measured nor shown.
static bool
go_to (OdlHistory *history, guint step)
{
  bool moved = false;
  while (history->position > step && odl_history_undo (history))
    moved = true;
  while (history->position < step && odl_history_redo (history))
    moved = true;
  return moved;
}

void
odl_session_go_to_step (OdlSession *self, guint step)
{
  const OdlRecipe recipe = *odl_session_recipe (self);
  g_autoptr (OdlAnnotations) annotations
      = odl_annotations_ref (odl_session_annotations (self));
  if (!go_to (&self->history, step))
    return;
  if (annotations != odl_session_annotations (self))
    odl_session_store_annotations (self);
  if (!odl_recipe_equal (&recipe, odl_session_recipe (self)))
    recipe_changed (self);
}

void
odl_session_undo (OdlSession *self)
{
  if (odl_history_can_undo (&self->history))
    odl_session_go_to_step (self, self->history.position - 1);
}

void
odl_session_redo (OdlSession *self)
{
  if (odl_history_can_redo (&self->history))
    odl_session_go_to_step (self, self->history.position + 1);
}

void
odl_session_restore_history (OdlSession *self, const OdlHistory *history)
{
  odl_history_clear (&self->history);
  odl_history_copy (history, &self->history);
  odl_session_tell_annotations (self);
  recipe_changed (self);
}

bool
odl_session_volume_work (OdlSession *self, OdlVolumeWork *work)
{
  return odl_renderer_work (self->renderer, work)
         && (odl_session_uses_volume (self) || !self->playing
             || odl_session_is_computing (self));
}

void
odl_session_give_up_volume (OdlSession *self)
{
  OdlRecipe next = *odl_session_recipe (self);
  const bool volumetric = odl_recipe_is_volumetric (&next);
  for (int i = 0; i < next.n_items; i++)
    next.items[i].bypassed
        |= !volumetric || odl_recipe_item_dimensions (&next.items[i]) > 2;
  odl_session_set_recipe (self, &next, NULL);
}

void
odl_session_set_keep_recipe (OdlSession *self, bool keep)
{
  self->keep_recipe = keep;
}
