// SPDX-License-Identifier: MIT
// Grey levels by name: the file's own, and those in use for CT, in its unit.
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "config.h"
#include "widgets/window/parts.h"

// Alt+2 and on; Alt+1 is the file's own.
static const struct {
  const char *name;
  double centre, width; // HU
} presets[] = {
  { N_ ("CT: _Soft Tissue"), 40, 400 }, { N_ ("CT: _Lung"), -600, 1500 },
  { N_ ("CT: L_iver"), 90, 150 },       { N_ ("CT: _Bone"), 480, 2500 },
  { N_ ("CT: B_rain"), 40, 80 },
};

static bool
is_in_hu (const OdlWindowParts *parts)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  return frame && g_strcmp0 (odl_image_info (frame->input)->value_map.unit, "HU") == 0;
}

static void
choose_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int index = g_variant_get_int32 (parameter) - 2;
  if (!odl_window_shows_picture (parts))
    return;
  if (index < 0)
    odl_viewport_reset_window (parts->viewport);
  else if (index >= (int) G_N_ELEMENTS (presets))
    return;
  else if (is_in_hu (parts))
    odl_viewport_set_window (parts->viewport, presets[index].centre,
                             presets[index].width);
  else
    odl_messages_say (parts->messages, _ ("These grey levels are for CT. The values of "
                                          "this picture are no Hounsfield units."));
}

static void
add (const OdlWindowParts *parts,
     GMenu *menu,
     GtkShortcutController *keys,
     const char *name,
     int number)
{
  g_autofree char *action = g_strdup_printf ("win.window-preset(%d)", number);
  g_autofree char *key = g_strdup_printf ("<Alt>%d", number);
  g_autoptr (GMenuItem) item = g_menu_item_new (name, action);
  g_menu_item_set_attribute (item, "accel", "s", key);
  g_menu_append_item (menu, item);
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_shortcut_trigger_parse_string (key),
                                            gtk_named_action_new ("win.window-preset"));
  gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (number));
  gtk_shortcut_controller_add_shortcut (keys, shortcut);
}

void
odl_window_add_presets (const OdlWindowParts *parts)
{
  static const OdlWindowAction action
      = { "window-preset", G_CALLBACK (choose_cb), "i", NULL };
  GMenu *menu = odl_window_child (parts, "presets_menu");
  GtkEventController *keys = gtk_shortcut_controller_new ();
  odl_window_add_actions (parts, &action, 1, (void *) parts);
  add (parts, menu, GTK_SHORTCUT_CONTROLLER (keys), _ ("As the _File Has Them"), 1);
  for (size_t i = 0; i < G_N_ELEMENTS (presets); i++)
    add (parts, menu, GTK_SHORTCUT_CONTROLLER (keys), _ (presets[i].name), (int) i + 2);
  gtk_widget_add_controller (GTK_WIDGET (parts->window), keys);
}
