// SPDX-License-Identifier: MIT
#include "widgets/panels/measures/measured_before.h"

#include <glib/gi18n-lib.h>

#include "filter/measure.h"
#include "filter/received.h"
#include "widgets/panels/filter_switch.h"

#define ITEM "measured-item"

static int
item_of (GtkWidget *line)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (line), ITEM));
}

static void
recipe_cb (GtkWidget *line, GParamSpec *spec, OdlSession *session)
{
  const OdlRecipe *recipe = odl_session_recipe (session);
  const int item = item_of (line);
  gtk_widget_set_visible (line, item < recipe->n_items
                                    && odl_recipe_measured_before (recipe, item));
}

static void
clicked_cb (GtkWidget *button, OdlSession *session)
{
  OdlRecipe recipe = *odl_session_recipe (session);
  const int item = item_of (gtk_widget_get_parent (button));
  if (item >= recipe.n_items)
    return;
  odl_recipe_forget_measured (&recipe, item);
  odl_session_set_recipe (session, &recipe, NULL);
}

GtkWidget *
odl_measured_before_new (OdlSession *session, int item)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (odl_filter_note_before ());
  GtkWidget *button = gtk_button_new_with_label (_ ("Measure Again"));
  g_object_set_data (G_OBJECT (line), ITEM, GINT_TO_POINTER (item));
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), button);
  g_signal_connect_object (button, "clicked", G_CALLBACK (clicked_cb), session, 0);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), line,
                           G_CONNECT_SWAPPED);
  recipe_cb (line, NULL, session);
  return line;
}
