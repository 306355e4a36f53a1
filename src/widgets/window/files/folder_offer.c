// SPDX-License-Identifier: MIT
#include "widgets/window/files/folder_offer.h"

#include "session/browse/unseen.h"
#include "widgets/window/parts.h"

struct _OdlFolderOffer {
  const OdlWindowParts *parts;
  GtkWidget *line; // what is said, and its buttons
  GHashTable *offered; // folders and series that it was offered for
  GCancellable *looking; // NULL: nothing is looked at
  // The slice that it is about, until somebody answers; NULL: none.
  char *location;
  char *instance;
};

// ---- the line ------------------------------------------------------------------------

// It is about what the active pane shows.
static bool
is_due (const OdlFolderOffer *self)
{
  const OdlWindowParts *parts = self->parts;
  return self->location && odl_window_is_uncovered (parts) && !parts->state->presenting
         && !odl_screen_is_full (parts->screen)
         && g_strcmp0 (odl_session_info (parts->session)->location, self->location) == 0;
}

static void
update (OdlFolderOffer *self)
{
  if (self->parts->screen)
    gtk_widget_set_visible (self->line, is_due (self));
}

static void
forget (OdlFolderOffer *self)
{
  g_clear_pointer (&self->location, g_free);
  g_clear_pointer (&self->instance, g_free);
}

static void
refused_cb (OdlFolderOffer *self)
{
  forget (self);
  update (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->parts->viewport));
}

char *
odl_folder_offer_take (OdlFolderOffer *self)
{
  g_autofree char *instance = is_due (self) ? g_steal_pointer (&self->instance) : NULL;
  if (instance)
    forget (self);
  update (self);
  return g_steal_pointer (&instance);
}

// ---- when it is offered --------------------------------------------------------------

typedef struct {
  OdlMainWindow *window;
  OdlFolderOffer *offer;
  char *location;
} Look;

static void
look_free (Look *look)
{
  g_object_unref (look->window);
  g_free (look->location);
  g_free (look);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

// Something else may be shown by now.
static void
looked_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (Look) look = data;
  g_autofree char *folder = odl_unseen_ask_finish (result);
  const OdlWindowParts *parts = odl_main_window_parts (look->window);
  OdlFolderOffer *self = look->offer;
  if (!folder || odl_window_is_closed (parts)
      || g_strcmp0 (odl_session_info (parts->session)->location, look->location) != 0)
    return;
  const char *series = odl_session_detail (parts->session, "series-instance");
  const char *instance = odl_session_detail (parts->session, "sop-instance");
  if (!series || !*series || !instance || g_hash_table_contains (self->offered, folder)
      || g_hash_table_contains (self->offered, series))
    return;
  g_hash_table_add (self->offered, g_steal_pointer (&folder));
  g_hash_table_add (self->offered, g_strdup (series));
  forget (self);
  self->location = g_strdup (look->location);
  self->instance = g_strdup (instance);
  update (self);
}

static void
stop_looking (OdlFolderOffer *self)
{
  if (self->looking)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
}

void
odl_folder_offer_look (OdlFolderOffer *self)
{
  const OdlWindowParts *parts = self->parts;
  const char *location = odl_session_info (parts->session)->location;
  Look *look = g_new (Look, 1);
  *look = (Look){ g_object_ref (parts->window), self, g_strdup (location) };
  stop_looking (self);
  self->looking = g_cancellable_new ();
  odl_unseen_ask (location, self->looking, looked_cb, look);
}

// ---- life ----------------------------------------------------------------------------

static void
free_cb (void *data)
{
  OdlFolderOffer *self = data;
  stop_looking (self);
  forget (self);
  g_hash_table_unref (self->offered);
  g_free (self);
}

OdlFolderOffer *
odl_folder_offer_new (const OdlWindowParts *parts)
{
  OdlFolderOffer *self = g_new0 (OdlFolderOffer, 1);
  self->parts = parts;
  self->line = odl_window_child (parts, "folder_offer");
  self->offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  odl_window_own (parts, "odl-folder-offer", self, free_cb);
  odl_window_connect (parts, odl_window_child (parts, "folder_refusal"), "clicked",
                      G_CALLBACK (refused_cb), self);
  odl_window_connect (parts, parts->window, "told::actions", G_CALLBACK (update), self);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (update), self);
  return self;
}
