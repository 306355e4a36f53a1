// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/source_row.h"

#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/sources/source_item.h"

#define NAME_LINES 2

typedef struct {
  void (*bound) (void *data);
  void *data;
} Notice;

static const char *
icon_of (OdlThumbnailState state)
{
  switch (state) {
  case ODL_THUMBNAIL_FAILED:
    return "dialog-warning-symbolic";
  case ODL_THUMBNAIL_CAMERA:
    return "camera-web-symbolic";
  case ODL_THUMBNAIL_PATIENT:
    return "avatar-default-symbolic";
  case ODL_THUMBNAIL_STUDY:
    return "x-office-calendar-symbolic";
  default:
    return "image-x-generic-symbolic";
  }
}

// Describes the emblem to screen readers.
static void
tell_broken (GtkWidget *row, GtkWidget *image, OdlSourceItem *item)
{
  const bool broken = odl_source_item_state (item) == ODL_THUMBNAIL_FAILED;
  const char *name = odl_source_item_name (item);
  const char *said = _ ("Cannot be opened");
  g_autofree char *tip = broken ? g_strdup_printf ("%s\n%s", name, said) : NULL;
  gtk_widget_set_tooltip_text (row, broken ? tip : name);
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN,
                               !broken, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  broken ? said : "", -1);
  if (broken)
    gtk_widget_add_css_class (image, "broken");
  else
    gtk_widget_remove_css_class (image, "broken");
}

static void
show_name (GtkWidget *row, const char *name)
{
  g_autofree char *breakable = odl_diagnostics_breakable (name);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (row)), breakable);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

static void
show_item (GtkListItem *list_item)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  if (!item || !row)
    return;
  show_name (row, odl_source_item_name (item));
  GtkImage *image = GTK_IMAGE (gtk_widget_get_first_child (row));
  GdkTexture *texture = odl_source_item_thumbnail (item);
  gtk_image_set_pixel_size (image,
                            texture ? ODL_SOURCE_ROW_SIDE : ODL_SOURCE_ROW_SIDE / 2);
  if (texture)
    gtk_image_set_from_paintable (image, GDK_PAINTABLE (texture));
  else
    gtk_image_set_from_icon_name (image, icon_of (odl_source_item_state (item)));
  tell_broken (row, GTK_WIDGET (image), item);
}

static GtkWidget *
make_name (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (label, 0);
  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (label, NAME_LINES);
  // The narrowest layouts of short names confuse GTK 4.8.
  gtk_label_set_natural_wrap_mode (label, GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand (GTK_WIDGET (label), TRUE);
  // A hyphen at a line break would look like part of the name.
  PangoAttrList *attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  pango_attr_list_unref (attributes);
  return GTK_WIDGET (label);
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *list_item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *image = gtk_image_new ();
  gtk_widget_set_size_request (image, ODL_SOURCE_ROW_SIDE, ODL_SOURCE_ROW_SIDE);
  gtk_widget_add_css_class (image, "thumbnail");
  gtk_box_append (GTK_BOX (row), image);
  gtk_box_append (GTK_BOX (row), make_name ());
  gtk_list_item_set_child (list_item, row);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, Notice *notice)
{
  OdlSourceItem *item = gtk_list_item_get_item (list_item);
  gtk_list_item_set_activatable (list_item, !odl_source_item_is_heading (item));
  show_item (list_item);
  g_signal_connect_object (item, "notify::state", G_CALLBACK (show_item), list_item,
                           G_CONNECT_SWAPPED);
  notice->bound (notice->data);
}

static void
unbind_cb (GtkListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), show_item,
                                        list_item);
}

GtkListItemFactory *
odl_source_row_factory_new (void (*bound) (void *data), void *data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Notice *notice = g_new (Notice, 1);
  *notice = (Notice){ bound, data };
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cb), notice,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}
