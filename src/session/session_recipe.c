// SPDX-License-Identifier: MIT
// The recipe of a session and its history.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "filter/measure.h"
#include "session/job.h"
#include "session/session_private.h"

static void
say_without_noise (OdlSession *self, const OdlRecipe *before, const OdlRecipe *measured)
{
  if (odl_recipe_found_no_noise (before, measured))
    odl_session_say (self, _ ("There is no noise in this picture: the thresholds are 0 "
                              "and change nothing. Move a slider to filter it."));
}

void
odl_session_settle (OdlSession *self, OdlRecipe *recipe)
{
  const OdlRecipe before = *recipe;
  if (self->image && odl_recipe_measure (recipe, self->image))
    say_without_noise (self, &before, recipe);
}

static void
recipe_changed (OdlSession *self)
{
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_render (self);
}

void
odl_session_put_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  if (odl_history_push (&self->history, recipe, tag, g_get_monotonic_time () / 1000))
    recipe_changed (self);
}

// ---- noise of bands, off the main thread
// -----------------------------------------------

// Takes some milliseconds, other values a fraction of one.
static bool
measures_bands (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++) {
    const OdlRecipeItem *item = &recipe->items[i];
    const OdlParameter *profile = odl_filter_parameter (item->filter, "profile");
    for (int k = 0; profile && k < profile->count; k++)
      if (item->values[profile->offset + k] == ODL_VALUE_AUTO)
        return true;
  }
  return false;
}

struct _OdlMeasuring {
  OdlRecipe recipe, before;
  OdlImage *image;
  char *tag;
};

static void
measuring_free (void *data)
{
  OdlMeasuring *measuring = data;
  odl_image_unref (measuring->image);
  g_free (measuring->tag);
  g_free (measuring);
}

static void *
measure_bands (void *data, GCancellable *cancellable, GError **error)
{
  OdlMeasuring *measuring = data;
  (void) cancellable, (void) error;
  odl_recipe_measure (&measuring->recipe, measuring->image);
  return g_memdup2 (&measuring->recipe, sizeof measuring->recipe);
}

static void
bands_measured (void *owner, void *result, const GError *error, void *data)
{
  OdlSession *self = owner;
  const OdlMeasuring *measuring = data;
  g_autofree OdlRecipe *recipe = result;
  (void) error;
  self->measuring = NULL; // the job frees it
  g_clear_object (&self->measuring_job);
  say_without_noise (self, &measuring->before, recipe);
  odl_session_put_recipe (self, recipe, measuring->tag);
}

void
odl_session_stop_measuring_bands (OdlSession *self)
{
  self->measuring = NULL;
  odl_job_cancel (&self->measuring_job);
}

// A recipe that is being measured is a step of the history before others are.
static void
finish_measuring_bands (OdlSession *self)
{
  if (!self->measuring)
    return;
  OdlRecipe recipe = self->measuring->before;
  g_autofree char *tag = g_strdup (self->measuring->tag);
  odl_session_stop_measuring_bands (self);
  odl_session_settle (self, &recipe);
  odl_session_put_recipe (self, &recipe, tag);
}

void
odl_session_set_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  static const OdlJobClass klass
      = { measure_bands, bands_measured, g_free, measuring_free };
  OdlRecipe next = *recipe;
  if (!odl_recipe_has_view (&next, next.view))
    next.view = ODL_VIEW_SYNTHESIS;
  if (!odl_session_takes_operands (self, &next, tag))
    return;
  finish_measuring_bands (self);
  if (!self->image || !measures_bands (&next)) {
    odl_session_settle (self, &next);
    odl_session_put_recipe (self, &next, tag);
    return;
  }
  self->measuring = g_new (OdlMeasuring, 1);
  *self->measuring
      = (OdlMeasuring){ next, next, odl_image_ref (self->image), g_strdup (tag) };
  self->measuring_job
      = odl_job_run (G_OBJECT (self), self->gate, &klass, self->measuring);
}

bool
odl_session_take_noise (OdlSession *self,
                        int item,
                        const OdlImage *image,
                        const OdlNoisePart *part)
{
  bool any = false;
  finish_measuring_bands (self);
  OdlRecipe next = *odl_session_recipe (self), measured = next;
  if (!(odl_deviation_of (image, next.colour, part) >= ODL_NO_NOISE))
    return false;
  for (int i = 0; i < next.n_items; i++)
    any |= (item < 0 || i == item) && odl_recipe_forget_noise (&measured, i);
  if (!any)
    return false;
  odl_recipe_measure_in (&measured, image, part);
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
  odl_session_stop_measuring_bands (self);
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
  if (self->measuring) // what it would set is undone
    odl_session_stop_measuring_bands (self);
  else if (odl_history_can_undo (&self->history))
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
  odl_session_stop_measuring_bands (self);
  odl_history_clear (&self->history);
  odl_history_copy (history, &self->history);
  odl_session_tell_annotations (self);
  recipe_changed (self);
}

bool
odl_session_volume_work (OdlSession *self, OdlVolumeWork *work)
{
  return odl_renderer_volume (self->renderer, work);
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
