// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_chooser.h"

#include <glib/gi18n-lib.h>

#include "widgets/panels/parameters/drop_down.h"

static char *
search_text (GtkStringObject *item, void *data)
{
  const char *label = gtk_string_object_get_string (item);
  size_t i = 0;
  while (!g_str_equal (_ (odl_filter_at (i)->label), label))
    i++;
  const OdlFilter *filter = odl_filter_at (i);
  return g_strdup_printf ("%s %s %s", label, filter->name, _ (filter->description));
}

GtkWidget *
odl_filter_chooser_new (const OdlFilter *selected)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  GtkWidget *chooser = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
  GtkDropDown *list = GTK_DROP_DOWN (chooser);

  for (size_t i = 0; i < odl_filter_count (); i++)
    gtk_string_list_append (names, _ (odl_filter_at (i)->label));
  odl_drop_down_narrow (list);
  odl_drop_down_search (list, search_text, _ ("No filter is called that."));
  for (guint i = 0; i < odl_filter_count (); i++)
    if (odl_filter_at (i) == selected)
      gtk_drop_down_set_selected (list, i);
  gtk_widget_set_hexpand (chooser, TRUE);
  gtk_widget_set_valign (chooser, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (chooser, _ (selected->description));
  return chooser;
}
