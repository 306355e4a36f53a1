// SPDX-License-Identifier: MIT
#include "widgets/camera_bar.h"

#include <glib/gi18n-lib.h>

struct _OdlCameraBar {
  GtkWidget parent_instance;
  OdlSession *session;
  GtkWidget *root;
  GtkDropDown *formats;
  GPtrArray *locations; // of the entries: char *
  bool filling;
};

G_DEFINE_FINAL_TYPE (OdlCameraBar, odl_camera_bar, GTK_TYPE_WIDGET)

static void
selected_cb (OdlCameraBar *self)
{
  const guint index = gtk_drop_down_get_selected (self->formats);
  if (self->filling || index >= self->locations->len)
    return;
  const char *location = self->locations->pdata[index];
  if (g_strcmp0 (odl_session_detail (self->session, "camera-location"), location) != 0)
    odl_session_open (self->session, location, odl_session_recipe (self->session));
}

void
odl_camera_bar_set_session (OdlCameraBar *self, OdlSession *session)
{
  g_set_object (&self->session, session);
}

void
odl_camera_bar_set_camera (OdlCameraBar *self, const OdlCamera *camera)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);
  const char *current = odl_session_detail (self->session, "camera-location");
  guint selected = GTK_INVALID_LIST_POSITION;
  g_ptr_array_set_size (self->locations, 0);
  for (guint i = 0; camera && i < camera->formats->len; i++) {
    const OdlCameraFormat *format = &g_array_index (camera->formats, OdlCameraFormat, i);
    g_autofree char *text = odl_camera_format_text (format);
    char *location = odl_camera_location (camera->id, format);
    if (g_strcmp0 (location, current) == 0)
      selected = i;
    gtk_string_list_append (texts, text);
    g_ptr_array_add (self->locations, location);
  }
  self->filling = true;
  gtk_drop_down_set_model (self->formats, G_LIST_MODEL (texts));
  gtk_drop_down_set_selected (self->formats, selected);
  self->filling = false;
  // A single entry offers no choice.
  gtk_widget_set_visible (GTK_WIDGET (self), self->locations->len > 1);
}

static void
odl_camera_bar_dispose (GObject *object)
{
  OdlCameraBar *self = ODL_CAMERA_BAR (object);
  g_clear_pointer (&self->root, gtk_widget_unparent);
  g_clear_pointer (&self->locations, g_ptr_array_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_camera_bar_parent_class)->dispose (object);
}

static void
odl_camera_bar_class_init (OdlCameraBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_camera_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass),
                                            GTK_TYPE_BIN_LAYOUT);
}

static void
odl_camera_bar_init (OdlCameraBar *self)
{
  self->locations = g_ptr_array_new_with_free_func (g_free);
  self->root = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_parent (self->root, GTK_WIDGET (self));
  gtk_widget_add_css_class (self->root, "panel-content");
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("Camera _format"));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  self->formats = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), GTK_WIDGET (self->formats));
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->formats),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  gtk_box_append (GTK_BOX (self->root), label);
  gtk_box_append (GTK_BOX (self->root), GTK_WIDGET (self->formats));
  g_signal_connect_swapped (self->formats, "notify::selected", G_CALLBACK (selected_cb),
                            self);
}

GtkWidget *
odl_camera_bar_new (OdlSession *session)
{
  OdlCameraBar *self = g_object_new (ODL_TYPE_CAMERA_BAR, "visible", FALSE, NULL);
  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}
