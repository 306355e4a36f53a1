// SPDX-License-Identifier: MIT
// Second pictures of a session's recipe. A recipe that names others is in force when they
// have been read; until then, and where that fails, the one before stays.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "session/operand_reader.h"
#include "session/session_private.h"

typedef struct {
  GWeakRef session;
  OdlRecipe recipe; // to be set then
  char *tag;
  bool present; // it is in force already, by undo or with the picture
} Reading;

static void
reading_free (Reading *reading)
{
  g_weak_ref_clear (&reading->session);
  g_free (reading->tag);
  g_free (reading);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reading, reading_free)

OdlGeometry
odl_session_geometry (OdlSession *self, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);
  geometry.operands = self->operands;
  return geometry;
}

// Says why a filter does nothing from now on: a picture that nobody computes is worse.
static void
switch_off (OdlSession *self, int item, const char *reason)
{
  OdlRecipe recipe = *odl_history_current (&self->history);
  recipe.items[item].bypassed = true;
  g_autofree char *text
      // Translators: the name of a filter; then why, as a sentence.
      = g_strdup_printf (_ ("The filter “%s” is switched off. %s"),
                         _ (recipe.items[item].filter->label), reason);
  odl_session_say (self, text);
  odl_session_put_recipe (self, &recipe, NULL);
}

// Of what is in force; the others may be there.
static void
switch_off_missing (OdlSession *self, const char *reason)
{
  const OdlRecipe *recipe = odl_history_current (&self->history);
  for (int i = 0; i < recipe->n_items; i++) {
    const char *file = odl_recipe_operand (recipe, i);
    if (file && !odl_operands_find (self->operands, file)) {
      switch_off (self, i, reason);
      return;
    }
  }
}

static void
read_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (Reading) reading = data;
  g_autoptr (OdlSession) self = g_weak_ref_get (&reading->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlOperands) operands = odl_operand_reader_finish (result, &error);
  if (!self || g_task_get_cancellable (G_TASK (result)) != self->reading)
    return;
  g_clear_object (&self->reading);
  if (!operands && reading->present) {
    switch_off_missing (self, error->message);
    return;
  }
  if (!operands) {
    odl_session_say (self, error->message);
    g_object_notify (G_OBJECT (self), "recipe"); // what was chosen is not in force
    return;
  }
  g_clear_pointer (&self->operands, odl_operands_unref);
  self->operands = g_steal_pointer (&operands);
  if (reading->present)
    odl_session_render (self);
  else
    odl_session_set_recipe (self, &reading->recipe, reading->tag);
}

static void
read_for (OdlSession *self, const OdlRecipe *recipe, const char *tag, bool present)
{
  odl_session_stop_reading (self);
  Reading *reading = g_new0 (Reading, 1);
  g_weak_ref_init (&reading->session, self);
  reading->recipe = *recipe;
  reading->tag = g_strdup (tag);
  reading->present = present;
  self->reading = g_cancellable_new ();
  odl_operand_reader_read (recipe, self->operands, self->gate, self->reading, read_cb,
                           reading);
}

void
odl_session_stop_reading (OdlSession *self)
{
  if (self->reading)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
}

// Says what does not fit, and which filter it is; −1: all do.
static int
find_misfit (OdlSession *self, const OdlRecipe *recipe, GError **error)
{
  if (!self->image)
    return -1;
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
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
  if (!odl_operands_suffice (self->operands, recipe)) {
    read_for (self, recipe, tag, false);
    return false;
  }
  if (find_misfit (self, recipe, &error) < 0)
    return true;
  odl_session_say (self, error->message);
  g_object_notify (G_OBJECT (self), "recipe");
  return false;
}

bool
odl_session_has_operands (OdlSession *self)
{
  const OdlRecipe *recipe = odl_history_current (&self->history);
  g_autoptr (GError) error = NULL;
  if (!odl_operands_suffice (self->operands, recipe)) {
    if (!self->reading)
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
  return self->operands;
}
