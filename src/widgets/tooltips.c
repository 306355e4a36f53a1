// SPDX-License-Identifier: MIT
#include "widgets/tooltips.h"

#include <gtk/gtk.h>
#include <stdbool.h>

// The pointer is still on a button when its menu opens, and the button's tooltip would
// cover the menu. The focus is in the menu then.
static bool
lies_beneath_menu (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;
  GtkWidget *menu = focus ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
  return menu && gtk_widget_get_mapped (menu) && !gtk_widget_is_ancestor (widget, menu);
}

static gboolean
query_tooltip_cb (GtkWidget *widget,
                  int x,
                  int y,
                  gboolean by_keyboard,
                  GtkTooltip *tooltip)
{
  gboolean shows = FALSE;
  if (!lies_beneath_menu (widget))
    g_signal_chain_from_overridden_handler (widget, x, y, by_keyboard, tooltip, &shows);
  return shows;
}

// A pointer that jumps onto a tooltip (a pen, a remote desktop) and presses there would
// be GTK 4.8's target until it is let go, when the tooltip has been freed.
static gboolean
map_cb (GSignalInvocationHint *hint, guint n, const GValue *values, void *data)
{
  GtkWidget *widget = g_value_get_object (values);
  if (GTK_IS_NATIVE (widget)
      && g_str_equal (gtk_widget_get_css_name (widget), "tooltip")) {
    cairo_region_t *nothing = cairo_region_create ();
    gdk_surface_set_input_region (gtk_native_get_surface (GTK_NATIVE (widget)), nothing);
    cairo_region_destroy (nothing);
  }
  return TRUE;
}

void
odl_tooltips_init (void)
{
  static bool done;
  if (!done) {
    // Its signals exist once the class has been initialised.
    g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
    g_signal_override_class_handler ("query-tooltip", GTK_TYPE_WIDGET,
                                     G_CALLBACK (query_tooltip_cb));
    g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, map_cb, NULL,
                                NULL);
  }
  done = true;
}
