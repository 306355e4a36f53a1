// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/scale_row.h"

#include <glib/gi18n-lib.h>

#define SWITCH "scale-others"

static GtkSwitch *
switch_of (GtkWidget *row)
{
  GtkWidget *list = gtk_widget_get_parent (row);
  for (GtkWidget *child = list ? gtk_widget_get_first_child (list) : NULL; child;
       child = gtk_widget_get_next_sibling (child))
    if (g_object_get_data (G_OBJECT (child), SWITCH))
      return g_object_get_data (G_OBJECT (child), SWITCH);
  return NULL;
}

static double
largest (const OdlRecipe *recipe, int item, const OdlParameter *p, int first, int count)
{
  double most = 0;
  for (int i = first; i < first + count; i++)
    most = MAX (most, odl_recipe_get (recipe, item, p->key, i));
  return most;
}

void
odl_scale_row_apply (GtkWidget *row,
                     const OdlRecipe *before,
                     OdlRecipe *recipe,
                     int item,
                     const OdlParameter *parameter,
                     int first,
                     int count)
{
  GtkSwitch *own = parameter->kind == ODL_PARAMETER_MATRIX ? switch_of (row) : NULL;
  if (!own || !gtk_switch_get_active (own))
    return;
  const double was = largest (before, item, parameter, first, count);
  const double is = largest (recipe, item, parameter, first, count);
  if (was <= 0 || is <= 0) // nothing that could be in proportion
    return;
  for (int i = 0; i < parameter->count; i++) {
    const double other = odl_recipe_get (before, item, parameter->key, i);
    if ((i < first || i >= first + count) && other > 0)
      odl_recipe_set (recipe, item, parameter->key, i, other * is / was);
  }
}

GtkWidget *
odl_scale_row_new (void)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (_ ("Change one, scale the others"));
  GtkWidget *own = gtk_switch_new ();
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_valign (own, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (own), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Change one, scale the others"), -1);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), own);
  gtk_widget_add_css_class (line, "parameter");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  g_object_set_data (G_OBJECT (row), SWITCH, own);
  return row;
}
