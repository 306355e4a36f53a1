// SPDX-License-Identifier: MIT
// The recipe of a session and its history.
#include "session/session_private.h"

static void
recipe_changed (OdlSession *self)
{
  g_object_notify (G_OBJECT (self), "recipe");
  odl_session_render (self);
}

void
odl_session_set_recipe (OdlSession *self, const OdlRecipe *recipe, const char *tag)
{
  OdlRecipe next = *recipe;
  if (odl_recipe_last_wavelet_item (&next) < 0)
    next.view = ODL_VIEW_SYNTHESIS;
  if (odl_history_push (&self->history, &next, tag, g_get_monotonic_time () / 1000))
    recipe_changed (self);
}

const OdlRecipe *
odl_session_recipe (OdlSession *self)
{
  return odl_history_current (&self->history);
}

void
odl_session_undo (OdlSession *self)
{
  if (odl_history_undo (&self->history))
    recipe_changed (self);
}

void
odl_session_redo (OdlSession *self)
{
  if (odl_history_redo (&self->history))
    recipe_changed (self);
}

bool
odl_session_can_undo (OdlSession *self)
{
  return odl_history_can_undo (&self->history);
}

bool
odl_session_can_redo (OdlSession *self)
{
  return odl_history_can_redo (&self->history);
}

void
odl_session_save_history (OdlSession *self, OdlHistory *history)
{
  odl_history_copy (&self->history, history);
}

void
odl_session_restore_history (OdlSession *self, const OdlHistory *history)
{
  odl_history_clear (&self->history);
  odl_history_copy (history, &self->history);
  recipe_changed (self);
}

void
odl_session_set_keep_recipe (OdlSession *self, bool keep)
{
  self->keep_recipe = keep;
}
