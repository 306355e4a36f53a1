// SPDX-License-Identifier: MIT
// The recipe of a session and its history.
#include <glib/gi18n-lib.h>

#include "engine/received.h"
#include "engine/register.h"
#include "filter/received.h"
#include "session/computing.h"
#include "session/job.h"
#include "session/session_private.h"
#include "source/operand.h"

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

// Sets the recipe as one step of the history, without checks.
static void
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

// Second pictures of a session's recipe. A recipe that names others is in force when they
// have been read; until then, and where that fails, the one before stays. Beside them:
// pictures that say where filters act.

struct _OdlOperandReader {
  OdlOperands *operands; // at least those of the recipe; NULL: none yet
  OdlArea area; // where filters act
  OdlOperands *masks; // that say so; NULL: everywhere
  OdlOperands *all; // both, when they were asked for; NULL: not since one of them changed
  GCancellable *job; // others are being read; NULL: none
};

typedef struct {
  OdlRecipe recipe; // recipe whose second pictures are being read
  OdlOperands *known;
  char *tag;
  bool present; // the recipe is already in force, by undo or by opening a picture
  OdlSource *source; // what is shown; NULL: nothing
  double spacing_mm[2]; // of it
  char *note; // how a volume lies otherwise; NULL: none does
} Job;

static void
job_free (void *data)
{
  Job *job = data;
  odl_operands_unref (job->known);
  g_clear_pointer (&job->source, odl_source_unref);
  g_free (job->note);
  g_free (job->tag);
  g_free (job);
}

static OdlImage *
read_one (const OdlRecipeItem *item, GCancellable *cancellable, GError **error)
{
  if (odl_filter_file (item->filter) == NULL)
    return odl_operand_read_kernel (item->file, cancellable, error);
  return odl_filter_takes_volume (item->filter)
             ? odl_operand_read_volume (item->file, ODL_REGISTER_VOLUMES, cancellable,
                                        error)
             : odl_operand_read (item->file, cancellable, error);
}

// Only the second pictures of the recipe; known ones are not read again. Known ones of
// bypassed filters are kept.
static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  Job *job = data;
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  for (int i = 0; i < job->recipe.n_items; i++) {
    const char *file = job->recipe.items[i].file;
    if (!file || odl_operands_find (operands, file))
      continue;
    OdlImage *known = odl_operands_find (job->known, file);
    if (!known && !odl_recipe_operand (&job->recipe, i))
      continue;
    g_autoptr (OdlImage) image
        = known ? odl_image_ref (known)
                : read_one (&job->recipe.items[i], cancellable, error);
    if (!image || !odl_operands_add (operands, file, image, error))
      return NULL;
    if (!known && job->source && !job->note && odl_image_info (image)->extent.z > 1
        && odl_recipe_item_dimensions (&job->recipe.items[i]) > 2)
      job->note
          = odl_operand_lies_otherwise (job->source, job->spacing_mm, file, cancellable);
  }
  return g_steal_pointer (&operands);
}

// The first active item whose second picture is missing; −1: none.
static int
find_missing (const OdlOperands *operands, const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++) {
    const char *file = odl_recipe_operand (recipe, i);
    if (file && !odl_operands_find (operands, file))
      return i;
  }
  return -1;
}

static void
drop_all (OdlOperandReader *reader)
{
  g_clear_pointer (&reader->all, odl_operands_unref);
}

// The same set as long as nothing changes, since plans are compared by it.
static OdlOperands *
all_of (OdlOperandReader *reader)
{
  static const char *const names[] = { ODL_AREA_INSIDE, ODL_AREA_OUTSIDE };
  if (!reader->masks)
    return reader->operands;
  if (reader->all)
    return reader->all;
  reader->all = odl_operands_copy (reader->operands);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    odl_operands_add (reader->all, names[i], odl_operands_find (reader->masks, names[i]),
                      NULL); // grey ones are shared, which cannot fail
  return reader->all;
}

static bool
take_area (OdlSession *self, OdlArea area, GError **error)
{
  OdlOperandReader *reader = self->operand_reader;
  g_autoptr (OdlOperands) masks = area != ODL_AREA_ALL ? odl_operands_new () : NULL;
  if (masks && !odl_area_add (masks, self->image, area, error))
    return false;
  drop_all (reader);
  g_clear_pointer (&reader->masks, odl_operands_unref);
  reader->masks = g_steal_pointer (&masks);
  reader->area = area;
  return true;
}

void
odl_session_begin_area (OdlSession *self)
{
  const bool has = odl_area_has_regions (odl_image_info (self->image));
  if (!take_area (self, self->keeps_to_regions && has ? ODL_AREA_REGION : ODL_AREA_ALL,
                  NULL))
    take_area (self, ODL_AREA_ALL, NULL);
}

void
odl_session_set_area (OdlSession *self, OdlArea area)
{
  g_autoptr (GError) error = NULL;
  if (!self->image || area == self->operand_reader->area)
    return;
  if (take_area (self, area, &error)) {
    odl_session_render (self);
  } else {
    // Translators: “%s” is a sentence that says why.
    g_autofree char *text
        = g_strdup_printf (_ ("Where filters act stays as it was: %s"), error->message);
    odl_session_say (self, text);
  }
  g_object_notify (G_OBJECT (self), "recipe");
}

OdlArea
odl_session_area (OdlSession *self)
{
  return self->operand_reader->area;
}

void
odl_session_set_keeps_to_regions (OdlSession *self, bool keeps)
{
  self->keeps_to_regions = keeps;
}

OdlGeometry
odl_session_geometry (OdlSession *self, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);
  geometry.operands = all_of (self->operand_reader);
  return geometry;
}

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

static void
done (void *owner, void *operands, const GError *error, void *data)
{
  OdlSession *self = owner;
  OdlOperandReader *reader = self->operand_reader;
  const Job *job = data;
  g_clear_object (&reader->job);
  if (!operands && job->present) {
    const int item = find_missing (reader->operands, odl_session_recipe (self));
    if (item >= 0)
      switch_off (self, item, error->message);
    return;
  }
  if (!operands) {
    g_object_notify (G_OBJECT (self), "recipe"); // what was set is not in force
    odl_session_refuse (self, error->message);
    return;
  }
  g_clear_pointer (&reader->operands, odl_operands_unref);
  drop_all (reader);
  reader->operands = operands;
  if (job->note)
    odl_session_say (self, job->note);
  if (job->present)
    odl_session_render (self);
  else
    odl_session_set_recipe (self, &job->recipe, job->tag);
}

static void
read_for (OdlSession *self, const OdlRecipe *recipe, const char *tag, bool present)
{
  static const OdlJobClass klass
      = { work, done, (GDestroyNotify) odl_operands_unref, job_free };
  OdlOperandReader *reader = self->operand_reader;
  odl_job_cancel (&reader->job);
  Job *job = g_new (Job, 1);
  *job = (Job){ *recipe,
                reader->operands ? odl_operands_ref (reader->operands) : NULL,
                g_strdup (tag),
                present,
                NULL,
                { 0 },
                NULL };
  if (self->source && self->image) {
    job->source = odl_source_ref (self->source);
    memcpy (job->spacing_mm, odl_image_info (self->image)->spacing_mm,
            sizeof job->spacing_mm);
  }
  reader->job = odl_job_run (G_OBJECT (self), self->gate, &klass, job);
}

void
odl_session_stop_reading (OdlSession *self)
{
  odl_job_cancel (&self->operand_reader->job);
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

bool
odl_session_takes_operands (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  g_autoptr (GError) error = NULL;
  odl_session_stop_reading (self);
  if (find_missing (self->operand_reader->operands, recipe) >= 0) {
    read_for (self, recipe, tag, false);
    return false;
  }
  if (find_misfit (self, recipe, &error) < 0)
    return true;
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_refuse (self, error->message);
  return false;
}

bool
odl_session_has_operands (OdlSession *self)
{
  const OdlRecipe *recipe = odl_history_current (&self->history);
  g_autoptr (GError) error = NULL;
  if (find_missing (self->operand_reader->operands, recipe) >= 0) {
    if (!self->operand_reader->job)
      read_for (self, recipe, NULL, true);
    return false;
  }
  const int item = find_misfit (self, recipe, &error);
  if (item >= 0)
    switch_off (self, item, error->message);
  return item < 0;
}

OdlOperands *
odl_session_operands (OdlSession *self)
{
  return all_of (self->operand_reader);
}

bool
odl_session_is_reading (OdlSession *self)
{
  return self->operand_reader->job != NULL;
}

OdlOperandReader *
odl_operand_reader_new (void)
{
  return g_new0 (OdlOperandReader, 1);
}

void
odl_operand_reader_free (OdlOperandReader *self)
{
  odl_operands_unref (self->operands);
  odl_operands_unref (self->masks);
  odl_operands_unref (self->all);
  g_free (self);
}
