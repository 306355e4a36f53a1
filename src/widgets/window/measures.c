// SPDX-License-Identifier: MIT
// What can be measured, as a menu, and the button of what was measured last.
#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/window/parts.h"

void
odl_window_add_measures (const OdlWindowParts *parts)
{
  GMenu *menu = odl_window_child (parts, "measure_menu");
  const OdlAnnotationKind *kind;
  for (size_t i = 0; (kind = odl_annotation_kind_at (i)) != NULL; i++) {
    g_autofree char *action = g_strconcat ("win.tool::", kind->name, NULL);
    g_menu_append (menu, _ (kind->title), action);
  }
}

void
odl_window_update_measures (const OdlWindowParts *parts)
{
  GtkWidget *button = odl_window_child (parts, "measure_button");
  const OdlAnnotationKind *kind = odl_viewport_measuring (parts->viewport);
  g_autofree char *icon = g_strdup_printf ("odl-%s-symbolic", kind->name);
  // Translators: what is measured: “Measure: length (M)”.
  g_autofree char *tip = g_strdup_printf (_ ("Measure: %s (M)"), _ (kind->title));
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  tip, -1);
}
