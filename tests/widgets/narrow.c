// SPDX-License-Identifier: MIT
// What a window is too narrow for has another way: each button of its bars that is not
// seen is in a menu that is, or has a key.
#include "support/support.h"

#include "widgets/window/parts.h"

#define DEEPEST 8 // menus in menus

// "win.tool" and a target, as menus and keys have it. Transfer full.
static char *
detailed (const char *action, GVariant *target)
{
  return target ? g_action_print_detailed_name (action, target) : g_strdup (action);
}

static void
add_menu (GHashTable *ways, GMenuModel *menu, int depth)
{
  static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
  g_assert_cmpint (depth, <, DEEPEST);
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *action = NULL;
    g_autoptr (GVariant) target
        = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
      g_hash_table_add (ways, detailed (action, target));
    for (size_t l = 0; l < G_N_ELEMENTS (links); l++) {
      g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, links[l]);
      if (inner)
        add_menu (ways, inner, depth + 1);
    }
  }
}

// On screen and within the window.
static bool
is_seen (Fixture *fixture, GtkWidget *widget)
{
  graphene_rect_t place;
  GtkWidget *window = GTK_WIDGET (fixture->window);
  return gtk_widget_get_mapped (widget)
         && gtk_widget_compute_bounds (widget, window, &place) && place.origin.x > -0.5f
         && place.origin.x + place.size.width <= gtk_widget_get_width (window) + 0.5f;
}

typedef void (*Visit) (Fixture *fixture, GtkWidget *widget, GHashTable *ways);

static void
walk (Fixture *fixture, GtkWidget *root, Visit visit, GHashTable *ways)
{
  if (GTK_IS_POPOVER (root))
    return;
  visit (fixture, root, ways);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    walk (fixture, child, visit, ways);
}

static void
add_seen (Fixture *fixture, GtkWidget *widget, GHashTable *ways)
{
  GMenuModel *menu = GTK_IS_MENU_BUTTON (widget)
                         ? gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget))
                         : NULL;
  const char *action = GTK_IS_ACTIONABLE (widget)
                           ? gtk_actionable_get_action_name (GTK_ACTIONABLE (widget))
                           : NULL;
  if (!is_seen (fixture, widget))
    return;
  if (menu)
    add_menu (ways, menu, 0);
  if (action)
    g_hash_table_add (ways, detailed (action, gtk_actionable_get_action_target_value (
                                                  GTK_ACTIONABLE (widget))));
}

static void
add_keys (Fixture *fixture, GHashTable *ways)
{
  GtkApplication *application = GTK_APPLICATION (fixture->application);
  g_auto (GStrv) named = gtk_application_list_action_descriptions (application);
  g_autoptr (GListModel) controllers
      = gtk_widget_observe_controllers (GTK_WIDGET (fixture->window));
  for (char **name = named; *name; name++)
    g_hash_table_add (ways, g_strdup (*name));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
      continue;
    GListModel *shortcuts = G_LIST_MODEL (controller);
    for (guint s = 0; s < g_list_model_get_n_items (shortcuts); s++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (shortcuts, s);
      GtkShortcutAction *action = gtk_shortcut_get_action (shortcut);
      if (GTK_IS_NAMED_ACTION (action))
        g_hash_table_add (
            ways, detailed (gtk_named_action_get_action_name (GTK_NAMED_ACTION (action)),
                            gtk_shortcut_get_arguments (shortcut)));
    }
  }
}

static bool
is_enabled (Fixture *fixture, const char *action)
{
  return g_str_has_prefix (action, "win.")
         && g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                               action + strlen ("win."));
}

static void
check_way (Fixture *fixture, GHashTable *ways, const char *way)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *action = NULL;
  g_assert_true (g_action_parse_detailed_name (way, &action, &target, NULL));
  if (is_enabled (fixture, action) && !g_hash_table_contains (ways, way))
    g_error ("“%s” is neither seen at %d pixels, nor in a menu, nor has it a key", way,
             gtk_widget_get_width (GTK_WIDGET (fixture->window)));
}

static void
check_hidden (Fixture *fixture, GtkWidget *widget, GHashTable *ways)
{
  const char *action = GTK_IS_ACTIONABLE (widget)
                           ? gtk_actionable_get_action_name (GTK_ACTIONABLE (widget))
                           : NULL;
  GMenuModel *menu = GTK_IS_MENU_BUTTON (widget)
                         ? gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget))
                         : NULL;
  if (is_seen (fixture, widget))
    return;
  if (menu) {
    g_autoptr (GHashTable) inside
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    GHashTableIter iter;
    void *way;
    add_menu (inside, menu, 0);
    g_hash_table_iter_init (&iter, inside);
    while (g_hash_table_iter_next (&iter, &way, NULL))
      check_way (fixture, ways, way);
  }
  if (action) {
    g_autofree char *way = detailed (
        action, gtk_actionable_get_action_target_value (GTK_ACTIONABLE (widget)));
    check_way (fixture, ways, way);
  }
}

static void
check_widths (Fixture *fixture)
{
  static const int widths[] = { 500, 1024, 1400 };
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  GtkWidget *const bars[]
      = { find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_HEADER_BAR),
          odl_window_child (parts, "transport") };
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (GHashTable) ways
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[w], 700);
    run_cycles (fixture, 10);
    g_test_message ("%d pixels: %d", widths[w],
                    gtk_widget_get_width (GTK_WIDGET (fixture->window)));
    add_keys (fixture, ways);
    for (size_t b = 0; b < G_N_ELEMENTS (bars); b++)
      walk (fixture, bars[b], add_seen, ways);
    for (size_t b = 0; b < G_N_ELEMENTS (bars); b++)
      walk (fixture, bars[b], check_hidden, ways);
  }
}

static void
test_picture (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 200, 150, false);
  check_widths (fixture);
  open_and_wait (fixture, path);
  check_widths (fixture);
  set_filters (fixture, "soft-threshold:threshold=0.1 median");
  check_widths (fixture);
}

static void
test_volume (Fixture *fixture, const void *data)
{
  g_autofree char *path = path_in (fixture, "volume.mha");
  g_autoptr (GString) file = g_string_new ("ObjectType = Image\nNDims = 3\n"
                                           "DimSize = 24 20 9\nElementSpacing = 1 1 2\n"
                                           "ElementType = MET_UCHAR\n"
                                           "ElementDataFile = LOCAL\n");
  for (int i = 0; i < 24 * 20 * 9; i++)
    g_string_append_c (file, (char) (i * 7));
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  open_and_wait (fixture, path);
  check_widths (fixture);
  activate_and_settle (fixture, "planes", NULL);
  check_widths (fixture);
}

static void
test_moving (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:96x64");
  check_widths (fixture);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/narrow/buttons-of-a-picture-have-another-way", test_picture);
  ADD ("/narrow/of-a-volume-too", test_volume);
  ADD ("/narrow/of-what-moves-too", test_moving);
  return g_test_run ();
}
