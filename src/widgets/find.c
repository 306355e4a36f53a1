// SPDX-License-Identifier: MIT
#include "widgets/find.h"

GtkWidget *
odl_find_inside (GtkWidget *root, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = odl_find_inside (child, type);
  return found;
}
