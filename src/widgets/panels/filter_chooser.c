// SPDX-License-Identifier: MIT
#include "widgets/panels/filter_chooser.h"

#include <glib/gi18n-lib.h>

#include "filter/own/words.h"
#include "widgets/panels/parameters/drop_down.h"

#define OWN "odl-own-filter"

// Of the last row: code of the user's own, which is in no table; NULL: there is none.
static const OdlFilter *
filter_of (GtkStringObject *item)
{
  const char *label = gtk_string_object_get_string (item);
  const OdlFilter *own = g_object_get_data (G_OBJECT (item), OWN);
  size_t i = 0;
  while (!own && !g_str_equal (_ (odl_filter_at (i)->label), label))
    i++;
  return own ? own : odl_filter_at (i);
}

static char *
search_text (GtkStringObject *item, void *data)
{
  const OdlFilter *filter = filter_of (item);
  return g_strdup_printf ("%s %s %s", gtk_string_object_get_string (item), filter->name,
                          _ (filter->description));
}

const OdlFilter *
odl_filter_chooser_selected (GtkDropDown *chooser)
{
  return filter_of (gtk_drop_down_get_selected_item (chooser));
}

GtkWidget *
odl_filter_chooser_new (const OdlFilter *selected)
{
  GtkStringList *names = gtk_string_list_new (NULL);
  GtkWidget *chooser = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
  GtkDropDown *list = GTK_DROP_DOWN (chooser);

  guint chosen = 0, n = 0;
  for (size_t i = 0; i < odl_filter_count (); i++)
    if (!odl_own_is_filter (odl_filter_at (i))) {
      gtk_string_list_append (names, _ (odl_filter_at (i)->label));
      chosen = odl_filter_at (i) == selected ? n : chosen;
      n++;
    }
  if (odl_own_is_filter (selected)) {
    gtk_string_list_append (names, _ (selected->label));
    g_autoptr (GObject) own = g_list_model_get_item (G_LIST_MODEL (names), n);
    g_object_set_data (own, OWN, (void *) selected);
    chosen = n;
  }
  odl_drop_down_narrow (list);
  odl_drop_down_search (list, search_text, _ ("No filter is called that."));
  gtk_drop_down_set_selected (list, chosen);
  gtk_widget_set_hexpand (chooser, TRUE);
  gtk_widget_set_valign (chooser, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (chooser, _ (selected->description));
  return chooser;
}
