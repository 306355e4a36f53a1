// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_opener.h"

#include "session/browse/folder.h"

#define BEGIN_KEY "stacks-begin"

struct _OdlSourceOpener {
  OdlSettings *settings;
  char *chosen; // location; NULL: nothing yet
  GHashTable *left; // location → frame + 1 that was shown last
  OdlSession *awaiting; // opens the first picture of a list; NULL: none is awaited
  char *slice; // the picture that is awaited instead, if it is there; NULL: none
  OdlRecipe recipe; // of that picture
  bool has_recipe;
};

OdlSourceOpener *
odl_source_opener_new (OdlSettings *settings)
{
  OdlSourceOpener *self = g_new0 (OdlSourceOpener, 1);
  self->settings = g_object_ref (settings);
  self->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
odl_source_opener_free (OdlSourceOpener *self)
{
  g_object_unref (self->settings);
  g_clear_object (&self->awaiting);
  g_hash_table_unref (self->left);
  g_free (self->chosen);
  g_free (self->slice);
  g_free (self);
}

void
odl_source_opener_choose (OdlSourceOpener *self, const char *location)
{
  g_free (self->chosen);
  self->chosen = g_strdup (location);
}

void
odl_source_opener_open (OdlSourceOpener *self,
                        OdlSession *session,
                        const char *location,
                        const OdlRecipe *recipe)
{
  odl_source_opener_choose (self, location);
  odl_session_open (session, location, recipe);
}

void
odl_source_opener_await (OdlSourceOpener *self,
                         OdlSession *session,
                         const OdlRecipe *recipe)
{
  odl_session_cancel_open (session);
  g_set_object (&self->awaiting, session);
  g_clear_pointer (&self->slice, g_free);
  self->has_recipe = recipe != NULL;
  if (recipe)
    self->recipe = *recipe;
}

bool
odl_source_opener_awaits (const OdlSourceOpener *self)
{
  return self->awaiting != NULL;
}

void
odl_source_opener_await_slice (OdlSourceOpener *self, const char *instance)
{
  g_free (self->slice);
  self->slice = g_strdup (instance);
}

const char *
odl_source_opener_slice (const OdlSourceOpener *self)
{
  return self->awaiting ? self->slice : NULL;
}

void
odl_source_opener_open_slice (OdlSourceOpener *self, const char *location)
{
  g_autoptr (OdlSession) session = g_steal_pointer (&self->awaiting);
  if (odl_folder_file_of_series (location))
    odl_session_open_whole (session, location);
  else
    odl_source_opener_open (self, session, location, NULL);
}

void
odl_source_opener_open_awaited (OdlSourceOpener *self, const char *location)
{
  g_autoptr (OdlSession) session = g_steal_pointer (&self->awaiting);
  if (session && location)
    odl_source_opener_open (self, session, location,
                            self->has_recipe ? &self->recipe : NULL);
}

void
odl_source_opener_complete (OdlSourceOpener *self,
                            OdlSession *session,
                            const char *location)
{
  odl_source_opener_choose (self, location);
  odl_session_open_whole (session, location);
}

char *
odl_source_opener_whole (OdlSourceOpener *self, OdlSession *session)
{
  const OdlSourceInfo *info = odl_session_info (session);
  if (!info->location || !g_path_is_absolute (info->location) || info->n_frames > 1
      || g_strcmp0 (info->location, self->chosen) == 0
      || !odl_session_detail (session, "series-instance"))
    return NULL;
  return odl_folder_series_of (info->location);
}

void
odl_source_opener_leave (OdlSourceOpener *self, OdlSession *session)
{
  const OdlSourceInfo *info = odl_session_info (session);
  const OdlFrame *frame = odl_session_frame (session);
  g_clear_object (&self->awaiting);
  if (g_strcmp0 (odl_session_opening (session), self->chosen) != 0)
    g_clear_pointer (&self->chosen, g_free);
  if (info->is_stack && info->location && frame)
    g_hash_table_replace (self->left, g_strdup (info->location),
                          GINT_TO_POINTER ((int) frame->index + 1));
}

// Of volumes over time, in the first one.
static int
first_place (const OdlSourceOpener *self, const OdlSourceInfo *info)
{
  g_autofree char *begin = odl_settings_get_string (self->settings, BEGIN_KEY);
  const int n = info->n_slices > 0 ? info->n_slices : (int) info->n_frames;
  return g_str_equal (begin, "middle") ? n / 2 : 0;
}

void
odl_source_opener_begin (OdlSourceOpener *self, OdlSession *session)
{
  const OdlSourceInfo *info = odl_session_info (session);
  if (!info->is_stack || g_strcmp0 (info->location, self->chosen) != 0)
    return;
  const int left = GPOINTER_TO_INT (g_hash_table_lookup (self->left, info->location));
  odl_playback_seek (odl_session_playback (session),
                     left > 0 ? left - 1 : first_place (self, info));
}
