// SPDX-License-Identifier: MIT
// The keys of the window that are no accelerators of the application.
#include "widgets/window/parts.h"

// Keys that a text entry may use itself are handled here, after the entry; the others are
// accelerators of the application and are shown in the menus.
static const struct {
  guint key;
  GdkModifierType modifiers;
  const char *action;
  const char *parameter; // GVariant text
} keys[] = {
  { GDK_KEY_1, 0, "win.view", "'synthesis'" },
  { GDK_KEY_2, 0, "win.view", "'analysis'" },
  { GDK_KEY_3, 0, "win.view", "'filtered-analysis'" },
  { GDK_KEY_4, 0, "win.view", "'residual'" },
  { GDK_KEY_5, 0, "win.next-level", NULL },
  { GDK_KEY_2, GDK_CONTROL_MASK, "win.next-band", NULL },
  { GDK_KEY_k, 0, "win.next-colour-map", NULL },
  { GDK_KEY_t, 0, "win.see-volume", "'planes'" },
  { GDK_KEY_x, 0, "win.next-slab", "1" },
  { GDK_KEY_x, GDK_SHIFT_MASK, "win.next-slab", "-1" },
  { GDK_KEY_u, 0, "win.see-volume", "'next-rendering'" },
  { GDK_KEY_u, GDK_SHIFT_MASK, "win.next-cut", NULL },
  { GDK_KEY_u, GDK_CONTROL_MASK, "win.turn-rendering", NULL },
  { GDK_KEY_y, 0, "win.slab-thickness", "1" },
  { GDK_KEY_y, GDK_SHIFT_MASK, "win.slab-thickness", "-1" },
  { GDK_KEY_t, GDK_SHIFT_MASK, "win.turn-plane", NULL },
  { GDK_KEY_v, GDK_SHIFT_MASK, "win.show-box", NULL },
  { GDK_KEY_Left, GDK_ALT_MASK, "win.lean-plane", "(-1, 0)" },
  { GDK_KEY_Left, GDK_CONTROL_MASK, "win.push-box", "(-1, 0, false)" },
  { GDK_KEY_Left, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.push-box", "(-1, 0, true)" },
  { GDK_KEY_Right, GDK_ALT_MASK, "win.lean-plane", "(1, 0)" },
  { GDK_KEY_Right, GDK_CONTROL_MASK, "win.push-box", "(1, 0, false)" },
  { GDK_KEY_Right, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.push-box", "(1, 0, true)" },
  { GDK_KEY_Up, GDK_ALT_MASK, "win.lean-plane", "(0, -1)" },
  { GDK_KEY_Up, GDK_CONTROL_MASK, "win.push-box", "(0, -1, false)" },
  { GDK_KEY_Up, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.push-box", "(0, -1, true)" },
  { GDK_KEY_Down, GDK_ALT_MASK, "win.lean-plane", "(0, 1)" },
  { GDK_KEY_Down, GDK_CONTROL_MASK, "win.push-box", "(0, 1, false)" },
  { GDK_KEY_Down, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.push-box", "(0, 1, true)" },
  { GDK_KEY_a, 0, "win.show-series", NULL },
  { GDK_KEY_s, 0, "win.show-surface", NULL },
  { GDK_KEY_n, 0, "win.show-net", NULL },
  { GDK_KEY_w, 0, "win.wipe", NULL },
  { GDK_KEY_b, 0, "win.beside", NULL },
  { GDK_KEY_z, 0, "win.magnifier", NULL },
  { GDK_KEY_z, GDK_SHIFT_MASK, "win.next-magnification", NULL },
  { GDK_KEY_m, 0, "win.measure", NULL },
  { GDK_KEY_m, GDK_SHIFT_MASK, "win.next-measure", NULL },
  { GDK_KEY_i, 0, "win.invert", NULL },
  { GDK_KEY_g, 0, "win.show-overlays", NULL },
  { GDK_KEY_p, 0, "win.show-values", NULL },
  { GDK_KEY_c, 0, "win.show-corners", NULL },
  { GDK_KEY_c, GDK_SHIFT_MASK, "win.mask-names", NULL },
  { GDK_KEY_r, 0, "win.rotate", "1" },
  { GDK_KEY_r, GDK_SHIFT_MASK, "win.rotate", "-1" },
  { GDK_KEY_h, 0, "win.flip", "true" },
  { GDK_KEY_v, 0, "win.flip", "false" },
  { GDK_KEY_d, 0, "win.show-diagnostics", NULL },
  { GDK_KEY_e, 0, "win.show-engines", NULL },
  { GDK_KEY_a, GDK_SHIFT_MASK, "win.recipe", "'A'" },
  { GDK_KEY_b, GDK_SHIFT_MASK, "win.recipe", "'B'" },
  { GDK_KEY_q, 0, "win.next-comparison", NULL },
  { GDK_KEY_q, GDK_SHIFT_MASK, "win.copy-recipe-over", NULL },
  { GDK_KEY_j, 0, "win.flicker", NULL },
  { GDK_KEY_b, GDK_CONTROL_MASK, "win.a-beside-b", NULL },
  { GDK_KEY_comma, 0, "win.step-frame", "-1" },
  { GDK_KEY_period, 0, "win.step-frame", "1" },
  { GDK_KEY_less, 0, "win.step-time", "-1" },
  { GDK_KEY_greater, 0, "win.step-time", "1" },
  { GDK_KEY_Up, 0, "win.step-frame", "-1" },
  { GDK_KEY_Down, 0, "win.step-frame", "1" },
  { GDK_KEY_Home, 0, "win.first-frame", NULL },
  { GDK_KEY_End, 0, "win.last-frame", NULL },
  { GDK_KEY_bracketleft, 0, "win.set-range", "false" },
  { GDK_KEY_bracketright, 0, "win.set-range", "true" },
  { GDK_KEY_BackSpace, 0, "win.clear-range", NULL },
  { GDK_KEY_l, 0, "win.cycle-repeat", NULL },
  { GDK_KEY_f, 0, "win.fast", NULL },
  { GDK_KEY_f, GDK_SHIFT_MASK, "win.skip-pause", NULL },
  { GDK_KEY_Left, 0, "win.step-file", "-1" },
  { GDK_KEY_Right, 0, "win.step-file", "1" },
  { GDK_KEY_Page_Up, 0, "win.step-file", "-1" },
  { GDK_KEY_Page_Down, 0, "win.step-file", "1" },
  { GDK_KEY_Insert, 0, "win.add-filter", NULL },
  { GDK_KEY_Return, GDK_ALT_MASK, "win.properties", NULL },
  { GDK_KEY_Escape, 0, "win.cancel", NULL },
  { GDK_KEY_c, GDK_CONTROL_MASK, "win.copy", NULL },
  { GDK_KEY_z, GDK_CONTROL_MASK, "win.undo", NULL },
  { GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.redo", NULL },
  { GDK_KEY_v, GDK_CONTROL_MASK, "win.paste-recipe", NULL },
};

// In a controller of the instance, which precedes those of the class: GtkWindow would
// move the focus with the arrow keys.
void
odl_window_add_keys (const OdlWindowParts *parts)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    GtkShortcutTrigger *trigger = gtk_keyval_trigger_new (keys[i].key, keys[i].modifiers);
    GtkShortcut *shortcut
        = gtk_shortcut_new (trigger, gtk_named_action_new (keys[i].action));
    if (keys[i].parameter)
      gtk_shortcut_set_arguments (
          shortcut, g_variant_parse (NULL, keys[i].parameter, NULL, NULL, NULL));
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
  }
  gtk_widget_add_controller (GTK_WIDGET (parts->window), controller);
}
