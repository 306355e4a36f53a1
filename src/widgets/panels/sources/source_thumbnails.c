// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_thumbnails.h"

#include "base/error.h"
#include "session/browse/thumbnailer.h"
#include "widgets/panels/sources/source_item.h"

// Of the displayed size, for high-resolution screens.
#define DENSITY 2

struct _OdlSourceThumbnails {
  GtkListView *list;
  GListModel *items;
  GListModel *rows; // of these, the ones in the list
  OdlThumbnailer *thumbnailer; // created when the first row requests a picture
  int pixels; // of the longer side of what it makes
  guint requests_id;
  gulong value_handler, changed_handler; // of the list's place
};

static GdkTexture *
texture_of (OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  size_t stride = info->planes[0].row_stride_bytes;
  g_autoptr (GBytes) bytes
      = g_bytes_new (info->planes[0].data, stride * (size_t) info->extent.y);
  return gdk_memory_texture_new (info->extent.x, info->extent.y, GDK_MEMORY_R8G8B8A8,
                                 bytes, stride);
}

static OdlSourceItem *
find_item (OdlSourceThumbnails *self, const char *picture)
{
  const guint n = g_list_model_get_n_items (self->items);
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (self->items, i);
    if (g_str_equal (odl_source_item_picture (item), picture))
      return g_steal_pointer (&item);
  }
  return NULL;
}

static void
thumbnail_cb (const char *location, OdlImage *image, const GError *error, void *data)
{
  OdlSourceThumbnails *self = data;
  g_autoptr (OdlSourceItem) item = find_item (self, location);
  if (!item)
    return;
  g_autoptr (GdkTexture) texture = image ? texture_of (image) : NULL;
  if (image)
    odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_MADE, texture);
  else if (g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_NONE, NULL);
  else
    odl_source_item_set_no_picture (item);
}

static void
request_thumbnail (OdlSourceThumbnails *self, OdlSourceItem *item)
{
  if (odl_source_item_state (item) != ODL_THUMBNAIL_NONE)
    return;
  if (!self->thumbnailer)
    self->thumbnailer = odl_thumbnailer_new (self->pixels, thumbnail_cb, self);
  odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_REQUESTED,
                                 odl_source_item_thumbnail (item));
  odl_thumbnailer_request (self->thumbnailer, odl_source_item_picture (item));
}

// The list creates rows far beyond the visible part, and the thumbnailer serves the
// newest requests first: visible rows are requested from the last to the first, so that
// the top comes first.
static gboolean
request_seen_cb (void *data)
{
  OdlSourceThumbnails *self = data;
  GtkAdjustment *place = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  const double height = gtk_adjustment_get_upper (place);
  const int n = (int) g_list_model_get_n_items (self->rows);
  self->requests_id = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->list)) || !(height > 0))
    return G_SOURCE_REMOVE;
  // All rows are equally high.
  const double top = gtk_adjustment_get_value (place) / height;
  const double bottom = top + gtk_adjustment_get_page_size (place) / height;
  const int first = MAX ((int) (top * n), 0);
  for (int i = MIN ((int) (bottom * n), n - 1); i >= first; i--) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (self->rows, (guint) i);
    request_thumbnail (self, item);
  }
  return G_SOURCE_REMOVE;
}

void
odl_source_thumbnails_request (void *thumbnails)
{
  OdlSourceThumbnails *self = thumbnails;
  if (!self->requests_id)
    self->requests_id = g_idle_add (request_seen_cb, self);
}

void
odl_source_thumbnails_forget (OdlSourceThumbnails *self)
{
  if (self->thumbnailer)
    odl_thumbnailer_forget (self->thumbnailer);
}

// Smaller ones are scaled down on the screen.
void
odl_source_thumbnails_set_side (OdlSourceThumbnails *self, int side)
{
  if (DENSITY * side <= self->pixels)
    return;
  const guint n = g_list_model_get_n_items (self->items);
  self->pixels = DENSITY * side;
  g_clear_pointer (&self->thumbnailer, odl_thumbnailer_free);
  for (guint i = 0; i < n; i++) {
    g_autoptr (OdlSourceItem) item = g_list_model_get_item (self->items, i);
    const OdlThumbnailState state = odl_source_item_state (item);
    if (state == ODL_THUMBNAIL_MADE || state == ODL_THUMBNAIL_REQUESTED)
      odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_NONE,
                                     odl_source_item_thumbnail (item));
  }
  odl_source_thumbnails_request (self);
}

OdlSourceThumbnails *
odl_source_thumbnails_new (GtkListView *list, GListModel *items, GListModel *rows)
{
  OdlSourceThumbnails *self = g_new0 (OdlSourceThumbnails, 1);
  GtkAdjustment *place = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list));
  self->list = list;
  self->items = items;
  self->rows = rows;
  self->value_handler = g_signal_connect_swapped (
      place, "value-changed", G_CALLBACK (odl_source_thumbnails_request), self);
  self->changed_handler = g_signal_connect_swapped (
      place, "changed", G_CALLBACK (odl_source_thumbnails_request), self);
  return self;
}

void
odl_source_thumbnails_free (OdlSourceThumbnails *self)
{
  GtkAdjustment *place = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  g_signal_handler_disconnect (place, self->value_handler);
  g_signal_handler_disconnect (place, self->changed_handler);
  g_clear_handle_id (&self->requests_id, g_source_remove);
  g_clear_pointer (&self->thumbnailer, odl_thumbnailer_free);
  g_free (self);
}
