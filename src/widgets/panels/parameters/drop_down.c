// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/drop_down.h"

#include "widgets/find.h"

// Where the text is whole, the tooltip is that of the list.
static gboolean
tooltip_cb (GtkWidget *label, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  if (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
  gtk_list_item_set_child (item, label);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *text = gtk_list_item_get_item (item);
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (text));
}

void
odl_drop_down_narrow (GtkDropDown *list)
{
  GtkListItemFactory *whole = gtk_drop_down_get_list_factory (list);
  g_autoptr (GtkListItemFactory) narrow = gtk_signal_list_item_factory_new ();
  // GTK's own shows both, with a mark in the list.
  if (!whole)
    gtk_drop_down_set_list_factory (list, gtk_drop_down_get_factory (list));
  g_signal_connect (narrow, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (narrow, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_drop_down_set_factory (list, narrow);
}

void
odl_drop_down_search (GtkDropDown *list)
{
  g_autoptr (GtkExpression) text
      = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression (list, text);
  gtk_drop_down_set_enable_search (list, TRUE);
  GtkWidget *entry = odl_find_inside (GTK_WIDGET (list), GTK_TYPE_SEARCH_ENTRY);
  if (entry)
    gtk_search_entry_set_key_capture_widget (
        GTK_SEARCH_ENTRY (entry), gtk_widget_get_ancestor (entry, GTK_TYPE_POPOVER));
}
