// SPDX-License-Identifier: MIT
#include "widgets/source_panel.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "session/folder.h"
#include "session/thumbnailer.h"
#include "widgets/diagnostics.h"
#include "widgets/source_item.h"

// Logical pixels of a thumbnail's longer side; made twice as large for dense screens.
#define THUMBNAIL_SIDE 48
#define THUMBNAIL_PIXELS (2 * THUMBNAIL_SIDE)

struct _OdlSourcePanel {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkWidget *root;
  GtkLabel *folder_label;
  GtkListView *list;
  GListStore *items;
  GtkSingleSelection *selection;
  OdlThumbnailer *thumbnailer; // made when the first row wants a picture
  GCancellable *listing;
  char *folder;
  bool open_first; // when the listing is there
  OdlRecipe first_recipe;
  bool has_first_recipe;
};

enum { SIGNAL_MESSAGE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OdlSourcePanel, odl_source_panel, GTK_TYPE_WIDGET)

static OdlSourceItem *
item_at (OdlSourcePanel *self, guint index)
{
  return g_list_model_get_item (G_LIST_MODEL (self->items), index);
}

// Index of a location, or GTK_INVALID_LIST_POSITION.
static guint
find_item (OdlSourcePanel *self, const char *location)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  for (guint i = 0; location && i < n; i++) {
    g_autoptr (OdlSourceItem) item = item_at (self, i);
    if (g_str_equal (odl_source_item_location (item), location))
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

// ---- thumbnails ----------------------------------------------------------------------

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

static void
thumbnail_cb (const char *location, OdlImage *image, const GError *error, void *data)
{
  OdlSourcePanel *self = data;
  guint index = find_item (self, location);
  if (index == GTK_INVALID_LIST_POSITION)
    return;
  g_autoptr (OdlSourceItem) item = item_at (self, index);
  g_autoptr (GdkTexture) texture = image ? texture_of (image) : NULL;
  OdlThumbnailState state = image ? ODL_THUMBNAIL_MADE : ODL_THUMBNAIL_FAILED;
  if (error && g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))
    state = ODL_THUMBNAIL_NONE;
  odl_source_item_set_thumbnail (item, state, texture);
}

static void
wish_thumbnail (OdlSourcePanel *self, OdlSourceItem *item)
{
  if (odl_source_item_state (item) != ODL_THUMBNAIL_NONE)
    return;
  if (!self->thumbnailer)
    self->thumbnailer = odl_thumbnailer_new (THUMBNAIL_PIXELS, thumbnail_cb, self);
  odl_source_item_set_thumbnail (item, ODL_THUMBNAIL_WISHED, NULL);
  odl_thumbnailer_wish (self->thumbnailer, odl_source_item_location (item));
}

// ---- rows ----------------------------------------------------------------------------

static void
show_thumbnail (GtkListItem *list_item)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  if (!item || !row)
    return;
  GtkImage *image = GTK_IMAGE (gtk_widget_get_first_child (row));
  GdkTexture *texture = odl_source_item_thumbnail (item);
  if (texture)
    gtk_image_set_from_paintable (image, GDK_PAINTABLE (texture));
  else
    gtk_image_set_from_icon_name (image,
                                  odl_source_item_state (item) == ODL_THUMBNAIL_FAILED
                                      ? "image-missing-symbolic"
                                      : "image-x-generic-symbolic");
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *image = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (image), THUMBNAIL_SIDE);
  gtk_widget_add_css_class (image, "thumbnail");
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE,
                               -1);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), image);
  gtk_box_append (GTK_BOX (row), label);
  gtk_list_item_set_child (list_item, row);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, OdlSourcePanel *self)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  const char *name = odl_source_item_name (item);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (row)), name);
  gtk_widget_set_tooltip_text (row, name);
  show_thumbnail (list_item);
  g_signal_connect_object (item, "notify::state", G_CALLBACK (show_thumbnail), list_item,
                           G_CONNECT_SWAPPED);
  wish_thumbnail (self, item);
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item),
                                        show_thumbnail, list_item);
}

static void
open_item (OdlSourcePanel *self, guint index)
{
  g_autoptr (OdlSourceItem) item = item_at (self, index);
  if (item)
    odl_session_open (self->session, odl_source_item_location (item), NULL);
}

static void
activate_cb (OdlSourcePanel *self, guint index)
{
  open_item (self, index);
}

// ---- folder --------------------------------------------------------------------------

static void
select_open (OdlSourcePanel *self)
{
  guint index = find_item (self, odl_session_location (self->session));
  gtk_single_selection_set_selected (self->selection, index);
}

static void
add_item (OdlSourcePanel *self, const char *location, const char *name)
{
  g_autofree char *shown = odl_diagnostics_short_name (name, 120);
  g_autoptr (OdlSourceItem) item = odl_source_item_new (location, shown);
  g_list_store_append (self->items, item);
}

static void
fill (OdlSourcePanel *self, char **paths)
{
  if (self->thumbnailer)
    odl_thumbnailer_forget (self->thumbnailer);
  g_list_store_remove_all (self->items);
  add_item (self, ODL_PHANTOM_LOCATION, _ ("Ultrasound phantom"));
  for (char **path = paths; path && *path; path++) {
    g_autofree char *base = g_path_get_basename (*path);
    g_autofree char *name = g_filename_display_name (base);
    add_item (self, *path, name);
  }
  select_open (self);
}

static void
listed_cb (GObject *object, GAsyncResult *result, void *data)
{
  g_autoptr (OdlSourcePanel) self = data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) paths = odl_folder_list_finish (result, &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->listing)
    return;
  g_clear_object (&self->listing);
  if (error)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_label), error->message);
  fill (self, paths);
  bool open_first = self->open_first;
  self->open_first = false;
  if (open_first && paths && paths[0])
    odl_session_open (self->session, paths[0],
                      self->has_first_recipe ? &self->first_recipe : NULL);
  else if (open_first)
    g_signal_emit (self, signals[SIGNAL_MESSAGE], 0,
                   error ? error->message
                         : _ ("This folder holds no picture that can be opened."));
}

void
odl_source_panel_open_folder (OdlSourcePanel *self,
                              const char *folder,
                              const OdlRecipe *recipe)
{
  odl_source_panel_set_folder (self, NULL);
  self->open_first = true;
  self->has_first_recipe = recipe != NULL;
  if (recipe)
    self->first_recipe = *recipe;
  odl_source_panel_set_folder (self, folder);
}

void
odl_source_panel_set_folder (OdlSourcePanel *self, const char *folder)
{
  if (g_strcmp0 (folder, self->folder) == 0 && folder)
    return;
  if (self->listing)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_free (self->folder);
  self->folder = g_strdup (folder);
  g_autofree char *name = folder ? g_filename_display_basename (folder) : NULL;
  g_autofree char *shown = name ? odl_diagnostics_short_name (name, 60) : NULL;
  gtk_label_set_text (self->folder_label, shown ? shown : _ ("Sources"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->folder_label), folder);
  fill (self, NULL);
  if (!folder)
    return;
  self->listing = g_cancellable_new ();
  odl_folder_list (folder, self->listing, listed_cb, g_object_ref (self));
}

void
odl_source_panel_step (OdlSourcePanel *self, int by)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  guint index = find_item (self, odl_session_location (self->session));
  // While the next file opens, another step counts from it.
  const char *opening = odl_session_opening (self->session);
  if (opening && find_item (self, opening) != GTK_INVALID_LIST_POSITION)
    index = find_item (self, opening);
  if (index == GTK_INVALID_LIST_POSITION)
    index = by > 0 ? (guint) -1 : n;
  int64_t next = (int64_t) (int32_t) index + by;
  if (next >= 0 && next < n)
    open_item (self, (guint) next);
}

// The list follows the file that is shown.
static void
source_cb (OdlSourcePanel *self)
{
  const char *location = odl_session_location (self->session);
  if (location && g_path_is_absolute (location)) {
    g_autofree char *folder = g_path_get_dirname (location);
    odl_source_panel_set_folder (self, folder);
  }
  select_open (self);
}

// ---- widget --------------------------------------------------------------------------

void
odl_source_panel_set_up (OdlSourcePanel *self, OdlSession *session)
{
  g_set_object (&self->session, session);
  g_signal_connect_object (session, "notify::source", G_CALLBACK (source_cb), self,
                           G_CONNECT_SWAPPED);
  fill (self, NULL);
}

static void
odl_source_panel_dispose (GObject *object)
{
  OdlSourcePanel *self = ODL_SOURCE_PANEL (object);
  g_clear_pointer (&self->thumbnailer, odl_thumbnailer_free);
  if (self->listing)
    g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_pointer (&self->root, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->items);
  g_clear_object (&self->session);
  g_clear_pointer (&self->folder, g_free);
  G_OBJECT_CLASS (odl_source_panel_parent_class)->dispose (object);
}

static void
odl_source_panel_class_init (OdlSourcePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_source_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/source_panel.ui");
  signals[SIGNAL_MESSAGE]
      = g_signal_new ("message", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, root);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, folder_label);
  gtk_widget_class_bind_template_child (widget_class, OdlSourcePanel, list);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
odl_source_panel_init (OdlSourcePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->items = g_list_store_new (ODL_TYPE_SOURCE_ITEM);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->items)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
}
