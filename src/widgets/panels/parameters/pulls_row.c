// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/pulls_row.h"

#include <glib/gi18n-lib.h>

#include "widgets/panels/parameters/control.h"

struct _OdlPullsRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  const OdlParameter *parameter;
  GtkLabel *number;
  GtkWidget *remove;
};

G_DEFINE_FINAL_TYPE (OdlPullsRow, odl_pulls_row, GTK_TYPE_LIST_BOX_ROW)

// The chain may have changed while this row waits to be replaced.
static bool
is_of (OdlPullsRow *self, const OdlRecipe *recipe)
{
  return self->item < recipe->n_items
         && odl_filter_parameter (recipe->items[self->item].filter, self->parameter->key)
                == self->parameter;
}

static void
update (OdlPullsRow *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const double *values = recipe->items[self->item].values + self->parameter->offset;
  const int n = is_of (self, recipe) ? odl_pulls_count (values) : 0;
  g_autofree char *number = g_strdup_printf ("%d", n);
  gtk_label_set_text (self->number, number);
  gtk_widget_set_sensitive (self->remove, n > 0);
}

static void
remove_cb (OdlPullsRow *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!is_of (self, &recipe))
    return;
  for (int i = 0; i < self->parameter->count; i++)
    odl_recipe_set (&recipe, self->item, self->parameter->key, i, ODL_NO_PULL);
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
odl_pulls_row_dispose (GObject *object)
{
  OdlPullsRow *self = ODL_PULLS_ROW (object);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_pulls_row_parent_class)->dispose (object);
}

static void
odl_pulls_row_class_init (OdlPullsRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_pulls_row_dispose;
}

static void
odl_pulls_row_init (OdlPullsRow *self)
{
  odl_control_hold (GTK_WIDGET (self));
}

static void
add_button (GtkBox *line, GtkWidget *button, const char *tip)
{
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tip, -1);
  gtk_box_append (line, button);
}

GtkWidget *
odl_pulls_row_new (OdlSession *session, int item, const OdlParameter *parameter)
{
  OdlPullsRow *self = g_object_new (ODL_TYPE_PULLS_ROW, NULL);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_ (parameter->label));
  GtkWidget *number = gtk_label_new (NULL);
  GtkWidget *tool = gtk_toggle_button_new ();
  self->session = g_object_ref (session);
  self->item = item;
  self->parameter = parameter;
  self->number = GTK_LABEL (number);
  self->remove = gtk_button_new_from_icon_name ("edit-clear-all-symbolic");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (number, "numeric");
  gtk_button_set_icon_name (GTK_BUTTON (tool), "document-edit-symbolic");
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (tool), "win.tool::pull");
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), number);
  add_button (
      GTK_BOX (line), tool,
      _ ("Pull contours in the picture: drag, or arrows and Enter (Escape ends it)"));
  add_button (GTK_BOX (line), self->remove, _ ("Let all points go back"));
  gtk_widget_add_css_class (line, "parameter");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), line);
  g_signal_connect_object (self->remove, "clicked", G_CALLBACK (remove_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
