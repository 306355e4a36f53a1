// SPDX-License-Identifier: MIT
// The recipe of a session and its history.
#include <glib/gi18n-lib.h>

#include "engine/received.h"
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
                             .operands = odl_session_geometry (self, image).operands,
                             .cine_later = odl_session_has_cine (self) });
}

void
odl_session_measure (OdlSession *self, OdlRecipe *recipe)
{
  const OdlRecipe before = *recipe;
  if (!measure (self, recipe) || !odl_recipe_found_no_noise (&before, recipe))
    return;
  odl_session_say (self, _ ("There is no noise in this picture: the thresholds are 0 and "
                            "change nothing. Move a slider to filter it."));
}

// What the recipe in force, or the one beside it, still waits for; true if it was there.
static bool
measure_late (OdlSession *self)
{
  OdlRecipe recipe = *odl_session_recipe (self);
  if (self->has_other && !odl_recipe_is_measured (&self->other.recipe)
      && measure (self, &self->other.recipe))
    g_clear_pointer (&self->other_plan, odl_plan_unref);
  if (odl_recipe_is_measured (&recipe))
    return false;
  odl_session_measure (self, &recipe);
  return odl_history_amend (&self->history, &recipe);
}

void
odl_session_measure_late (OdlSession *self)
{
  if (measure_late (self))
    g_object_notify (G_OBJECT (self), "recipe");
}

static void
recipe_changed (OdlSession *self)
{
  measure_late (self);
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_mark (self, ODL_MARK_PICTURE);
}

// Sets the recipe as one step of the history, without checks.
static void
odl_session_put_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  if (odl_history_push (&self->history, recipe, tag, g_get_monotonic_time () / 1000))
    recipe_changed (self);
  else if (odl_history_amend (&self->history, recipe))
    g_object_notify (G_OBJECT (self), "recipe");
}

// Reports the first filter whose second picture does not fit, and returns its index; −1:
// all fit.
static int
find_misfit (OdlSession *self, const OdlRecipe *recipe, GError **error)
{
  if (!self->image)
    return -1;
  OdlGeometry geometry = odl_session_geometry (self, self->image);
  geometry.depth = MAX (odl_session_info (self)->n_slices, 1);
  for (int i = 0; i < recipe->n_items; i++)
    if (!odl_plan_check_operand (recipe, i, &geometry, error))
      return i;
  return -1;
}

// Whether the second pictures of a recipe to be set are available and fit. False: it is
// set when they have been read; if they cannot be, it is not, and a message says so.
static bool
takes_operands (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  g_autoptr (GError) error = NULL;
  odl_session_stop_reading (self);
  if (odl_session_missing_operand (self, recipe) >= 0) {
    odl_session_read_operands (self, recipe, tag, false);
    return false;
  }
  if (find_misfit (self, recipe, &error) < 0)
    return true;
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_refuse (self, error->message);
  return false;
}

void
odl_session_set_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  OdlRecipe next = *recipe;
  if (!odl_recipe_has_view (&next, next.view))
    next.view = ODL_VIEW_SYNTHESIS;
  if (!takes_operands (self, &next, tag))
    return;
  odl_session_measure (self, &next);
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
      &measured, &(OdlMeasured){ .image = image,
                                 .operands = odl_session_geometry (self, image).operands,
                                 .part = part,
                                 .cine_later = odl_session_has_cine (self) });
  for (int i = 0; i < next.n_items; i++)
    if (item < 0 || i == item)
      next.items[i] = measured.items[i];
  odl_session_put_recipe (self, &next, NULL);
  return true;
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

// ---- second pictures ------------------------------------------------------------------

// Bypasses a filter and reports why, since otherwise the old picture would stay with a
// wrong title.
static void
switch_off (OdlSession *self, int item, const char *reason)
{
  OdlRecipe recipe = *odl_history_current (&self->history);
  recipe.items[item].bypassed = true;
  g_autofree char *text
      // Translators: the name of a filter; then why, as a sentence.
      = g_strdup_printf (_ ("The filter “%s” is switched off. %s"),
                         _ (recipe.items[item].filter->label), reason);
  odl_session_put_recipe (self, &recipe, NULL);
  odl_session_refuse (self, text);
}

bool
odl_session_has_operands (OdlSession *self)
{
  const OdlRecipe *recipe = odl_history_current (&self->history);
  g_autoptr (GError) error = NULL;
  if (odl_session_missing_operand (self, recipe) >= 0) {
    if (!odl_session_is_reading (self))
      odl_session_read_operands (self, recipe, NULL, true);
    return false;
  }
  const int item = find_misfit (self, recipe, &error);
  if (item >= 0)
    switch_off (self, item, error->message);
  return item < 0;
}

void
odl_session_take_operands (OdlSession *self)
{
  OdlOperandsCame *came = odl_session_steal_operands_came (self);
  if (!came)
    return;
  const int lacking = came->present
                          ? odl_session_missing_operand (self, odl_session_recipe (self))
                          : -1;
  if (came->error && came->present) {
    if (lacking >= 0)
      switch_off (self, lacking, came->error->message);
  } else if (came->error) {
    g_object_notify (G_OBJECT (self), "recipe"); // what was set is not in force
    odl_session_refuse (self, came->error->message);
  } else {
    if (came->note)
      odl_session_say (self, came->note);
    if (came->present)
      odl_session_mark (self, ODL_MARK_PICTURE);
    else
      odl_session_set_recipe (self, &came->recipe, came->tag);
  }
  odl_operands_came_free (came);
}
