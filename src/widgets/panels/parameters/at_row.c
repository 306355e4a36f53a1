// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/at_row.h"

#include <glib/gi18n-lib.h>

#include "filter/inside.h"

#define STATE "at"

typedef struct {
  OdlSession *session;
  int item;
  GtkDropDown *choice;
} At;

static bool
is_in (const At *self, const OdlRecipe *recipe)
{
  return self->item < recipe->n_items
         && odl_filter_has_at (recipe->items[self->item].filter);
}

static void
selected_cb (GtkWidget *row)
{
  const At *self = g_object_get_data (G_OBJECT (row), STATE);
  OdlRecipe recipe = *odl_session_recipe (self->session);
  const OdlInsideAt at = (OdlInsideAt) gtk_drop_down_get_selected (self->choice);
  if (!is_in (self, &recipe) || recipe.items[self->item].at == at)
    return;
  recipe.items[self->item].at = at;
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
recipe_cb (GtkWidget *row)
{
  const At *self = g_object_get_data (G_OBJECT (row), STATE);
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  if (is_in (self, recipe))
    gtk_drop_down_set_selected (self->choice, recipe->items[self->item].at);
}

static void
at_free (void *data)
{
  At *self = data;
  g_object_unref (self->session);
  g_free (self);
}

GtkDropDown *
odl_at_row_choice (GtkWidget *row)
{
  const At *self = g_object_get_data (G_OBJECT (row), STATE);
  return self ? self->choice : NULL;
}

GtkWidget *
odl_at_row_new (OdlSession *session, int item)
{
  static const char *const names[] = {
    // Translators: of a wavelet transform.
    N_ ("Details of each level"),
    N_ ("Low band of each level"),
    N_ ("Coarsest low band"),
    NULL,
  };
  At *self = g_new0 (At, 1);
  GtkStringList *list = gtk_string_list_new (NULL);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  // Translators: the bands of a transform that a filter works on.
  GtkWidget *label = gtk_label_new (_ ("Works on"));
  for (int i = 0; names[i]; i++)
    gtk_string_list_append (list, _ (names[i]));
  GtkWidget *choice = gtk_drop_down_new (G_LIST_MODEL (list), NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->choice = GTK_DROP_DOWN (choice);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Works on"), -1);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), choice);
  gtk_widget_add_css_class (line, "parameter");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  g_object_set_data_full (G_OBJECT (row), STATE, self, at_free);
  recipe_cb (row);
  g_signal_connect_object (choice, "notify::selected", G_CALLBACK (selected_cb), row,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), row,
                           G_CONNECT_SWAPPED);
  return row;
}
