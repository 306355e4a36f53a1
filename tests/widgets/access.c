// SPDX-License-Identifier: MIT
// Everything that takes the focus has a name, and the shortcuts window opens.
#include "support/support.h"

#include "widgets/sweep/sweep_window.h"
#include "widgets/text_scale.h"
#include "widgets/window/commands.h"
#include "widgets/window/own_keys.h"
#include "widgets/windows/preferences_window.h"

static bool
is_text (GtkWidget *widget, const void *data)
{
  return GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget));
}

// The name that a screen reader would speak: given, or from the text inside.
static bool
has_name (GtkWidget *widget)
{
  return gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                           GTK_ACCESSIBLE_PROPERTY_LABEL)
         || gtk_test_accessible_has_relation (GTK_ACCESSIBLE (widget),
                                              GTK_ACCESSIBLE_RELATION_LABELLED_BY)
         || find_where (widget, is_text, NULL);
}

// Parts of composite widgets, whose whole is what has the name; and windows' own buttons.
static bool
is_part (GtkWidget *widget)
{
  static const char *const wholes[]
      = { "GtkSpinButton", "GtkEntry",       "GtkDropDown",       "AdwComboRow",
          "GtkMenuButton", "AdwSplitButton", "GtkWindowControls", "GtkPopover",
          "GtkScrollbar",  "GtkColumnView" };
  for (GtkWidget *up = gtk_widget_get_parent (widget); up;
       up = gtk_widget_get_parent (up))
    for (size_t i = 0; i < G_N_ELEMENTS (wholes); i++)
      if (g_str_equal (G_OBJECT_TYPE_NAME (up), wholes[i])
          || (GTK_IS_POPOVER (up) && g_str_equal (wholes[i], "GtkPopover")))
        return true;
  return false;
}

static int
walk (GtkWidget *widget, int *focusable)
{
  int nameless = 0;
  if (gtk_widget_get_focusable (widget) && gtk_widget_get_child_visible (widget)
      && gtk_widget_get_visible (widget) && !GTK_IS_WINDOW (widget) && !is_part (widget)
      && !GTK_IS_SCROLLED_WINDOW (widget)) {
    (*focusable)++;
    if (!has_name (widget)) {
      g_test_message ("%s in %s has no name", G_OBJECT_TYPE_NAME (widget),
                      G_OBJECT_TYPE_NAME (gtk_widget_get_parent (widget)));
      nameless++;
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    nameless += walk (child, focusable);
  return nameless;
}

static double
badge_height (Fixture *fixture)
{
  return odl_text_scale (gtk_widget_get_pango_context (GTK_WIDGET (fixture->viewport)));
}

static int
word_height (Fixture *fixture, const char *css_class)
{
  int least, natural;
  GtkLabel *label = label_with_class (GTK_WIDGET (fixture->window), css_class);
  PangoLayout *layout = gtk_label_get_layout (label);
  pango_layout_set_text (layout, "Xg", -1);
  pango_layout_get_pixel_size (layout, &least, &natural);
  return natural;
}

// Who needs large letters gets them over the picture, too, and in a presentation.
static void
test_text_size (Fixture *fixture, const void *data)
{
  static const char *const classes[]
      = { "corner", "readout-rate", "readout-work", "readout-notice" };
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi, before[G_N_ELEMENTS (classes)];
  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  const double scale = badge_height (fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    before[i] = word_height (fixture, classes[i]);
  g_object_set (settings, "gtk-xft-dpi", 2 * (dpi > 0 ? dpi : 96 * 1024), NULL);
  run_cycles (fixture, 5);
  g_assert_cmpfloat_with_epsilon (badge_height (fixture), 2 * scale, 0.1);
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++) {
    const int now = word_height (fixture, classes[i]);
    g_test_message ("%s: %d, %d", classes[i], before[i], now);
    g_assert_cmpfloat ((double) now, >=, 1.8 * before[i]);
  }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

static void
test_names (Fixture *fixture, const void *data)
{
  int focusable = 0;
  g_assert_cmpint (walk (GTK_WIDGET (fixture->window), &focusable), ==, 0);
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, true);
  open_and_wait (fixture, path);
  set_filters (fixture, "shrinkage sharpen gaussian");
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "wipe", NULL);
  settle (fixture);
  focusable = 0;
  g_assert_cmpint (walk (GTK_WIDGET (fixture->window), &focusable), ==, 0);
  g_assert_cmpint (focusable, >, 30);
}

static void
test_sweep (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, true);
  int focusable = 0;
  open_and_wait (fixture, path);
  set_filters (fixture, "shrinkage gaussian");
  activate (fixture, "sweep", NULL);
  run_cycles (fixture, 3);
  GtkWidget *window = GTK_WIDGET (odl_sweep_window_present (fixture->window));
  g_assert_cmpint (walk (window, &focusable), ==, 0);
  g_assert_cmpint (focusable, >, 20);
  // The plot, too, which has its own role.
  GtkStack *pages = GTK_STACK (find_widget (window, GTK_TYPE_STACK));
  gtk_stack_set_visible_child_name (pages, "plot");
  run_cycles (fixture, 3);
  g_assert_cmpint (walk (window, &focusable), ==, 0);
}

static void
test_picture_is_described (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  GtkAccessible *picture = GTK_ACCESSIBLE (fixture->viewport);
  gtk_test_accessible_assert_role (picture, GTK_ACCESSIBLE_ROLE_IMG);
  g_assert_true (
      gtk_test_accessible_has_property (picture, GTK_ACCESSIBLE_PROPERTY_LABEL));
}

static void
add_titles (GtkWidget *root, GString *titles)
{
  if (GTK_IS_SHORTCUTS_GROUP (root)) {
    g_autofree char *title = NULL;
    g_object_get (root, "title", &title, NULL);
    g_string_append_printf (titles, "%s ", title);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    add_titles (child, titles);
}

static void
test_shortcuts_window (Fixture *fixture, const void *data)
{
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (
      GTK_APPLICATION_WINDOW (fixture->window));
  g_assert_nonnull (help);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-help-overlay",
                              NULL);
  settle (fixture);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (help)));
  // In columns that fit the screen, and in the file's order.
  guint rows = 0;
  g_object_get (find_widget (GTK_WIDGET (help), GTK_TYPE_SHORTCUTS_SECTION), "max-height",
                &rows, NULL);
  g_assert_cmpint (rows, <, 20);
  g_autoptr (GString) titles = g_string_new (NULL);
  add_titles (GTK_WIDGET (help), titles);
  g_assert_cmpstr (
      titles->str, ==,
      "General Files Compare Views Picture Grey Levels and Values Volumes and Surfaces "
      "Measuring Playing Editing Panes Pointer ");
  gtk_window_close (GTK_WINDOW (help));
}

// The first shortcut of the window for a key, in the order in which GTK asks them; NULL:
// none.
static GtkShortcut *
first_shortcut (GtkWidget *window, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
      continue;
    GListModel *shortcuts = G_LIST_MODEL (controller);
    for (guint k = 0; k < g_list_model_get_n_items (shortcuts); k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);
      GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
      if (GTK_IS_KEYVAL_TRIGGER (trigger)
          && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
          && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == 0)
        return shortcut; // the controller keeps it
    }
  }
  return NULL;
}

// GTK's windows have keys of their own, arrows among them.
static void
test_keys_are_the_windows (Fixture *fixture, const void *data)
{
  static const struct {
    guint key;
    const char *action;
  } keys[] = {
    { GDK_KEY_Left, "win.step-file" },        { GDK_KEY_Right, "win.step-file" },
    { GDK_KEY_Page_Up, "win.step-file" },     { GDK_KEY_Page_Down, "win.step-file" },
    { GDK_KEY_comma, "win.step-frame" },      { GDK_KEY_period, "win.step-frame" },
    { GDK_KEY_Home, "win.first-frame" },      { GDK_KEY_bracketleft, "win.set-range" },
    { GDK_KEY_BackSpace, "win.clear-range" }, { GDK_KEY_Escape, "win.cancel" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    GtkShortcut *shortcut = first_shortcut (GTK_WIDGET (fixture->window), keys[i].key);
    g_assert_nonnull (shortcut);
    GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
    g_autofree char *text = gtk_shortcut_action_to_string (action);
    g_test_message ("%s: %s", gdk_keyval_name (keys[i].key), text);
    g_assert_true (GTK_IS_NAMED_ACTION (action));
    g_assert_cmpstr (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action)), ==,
                     keys[i].action);
  }
}

static const char *
action_of (Fixture *fixture, guint key)
{
  GtkShortcut *shortcut = first_shortcut (GTK_WIDGET (fixture->window), key);
  GtkShortcutAction *action = shortcut ? gtk_shortcut_get_action (shortcut) : NULL;
  return action && GTK_IS_NAMED_ACTION (action)
             ? gtk_named_action_get_action_name (GTK_NAMED_ACTION (action))
             : NULL;
}

static bool
is_row_of (GtkWidget *widget, const void *id)
{
  return ADW_IS_ACTION_ROW (widget)
         && g_strcmp0 (adw_action_row_get_subtitle (ADW_ACTION_ROW (widget)), id) == 0;
}

static void
press_in_dialog (Fixture *fixture, GtkWidget *preferences, const char *id, guint key)
{
  gboolean handled = FALSE;
  GtkWidget *row = find_where (preferences, is_row_of, id);
  g_signal_emit_by_name (find_widget (row, GTK_TYPE_BUTTON), "clicked");
  settle (fixture);
  GtkWidget *asking = NULL;
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) one = g_list_model_get_item (all, i);
    if (gtk_window_get_modal (one)
        && gtk_window_get_transient_for (one) == GTK_WINDOW (preferences))
      asking = GTK_WIDGET (one);
  }
  g_assert_nonnull (asking);
  g_signal_emit_by_name (controller_of (asking, GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, 0, &handled);
  g_assert_true (handled);
  settle (fixture);
}

// Keys that people chose go before those of the table, in every window, are refused where
// another command has them, and all come back.
static void
test_own_keys (Fixture *fixture, const void *data)
{
  GtkWidget *preferences = GTK_WIDGET (odl_preferences_window_present (fixture->window));
  settle (fixture);
  g_assert_null (action_of (fixture, GDK_KEY_ugrave));
  press_in_dialog (fixture, preferences, "win.rotate(1)", GDK_KEY_ugrave);
  g_assert_cmpstr (action_of (fixture, GDK_KEY_ugrave), ==, "win.rotate");
  g_assert_null (action_of (fixture, GDK_KEY_r));
  g_autofree char *kept = odl_settings_get_string (fixture->settings, "own-keys");
  g_assert_cmpstr (kept, ==, "win.rotate(1)\tugrave\n");
  press_in_dialog (fixture, preferences, "win.flip(true)",
                   GDK_KEY_o); // the canvas has it
  g_assert_cmpstr (odl_command_key ("win.flip(true)"), ==, "h");
  press_in_dialog (fixture, preferences, "win.flip(true)", GDK_KEY_BackSpace);
  g_assert_null (action_of (fixture, GDK_KEY_h));
  odl_settings_set_string (fixture->settings, "own-keys",
                           "win.invert\t<Control>j\nno tab\n\t\nwin.wipe\t<nonsense>\n");
  odl_own_keys_load (fixture->settings);
  g_assert_cmpstr (odl_command_key ("win.invert"), ==, "<Control>j");
  g_assert_cmpstr (odl_command_key ("win.wipe"), ==, "w");
  odl_own_keys_clear (fixture->settings);
  odl_commands_renew (GTK_APPLICATION (fixture->application));
  g_assert_cmpstr (action_of (fixture, GDK_KEY_r), ==, "win.rotate");
  gtk_window_close (GTK_WINDOW (preferences));
}

static void
check_action (Fixture *fixture, const char *action, GVariant *target)
{
  GActionGroup *group = g_str_has_prefix (action, "win.")
                            ? G_ACTION_GROUP (fixture->window)
                            : G_ACTION_GROUP (fixture->application);
  const char *name = strchr (action, '.') + 1;
  const GVariantType *type = NULL;
  if (!g_str_has_prefix (action, "win.") && !g_str_has_prefix (action, "app."))
    return;
  if (!g_action_group_query_action (group, name, NULL, &type, NULL, NULL, NULL))
    g_error ("there is no action “%s”", action);
  if (target ? !type || !g_variant_is_of_type (target, type) : type != NULL)
    g_error ("“%s” is not given what it is about", action);
}

static int
check_menu (Fixture *fixture, GMenuModel *menu)
{
  static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
  const int n = menu ? g_menu_model_get_n_items (menu) : 0;
  int actions = 0;
  for (int i = 0; i < n; i++) {
    g_autofree char *action = NULL;
    g_autoptr (GVariant) target
        = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
      check_action (fixture, action, target);
    actions += action != NULL;
    for (size_t k = 0; k < G_N_ELEMENTS (links); k++) {
      g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, links[k]);
      actions += check_menu (fixture, inner);
    }
  }
  return actions;
}

static int
check_menus (Fixture *fixture, GtkWidget *widget)
{
  int actions = GTK_IS_POPOVER_MENU (widget) ? check_menu (
                    fixture, gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (widget)))
                                             : 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    actions += check_menus (fixture, child);
  return actions;
}

static int
check_keys (Fixture *fixture)
{
  g_autoptr (GListModel) controllers
      = gtk_widget_observe_controllers (GTK_WIDGET (fixture->window));
  int actions = 0;
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GListModel) shortcuts = g_list_model_get_item (controllers, i);
    const guint n = GTK_IS_SHORTCUT_CONTROLLER (shortcuts)
                        ? g_list_model_get_n_items (shortcuts)
                        : 0;
    for (guint k = 0; k < n; k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, k);
      GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
      if (!GTK_IS_NAMED_ACTION (action))
        continue;
      check_action (fixture, gtk_named_action_get_action_name (GTK_NAMED_ACTION (action)),
                    gtk_shortcut_get_arguments (shortcut));
      actions++;
    }
  }
  return actions;
}

static void
test_actions_are_there (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  g_assert_cmpint (check_menus (fixture, GTK_WIDGET (fixture->window)), >, 100);
  g_assert_cmpint (check_keys (fixture), >, 100);
}

static void
test_about_says_what_it_is_not (Fixture *fixture, const void *data)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "about", NULL);
  settle (fixture);
  GListModel *windows = gtk_window_get_toplevels ();
  bool found = false;
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (!ADW_IS_ABOUT_WINDOW (window))
      continue;
    const char *comments = adw_about_window_get_comments (ADW_ABOUT_WINDOW (window));
    found = strstr (comments, "Not for diagnostic use") != NULL;
    gtk_window_close (window);
  }
  g_assert_true (found);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/access/words-follow-the-systems-size", test_text_size);
  ADD ("/access/everything-that-takes-the-focus-has-a-name", test_names);
  ADD ("/access/a-sweep-is-named-throughout", test_sweep);
  ADD ("/access/the-picture-is-described", test_picture_is_described);
  ADD ("/access/the-shortcuts-window-opens", test_shortcuts_window);
  ADD ("/access/keys-do-what-they-say", test_keys_are_the_windows);
  ADD ("/access/people-choose-keys", test_own_keys);
  ADD ("/access/actions-of-menus-and-keys-are-there", test_actions_are_there);
  ADD ("/access/about-says-not-for-diagnostic-use", test_about_says_what_it_is_not);
  return g_test_run ();
}
