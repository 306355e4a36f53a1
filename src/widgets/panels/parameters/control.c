// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/control.h"

void
odl_control_name (GtkWidget *control, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}
