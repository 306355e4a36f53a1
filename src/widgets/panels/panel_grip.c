// SPDX-License-Identifier: MIT
#include "widgets/panels/panel_grip.h"

#include <glib/gi18n-lib.h>

// Logical pixels.
#define LEAST 210
#define MOST 640
#define STEP 20

typedef struct {
  GtkWidget *panel;
  OdlSettings *settings;
  const char *key;
} Grip;

static void
set_width (const Grip *grip, int width)
{
  gtk_widget_set_size_request (grip->panel, CLAMP (width, LEAST, MOST), -1);
}

static int
width_of (const Grip *grip)
{
  int width;
  gtk_widget_get_size_request (grip->panel, &width, NULL);
  return MAX (width, LEAST);
}

static void
keep (const Grip *grip)
{
  odl_settings_set_int (grip->settings, grip->key, width_of (grip));
}

// The edge goes along, so that the offset is what remains to go.
static void
update_cb (GtkGestureDrag *drag, double x, double y, const Grip *grip)
{
  set_width (grip, width_of (grip) + (int) x);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        const Grip *grip)
{
  const bool wider = key == GDK_KEY_Right || key == GDK_KEY_KP_Right;
  const bool narrower = key == GDK_KEY_Left || key == GDK_KEY_KP_Left;
  if (!wider && !narrower)
    return FALSE;
  set_width (grip, width_of (grip) + (wider ? STEP : -STEP));
  keep (grip);
  return TRUE;
}

void
odl_panel_grip_add (GtkWidget *edge,
                    GtkWidget *panel,
                    OdlSettings *settings,
                    const char *key)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  Grip *grip = g_new (Grip, 1);
  *grip = (Grip){ panel, settings, key };
  g_object_set_data_full (G_OBJECT (edge), "odl-grip", grip, g_free);
  set_width (grip, odl_settings_get_int (settings, key));
  gtk_widget_add_css_class (edge, "grip");
  gtk_widget_set_cursor_from_name (edge, "col-resize");
  gtk_widget_set_focusable (edge, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (edge), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Width of the panel"), -1);
  g_signal_connect (drag, "drag-update", G_CALLBACK (update_cb), grip);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (keep), grip);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), grip);
  gtk_widget_add_controller (edge, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (edge, keys);
}
