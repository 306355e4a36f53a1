// SPDX-License-Identifier: MIT
// Grey levels by name: the file's own, and those of its modality, built in for CT.
#include <glib/gi18n-lib.h>

#include "base/text.h"
#include "widgets/diagnostics.h"
#include "widgets/window/commands.h"
#include "widgets/window/parts.h"
#include "widgets/window/presets_window.h"
#include "widgets/window/window_presets.h"

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
  g_autofree char *from
      = odl_diagnostics_number (item->curve ? item->first : item->centre);
  g_autofree char *to = odl_diagnostics_number (item->curve ? item->last : item->width);
  // Translators: grey levels that a file offers; two values follow.
  return odl_text_with_minus (
      item->curve ? g_strdup_printf (_ ("table for %s to %s"), from, to)
                  : g_strdup_printf (_ ("centre %s, width %s"), from, to));
}

static void
say_window (const OdlWindowParts *parts, const OdlFileWindows *windows, int choice)
{
  g_autofree char *name = name_window (&windows->items[choice]);
  // Translators: the first number says which of the grey levels that a file offers is
  // shown, the second how many there are; then it is named.
  g_autofree char *text = g_strdup_printf (_ ("Grey levels %d of %d of the file: %s"),
                                           choice + 1, windows->n, name);
  odl_messages_say_of_state (parts->messages, text);
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
  else
    odl_messages_say_of_state (parts->messages,
                               _ ("The file has no grey levels of its own. All of its "
                                  "values are shown."));
}

// Of the picture, Alt+2 and on. Transfer full; NULL: there are fewer.
static OdlWindowPreset *
nth (const OdlWindowParts *parts, GPtrArray *presets, int index)
{
  const char *modality = odl_session_detail (parts->session, "modality");
  return odl_window_presets_nth (presets, modality ? modality : "", index);
}

static GPtrArray *
read_presets (const OdlWindowParts *parts)
{
  g_autofree char *text = odl_settings_get_string (parts->settings, ODL_PRESETS_KEY);
  return odl_window_presets_parse (text);
}

static void
choose_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  const int index = g_variant_get_int32 (parameter) - 2;
  if (!odl_window_shows_picture (parts))
    return;
  if (index < 0) {
    show_next (parts);
    return;
  }
  g_autoptr (GPtrArray) presets = read_presets (parts);
  const OdlWindowPreset *preset = nth (parts, presets, index);
  const char *modality = odl_session_detail (parts->session, "modality");
  if (!preset) {
    odl_messages_say_of_state (parts->messages,
                               _ ("There are no such grey levels for pictures of "
                                  "this kind. “Edit Grey Levels” adds some."));
    return;
  }
  if (g_strcmp0 (modality, "CT") == 0 && !is_in_hu (parts)) {
    odl_messages_say_of_state (parts->messages,
                               _ ("These grey levels are for CT. The values of "
                                  "this picture are no Hounsfield units."));
    return;
  }
  odl_viewport_set_window (parts->viewport, preset->centre, preset->width);
}

static void
edit_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  odl_presets_window_present (parts);
}

static void
region_cb (const OdlWindowParts *parts, GVariant *parameter)
{
  if (!odl_window_shows_picture (parts) || odl_viewport_window_region (parts->viewport))
    return;
  odl_messages_say_of_state (parts->messages,
                             _ ("Draw an ellipse or a closed line (M, Shift+M) over the "
                                "part whose values are to be seen."));
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

static char *
without_mnemonic (const char *name)
{
  g_auto (GStrv) words = g_strsplit (name, "_", -1);
  return g_strjoinv ("__", words);
}

static void
append (GMenu *menu, const char *label, int number)
{
  g_autofree char *action = g_strdup_printf ("win.window-preset(%d)", number);
  const char *key
      = odl_command_key (action); // NULL: without a modality there may be more
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);
  g_menu_item_set_attribute (item, "accel", key ? "s" : NULL, key);
  g_menu_append_item (menu, item);
}

static void
append_presets (const OdlWindowParts *parts, GMenu *menu)
{
  g_autoptr (GPtrArray) presets = read_presets (parts);
  const OdlWindowPreset *preset;
  append (menu, _ ("As the _File Has Them"), 1);
  for (int i = 0; (preset = nth (parts, presets, i)); i++) {
    g_autofree char *plain = without_mnemonic (preset->name);
    g_autofree char *label = *preset->modality
                                 ? g_strdup_printf (_ ("%s: %s"), preset->modality, plain)
                                 : g_strdup (plain);
    append (menu, label, i + 2);
  }
}

// Those of the modality, those of the file, and what can be done about them.
static void
update_presets (const OdlWindowParts *parts)
{
  GMenu *menu = odl_window_child (parts, "presets_menu");
  g_autoptr (GMenu) own = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  g_autoptr (GMenuItem) region
      = g_menu_item_new (_ ("Of the _Region Measured"), "win.window-region");
  const OdlFileWindows *windows = file_windows (parts);
  g_menu_remove_all (menu);
  append_presets (parts, menu);
  for (int i = 0; windows && i < windows->n; i++) {
    g_autofree char *name = name_window (&windows->items[i]);
    g_autofree char *action = g_strdup_printf ("win.file-window(%d)", i);
    g_autofree char *plain = without_mnemonic (name);
    // Translators: an entry of a menu: one of the grey levels that the file offers.
    g_autofree char *label = g_strdup_printf (_ ("File: %s"), plain);
    g_menu_append (own, label, action);
  }
  odl_window_append_presentations (parts, own);
  odl_window_append_segments (parts, own);
  g_menu_item_set_attribute (region, "accel", "s", odl_command_key ("win.window-region"));
  g_menu_append_item (more, region);
  g_menu_append (more, _ ("_Edit Grey Levels…"), "win.edit-presets");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (own));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (more));
}

void
odl_window_add_presets (const OdlWindowParts *parts)
{
  static const OdlWindowAction actions[] = {
    { "window-preset", G_CALLBACK (choose_cb), "i", NULL },
    { "file-window", G_CALLBACK (choose_file_cb), "i", NULL },
    { "window-region", G_CALLBACK (region_cb), NULL, NULL },
    { "edit-presets", G_CALLBACK (edit_cb), NULL, NULL },
  };
  odl_window_add_actions (parts, actions, G_N_ELEMENTS (actions), (void *) parts);
  odl_window_connect (parts, parts->window, "told::presets", G_CALLBACK (update_presets),
                      (void *) parts);
  update_presets (parts);
  // The same menu is in the panels of filters.
  GMenuModel *menu = odl_window_child (parts, "presets_menu");
  g_menu_insert_submenu (odl_window_child (parts, "picture_tools"), 1, _ ("_Grey Levels"),
                         menu);
}
