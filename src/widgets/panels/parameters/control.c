// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/control.h"

void
odl_control_name (GtkWidget *control, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

void
odl_control_hold (GtkWidget *row)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
}
