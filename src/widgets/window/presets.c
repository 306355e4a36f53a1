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

static const OdlFileWindows *
file_windows (const OdlWindowParts *parts)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  return frame ? odl_image_info (frame->input)->windows : NULL;
}

static bool
is_in_hu (const OdlWindowParts *parts)
{
  const OdlFrame *frame = odl_session_frame (parts->session);
  return frame && g_strcmp0 (odl_image_info (frame->input)->value_map.unit, "HU") == 0;
}

// "Bone", or what the window shows, where the file gives it no name. Transfer full.
static char *
name_window (const OdlFileWindow *item)
{
  if (*item->name)
    return g_strdup (item->name);
  g_autofree char *from = odl_number_to_text (item->curve ? item->first : item->centre);
  g_autofree char *to = odl_number_to_text (item->curve ? item->last : item->width);
  // Translators: grey levels that a file offers; two values follow.
  return item->curve ? g_strdup_printf (_ ("table for %s to %s"), from, to)
                     : g_strdup_printf (_ ("centre %s, width %s"), from, to);
}

static void
say_window (const OdlWindowParts *parts, const OdlFileWindows *windows, int choice)
{
  g_autofree char *name = name_window (&windows->items[choice]);
  // Translators: the first number says which of the grey levels that a file offers is
  // shown, the second how many there are; then it is named.
  g_autofree char *text = g_strdup_printf (_ ("Grey levels %d of %d of the file: %s"),
                                           choice + 1, windows->n, name);
  odl_messages_say (parts->messages, text);
}

// The first of the file's windows, or, once that is shown, the next one.
static void
show_next (const OdlWindowParts *parts)
{
  const OdlFileWindows *windows = file_windows (parts);
  const OdlWindow shown = odl_viewport_window (parts->viewport);
  const bool is_file = shown.mode == ODL_WINDOW_FILE;
  const int choice = windows && is_file ? (shown.choice + 1) % windows->n : 0;
  odl_viewport_choose_window (parts->viewport, choice);
  if (windows)
    say_window (parts, windows, choice);
}

static void
choose_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int index = g_variant_get_int32 (parameter) - 2;
  if (!odl_window_shows_picture (parts))
    return;
  if (index < 0)
    show_next (parts);
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
choose_file_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const OdlFileWindows *windows = file_windows (parts);
  const int choice = g_variant_get_int32 (parameter);
  if (!odl_window_shows_picture (parts) || !windows || choice < 0 || choice >= windows->n)
    return;
  odl_viewport_choose_window (parts->viewport, choice);
  say_window (parts, windows, choice);
}

void
odl_window_update_presets (const OdlWindowParts *parts)
{
  GMenu *menu = odl_window_child (parts, "file_windows_menu");
  const OdlFileWindows *windows = file_windows (parts);
  g_menu_remove_all (menu);
  for (int i = 0; windows && i < windows->n; i++) {
    g_autofree char *name = name_window (&windows->items[i]);
    g_autofree char *action = g_strdup_printf ("win.file-window(%d)", i);
    g_auto (GStrv) words = g_strsplit (name, "_", -1);
    g_autofree char *plain = g_strjoinv ("__", words);
    // Translators: an entry of a menu: one of the grey levels that the file offers.
    g_autofree char *label = g_strdup_printf (_ ("File: %s"), plain);
    g_menu_append (menu, label, action);
  }
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
  static const OdlWindowAction actions[] = {
    { "window-preset", G_CALLBACK (choose_cb), "i", NULL },
    { "file-window", G_CALLBACK (choose_file_cb), "i", NULL },
  };
  GMenu *menu = odl_window_child (parts, "presets_menu");
  GMenu *own = odl_window_child (parts, "file_windows_menu");
  GtkEventController *keys = gtk_shortcut_controller_new ();
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  add (parts, menu, GTK_SHORTCUT_CONTROLLER (keys), _ ("As the _File Has Them"), 1);
  for (size_t i = 0; i < G_N_ELEMENTS (presets); i++)
    add (parts, menu, GTK_SHORTCUT_CONTROLLER (keys), _ (presets[i].name), (int) i + 2);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
  gtk_widget_add_controller (GTK_WIDGET (parts->window), keys);
}
