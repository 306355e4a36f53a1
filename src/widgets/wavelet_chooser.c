// SPDX-License-Identifier: MIT
#include "widgets/wavelet_chooser.h"

#include <glib/gi18n-lib.h>

#include "config.h"
#include "filter/recipe.h"

// A row of the list: the family's name above its first wavelet; the label, and how
// recipes name it.
static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item, void *data)
{
  GtkWidget *family = gtk_label_new (NULL);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  gtk_label_set_xalign (GTK_LABEL (family), 0);
  gtk_widget_add_css_class (family, "caption-heading");
  gtk_widget_add_css_class (family, "dim-label");
  gtk_widget_set_margin_top (family, 6);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (name, "caption");
  gtk_widget_add_css_class (name, "dim-label");
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (box), family);
  gtk_box_append (GTK_BOX (box), line);
  gtk_list_item_set_child (item, box);
}

// By label: the position of an item is that among the results of a search.
static size_t
index_of (const char *label)
{
  for (size_t i = 0; i < odl_wavelet_count (); i++)
    if (g_str_equal (odl_wavelet_at (i)->label, label))
      return i;
  g_return_val_if_reached (0);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item, void *data)
{
  GtkWidget *family = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *label = gtk_widget_get_first_child (gtk_widget_get_next_sibling (family));
  GtkWidget *name = gtk_widget_get_next_sibling (label);
  const size_t at = index_of (
      gtk_string_object_get_string (GTK_STRING_OBJECT (gtk_list_item_get_item (item))));
  const OdlWavelet *wavelet = odl_wavelet_at (at);
  const bool leads = at == 0 || odl_wavelet_at (at - 1)->family != wavelet->family;
  gtk_label_set_text (GTK_LABEL (family), _ (odl_wavelet_family_labels[wavelet->family]));
  gtk_widget_set_visible (family, leads);
  gtk_label_set_text (GTK_LABEL (label), wavelet->label);
  gtk_label_set_text (GTK_LABEL (name), wavelet->name);
}

GtkWidget *
odl_wavelet_chooser_new (void)
{
  GtkStringList *labels = gtk_string_list_new (NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  for (size_t i = 0; i < odl_wavelet_count (); i++)
    gtk_string_list_append (labels, odl_wavelet_at (i)->label);
  GtkWidget *chooser = gtk_drop_down_new (
      G_LIST_MODEL (labels),
      gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (chooser), factory);
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (chooser), TRUE);
  return chooser;
}
