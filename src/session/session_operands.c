// SPDX-License-Identifier: MIT
// Second pictures of a session's recipe. A recipe that names others is in force when they
// have been read; until then, and where that fails, the one before stays. Beside them:
// pictures that say where filters act.
#include <glib/gi18n-lib.h>

#include "engine/register.h"
#include "filter/received.h"
#include "session/job.h"
#include "session/session_private.h"
#include "source/operand.h"

struct _OdlOperandReader {
  OdlOperands *operands; // at least those of the recipe; NULL: none yet
  OdlArea area; // where filters act
  OdlOperands *masks; // that say so; NULL: everywhere
  OdlOperands *all; // both, when they were asked for; NULL: not since one of them changed
  GCancellable *job; // others are being read; NULL: none
  OdlOperandsCame *came; // what was read, until the session settles; NULL: nothing
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

int
odl_session_missing_operand (OdlSession *self, const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++) {
    const char *file = odl_recipe_operand (recipe, i);
    if (file && !odl_operands_find (self->operand_reader->operands, file))
      return i;
  }
  return -1;
}

static void
drop_came (OdlOperandReader *reader)
{
  g_clear_pointer (&reader->came, odl_operands_came_free);
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
    odl_session_mark (self, ODL_MARK_PICTURE);
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
  geometry.stands_in = true; // what the plan leaves out is told beside the picture
  return geometry;
}

// The recipe that they belong to is for the session to set, when it settles.
static void
done (void *owner, void *operands, const GError *error, void *data)
{
  OdlSession *self = owner;
  OdlOperandReader *reader = self->operand_reader;
  const Job *job = data;
  g_clear_object (&reader->job);
  if (operands) {
    g_clear_pointer (&reader->operands, odl_operands_unref);
    drop_all (reader);
    reader->operands = operands;
  }
  drop_came (reader);
  reader->came = g_new (OdlOperandsCame, 1);
  *reader->came
      = (OdlOperandsCame){ job->recipe, g_strdup (job->tag), job->present,
                           g_strdup (job->note), error ? g_error_copy (error) : NULL };
  odl_session_mark (self, ODL_MARK_OPERANDS);
}

OdlOperandsCame *
odl_session_steal_operands_came (OdlSession *self)
{
  return g_steal_pointer (&self->operand_reader->came);
}

void
odl_operands_came_free (OdlOperandsCame *came)
{
  g_free (came->tag);
  g_free (came->note);
  g_clear_error (&came->error);
  g_free (came);
}

void
odl_session_read_operands (OdlSession *self,
                           const OdlRecipe *recipe,
                           const char *tag,
                           bool present)
{
  static const OdlJobClass klass
      = { work, done, (GDestroyNotify) odl_operands_unref, job_free };
  OdlOperandReader *reader = self->operand_reader;
  odl_session_stop_reading (self);
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
  drop_came (self->operand_reader);
}

OdlOperands *
odl_session_operands (OdlSession *self)
{
  return all_of (self->operand_reader);
}

bool
odl_session_is_reading (OdlSession *self)
{
  return self->operand_reader->job || self->operand_reader->came;
}

OdlOperandReader *
odl_operand_reader_new (void)
{
  return g_new0 (OdlOperandReader, 1);
}

void
odl_operand_reader_free (OdlOperandReader *self)
{
  drop_came (self);
  odl_operands_unref (self->operands);
  odl_operands_unref (self->masks);
  odl_operands_unref (self->all);
  g_free (self);
}
