// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_cameras.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/browse/cameras.h"
#include "widgets/camera_bar.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/sources/source_item.h"

// Cameras are listed after the window's first picture.
#define DELAY_MS 700

struct _OdlSourceCameras {
  OdlSession *session;
  GListStore *items;
  guint n_rows;
  bool listed;
  void (*changed) (void *data);
  void *data;
  OdlCameras *cameras; // NULL: not looked for yet
  guint look_id;
  OdlCameraBar *bar;
};

static void
insert (OdlSourceCameras *self, const char *location, const char *name)
{
  g_autofree char *shown = odl_diagnostics_short_name (name, 60);
  g_autoptr (OdlSourceItem) item = odl_source_item_new (location, shown);
  odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_CAMERA, NULL);
  g_list_store_append (self->items, item);
  self->n_rows++;
}

// One row for each camera; if none is known, one row that looks for cameras.
static void
add_rows (OdlSourceCameras *self)
{
  const GPtrArray *cameras = self->cameras ? odl_cameras_list (self->cameras) : NULL;
  if (!self->listed)
    return;
  for (guint i = 0; cameras && i < cameras->len; i++) {
    const OdlCamera *camera = cameras->pdata[i];
    g_autofree char *location = odl_camera_location (camera->id, NULL);
    insert (self, location, camera->name);
  }
  if (self->n_rows == 0)
    insert (self, "webcam", _ ("Camera"));
}

void
odl_source_cameras_fill (OdlSourceCameras *self, bool listed)
{
  self->n_rows = 0;
  self->listed = listed;
  add_rows (self);
}

void
odl_source_cameras_update (OdlSourceCameras *self)
{
  const char *id = odl_session_detail (self->session, "camera");
  if (self->cameras && id)
    odl_cameras_allow (self->cameras);
  odl_camera_bar_set_camera (
      self->bar, self->cameras && id ? odl_cameras_find (self->cameras, id) : NULL);
}

static void
cameras_cb (void *data)
{
  OdlSourceCameras *self = data;
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  g_list_store_splice (self->items, n - self->n_rows, self->n_rows, NULL, 0);
  self->n_rows = 0;
  add_rows (self);
  self->changed (self->data);
  odl_source_cameras_update (self);
}

static gboolean
look_cb (void *data)
{
  OdlSourceCameras *self = data;
  self->look_id = 0;
  self->cameras = odl_cameras_new (cameras_cb, self);
  odl_source_cameras_update (self);
  return G_SOURCE_REMOVE;
}

void
odl_source_cameras_set_session (OdlSourceCameras *self, OdlSession *session)
{
  self->session = session;
  odl_camera_bar_set_session (self->bar, session);
  odl_source_cameras_update (self);
}

void
odl_source_cameras_look (OdlSourceCameras *self)
{
  if (!self->cameras && !self->look_id)
    self->look_id = g_timeout_add (DELAY_MS, look_cb, self);
}

GtkWidget *
odl_source_cameras_bar (OdlSourceCameras *self)
{
  return GTK_WIDGET (self->bar);
}

guint
odl_source_cameras_find_row (GListModel *rows, const char *location)
{
  const char *comma = strchr (location, ',');
  g_autofree char *plain
      = comma ? g_strndup (location, (gsize) (comma - location)) : g_strdup (location);
  const guint index = odl_source_item_find (rows, location);
  return index != GTK_INVALID_LIST_POSITION ? index : odl_source_item_find (rows, plain);
}

OdlSourceCameras *
odl_source_cameras_new (OdlSession *session,
                        GListStore *items,
                        void (*changed) (void *data),
                        void *data)
{
  OdlSourceCameras *self = g_new0 (OdlSourceCameras, 1);
  self->session = session;
  self->items = items;
  self->changed = changed;
  self->data = data;
  self->bar = ODL_CAMERA_BAR (odl_camera_bar_new (session));
  return self;
}

void
odl_source_cameras_free (OdlSourceCameras *self)
{
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_clear_pointer (&self->cameras, odl_cameras_free);
  g_free (self);
}
