// SPDX-License-Identifier: MIT
// Small things in the real window that people trip over.
#include "support/support.h"

#include <adwaita.h>
#include <string.h>

#include "filter/recipe.h"
#include "widgets/panels/filter_card.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

static char *
write_grey16 (Fixture *fixture, const char *name)
{
  g_autofree char *header
      = g_strdup_printf ("NDims = 2\nDimSize = 80 60\nElementType = MET_USHORT\n"
                         "ElementDataFile = %s.raw\n",
                         name);
  g_autofree char *file = g_strconcat (name, ".mhd", NULL);
  g_autofree char *data = g_strconcat (name, ".raw", NULL);
  char *path = g_build_filename (fixture->folder, file, NULL);
  g_autofree char *raw = g_build_filename (fixture->folder, data, NULL);
  guint16 samples[80 * 60];
  for (int i = 0; i < 80 * 60; i++)
    samples[i] = (guint16) (i * 13);
  g_assert_true (g_file_set_contents (path, header, -1, NULL));
  g_assert_true (g_file_set_contents (raw, (const char *) samples, sizeof samples, NULL));
  return path;
}

static void
look_closer (Fixture *fixture)
{
  odl_viewport_zoom_by (fixture->viewport, 3);
  odl_viewport_pan (fixture->viewport, 30, -20);
  odl_viewport_set_window (fixture->viewport, 90, 60);
  odl_viewport_set_invert (fixture->viewport, true);
  odl_viewport_rotate (fixture->viewport, 1);
  settle (fixture);
}

static void
test_view_is_kept (Fixture *fixture, const void *data)
{
  const struct {
    char *path;
    bool kept;
  } files[] = {
    { write_png (fixture, "same.png", 80, 60, false), true },
    { write_png (fixture, "larger.png", 81, 60, false), false },
    { write_grey16 (fixture, "deep"), false },
  };
  g_autofree char *first = write_png (fixture, "first.png", 80, 60, false);
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (files); i++) {
    const bool asked = i < G_N_ELEMENTS (files);
    const size_t at = i % G_N_ELEMENTS (files);
    const bool kept = asked && files[at].kept;
    odl_viewport_set_keeps_view (fixture->viewport, asked);
    open_and_wait (fixture, first);
    odl_viewport_fit (fixture->viewport);
    look_closer (fixture);
    const OdlView before = *odl_viewport_view (fixture->viewport);
    open_and_wait (fixture, files[at].path);
    g_test_message ("%s", files[at].path);
    const OdlView *view = odl_viewport_view (fixture->viewport);
    const OdlWindow window = odl_viewport_window (fixture->viewport);
    g_assert_true (view->fit == !kept);
    g_assert_true ((view->zoom == before.zoom) == kept);
    g_assert_true ((view->centre.x == before.centre.x) == kept);
    g_assert_true ((window.mode == ODL_WINDOW_CUSTOM) == kept);
    if (kept)
      g_assert_cmpfloat (window.centre, ==, 90);
    // These would mislead.
    g_assert_false (window.invert);
    g_assert_cmpint (view->quarter_turns, ==, 0);
    g_free (asked ? NULL : files[at].path);
  }
}

static void
test_names_in_menus (Fixture *fixture, const void *data)
{
  static const char *const names[][2] = {
    { "a_b__c.png", "a__b____c.png" },
    { "echo.dcm", "echo.dcm" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *label = odl_files_menu_label (names[i][0]);
    g_assert_cmpstr (label, ==, names[i][1]);
  }
  g_autofree char *label = odl_files_menu_label (
      "a name that is far too long for any menu, with its number at the end 0001.dcm");
  g_assert_nonnull (strstr (label, "…"));
  g_assert_true (g_str_has_suffix (label, "0001.dcm"));
}

static void
assert_saves_in_folder (Fixture *fixture)
{
  g_autoptr (GFile) folder
      = odl_files_save_folder (odl_main_window_parts (fixture->window));
  g_assert_nonnull (folder);
  g_assert_cmpstr (g_file_peek_path (folder), ==, fixture->folder);
}

static void
test_saves_beside (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a1.png", 40, 30, false);
  g_autofree char *sequence = g_strdup_printf ("sequence:%s", fixture->folder);
  g_free (write_png (fixture, "a2.png", 40, 30, false));
  odl_settings_set_string (fixture->settings, "last-folder", "/usr");
  open_and_wait (fixture, path);
  assert_saves_in_folder (fixture);
  open_and_wait (fixture, sequence);
  assert_saves_in_folder (fixture);
  // What is no file is saved where files were.
  open_and_wait (fixture, "phantom:64x64");
  g_autoptr (GFile) folder
      = odl_files_save_folder (odl_main_window_parts (fixture->window));
  g_assert_cmpstr (g_file_peek_path (folder), ==, "/usr");
}

static bool
panel_is (Fixture *fixture, const char *name, bool open)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), name);
  return g_variant_get_boolean (state) == open;
}

static bool
is_folded (Fixture *fixture, const void *data)
{
  return adw_flap_get_folded (
             odl_window_child (odl_main_window_parts (fixture->window), "filters_flap"))
         && adw_flap_get_folded (
             odl_window_child (odl_main_window_parts (fixture->window), "sources_flap"));
}

static void
test_escape (Fixture *fixture, const void *data)
{
  static const char *const panels[] = { "show-filters", "show-sources" };
  g_autofree char *path = write_png (fixture, "a.png", 40, 30, false);
  open_and_wait (fixture, path);
  // Where there is room, a panel is not in the way.
  activate (fixture, "cancel", NULL);
  g_assert_true (panel_is (fixture, "show-filters", true));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 450, 600);
  wait_until (fixture, is_folded, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (panels); i++) {
    if (panel_is (fixture, panels[i], false))
      activate (fixture, panels[i], NULL);
    g_assert_true (panel_is (fixture, panels[i], true));
    activate (fixture, "cancel", NULL);
    g_assert_true (panel_is (fixture, panels[i], false));
  }
}

static bool
lists_wavelets (GtkWidget *widget, const void *data)
{
  return GTK_IS_DROP_DOWN (widget)
         && g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (widget)))
                == odl_wavelet_count ();
}

static GtkWidget *
find_wavelets (GtkWidget *root)
{
  return find_where (root, lists_wavelets, NULL);
}

static bool
has_hits (Fixture *fixture, const void *n)
{
  GtkWidget *chooser = find_wavelets (
      GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel));
  GtkWidget *list = find_widget (chooser, GTK_TYPE_LIST_VIEW);
  return g_list_model_get_n_items (
             G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list))))
         == *(const guint *) n;
}

static void
test_search (Fixture *fixture, const void *data)
{
  static const struct {
    const char *typed, *taken;
    guint n; // hits
  } searches[] = {
    { "9/7", "cdf97", 1 }, // in the middle of the name
    { "sym10", "sym10", 1 }, // an identifier
    { "db1", "haar", 2 }, // as others call it, though more begin like this
    { "onal 6.8", "bior6.8", 1 }, // the only one
  };
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "soft-threshold:wavelet=haar");
  for (size_t i = 0; i < G_N_ELEMENTS (searches); i++) {
    GtkWidget *chooser = find_wavelets (
        GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel));
    GtkWidget *entry = find_widget (chooser, GTK_TYPE_SEARCH_ENTRY);
    g_test_message ("%s", searches[i].typed);
    gtk_editable_set_text (GTK_EDITABLE (entry), searches[i].typed);
    wait_until (fixture, has_hits, &searches[i].n);
    g_signal_emit_by_name (entry, "activate");
    settle (fixture);
    const guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (chooser));
    g_assert_cmpstr (odl_wavelet_at (at)->name, ==, searches[i].taken);
  }
}

static bool
has_focus_on (Fixture *fixture, const void *icon)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  return GTK_IS_BUTTON (focus)
         && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (focus)), icon) == 0;
}

static int
focused_card (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  for (int i = 0; i < 3; i++) {
    GtkWidget *card = odl_filter_panel_card (
        odl_main_window_parts (fixture->window)->filter_panel, i);
    if (focus && gtk_widget_is_ancestor (focus, card))
      return i;
  }
  return -1;
}

// Also past a filter of its own kind, where no card is made anew.
static void
test_moved_filter (Fixture *fixture, const void *data)
{
  static const char *const chains[]
      = { "gaussian,sharpen,hard-threshold",
          "gaussian:sigma=1,gaussian:sigma=2,gaussian:sigma=3" };
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  for (size_t i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_auto (GStrv) parts = g_strsplit (chains[i], ",", -1);
    g_autofree char *text = g_strjoinv (" ", parts);
    set_filters (fixture, text);
    odl_filter_card_focus_mover (ODL_FILTER_CARD (card_of (fixture, 0)), 1);
    g_assert_cmpint (focused_card (fixture), ==, 0);
    for (int to = 1; to <= 2; to++) {
      GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
      g_signal_emit_by_name (focus, "clicked");
      settle (fixture);
      g_assert_cmpint (focused_card (fixture), ==, to);
      // At the end only the way back is left.
      g_assert_true (
          has_focus_on (fixture, to < 2 ? "go-down-symbolic" : "go-up-symbolic"));
    }
  }
}

static bool
is_in_sight (Fixture *fixture, const void *item)
{
  GtkWidget *card = card_of (fixture, GPOINTER_TO_INT (item));
  GtkWidget *scroller
      = card ? gtk_widget_get_ancestor (card, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  graphene_rect_t place;
  return scroller && gtk_widget_compute_bounds (card, scroller, &place)
         && place.size.height > 0 && place.origin.y >= 0
         && place.origin.y + 60 <= (float) gtk_widget_get_height (scroller);
}

// However tall the cards are that it was moved past.
static void
test_moved_into_sight (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian shrinkage:levels=4 shrinkage:levels=4");
  odl_filter_card_focus_mover (ODL_FILTER_CARD (card_of (fixture, 0)), 1);
  for (int to = 1; to <= 2; to++) {
    g_signal_emit_by_name (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                           "clicked");
    settle (fixture);
    wait_until (fixture, is_in_sight, GINT_TO_POINTER (to));
  }
}

// The switch of a card bypasses its filter, in the picture and in the text; its values
// stay, and undo brings it back.
static void
test_bypass (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=3 sharpen");
  GtkSwitch *acts = GTK_SWITCH (find_widget (row_in_chain (fixture, 0), GTK_TYPE_SWITCH));
  g_assert_true (gtk_switch_get_active (acts));
  gtk_switch_set_active (acts, FALSE);
  settle (fixture);
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  g_assert_true (recipe->items[0].bypassed);
  g_assert_false (recipe->items[1].bypassed);
  g_assert_cmpfloat (odl_recipe_get (recipe, 0, "sigma", 0), ==, 3);
  odl_session_undo (fixture->session);
  settle (fixture);
  g_assert_false (odl_session_recipe (fixture->session)->items[0].bypassed);
  g_assert_true (gtk_switch_get_active (acts));
}

static bool
begins_with (GtkWidget *widget, const void *text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), text);
}

// Points at the middle of sample (x, y) and gives what stands in the corner then.
static GtkWidget *
point_at (Fixture *fixture, int x, int y, const char *begins)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  const int scale = gtk_widget_get_scale_factor (canvas);
  const OdlPoint at = odl_view_to_canvas (
      odl_viewport_view (fixture->viewport), gtk_widget_get_width (canvas) * scale,
      gtk_widget_get_height (canvas) * scale, (OdlPoint){ x + 0.5, y + 0.5 });
  odl_viewport_move_pointer (fixture->viewport, true, at.x / scale, at.y / scale);
  settle (fixture);
  return find_where (canvas, begins_with, begins);
}

// The value under the pointer follows pointer, filter and view, and goes when asked to.
static void
test_values (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  GtkWidget *label = point_at (fixture, 10, 20, "10, 20: ");
  g_assert_nonnull (label);
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (label)), "→"));
  odl_viewport_rotate (fixture->viewport, 1);
  g_assert_nonnull (point_at (fixture, 63, 0, "63, 0: "));
  set_filters (fixture, "gaussian:sigma=3");
  label = point_at (fixture, 5, 6, "5, 6: ");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), " → "));
  g_assert_null (point_at (fixture, -3, 0, "-3, 0: "));
  // Of a structure tensor it is what its legend has.
  set_filters (fixture, "structure-tensor:output=cosine");
  settle (fixture);
  label = point_at (fixture, 5, 6, "5, 6: ");
  const char *after = strstr (gtk_label_get_text (GTK_LABEL (label)), " → ");
  g_test_message ("%s", gtk_label_get_text (GTK_LABEL (label)));
  g_assert_true (after && (strstr (after, "↔") || strstr (after, "↕")));
  odl_viewport_move_pointer (fixture->viewport, false, 0, 0);
  g_assert_false (gtk_widget_get_visible (label));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-values", NULL);
  g_assert_null (point_at (fixture, 5, 6, "5, 6: "));
}

static bool
has_tooltip (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;
  g_signal_emit_by_name (widget, "query-tooltip", 1, 1, FALSE, tooltip, &shows);
  return shows;
}

static bool
menu_has_focus (Fixture *fixture, const void *data)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));
  return (focus && gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER)) == (data != NULL);
}

static void
test_tooltips (Fixture *fixture, const void *data)
{
  GtkWidget *button
      = odl_window_child (odl_main_window_parts (fixture->window), "view_menu");
  GtkWidget *header = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_HEADER_BAR);
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  button = find_widget (header, GTK_TYPE_TOGGLE_BUTTON);
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel);
  GtkMenuButton *opens = GTK_MENU_BUTTON (find_widget (panel, GTK_TYPE_MENU_BUTTON));
  g_assert_true (has_tooltip (button));
  g_assert_true (has_tooltip (GTK_WIDGET (opens)));
  gtk_menu_button_popup (opens);
  wait_until (fixture, menu_has_focus, "yes");
  g_assert_false (has_tooltip (button));
  g_assert_false (has_tooltip (GTK_WIDGET (opens)));
  gtk_menu_button_popdown (opens);
  wait_until (fixture, menu_has_focus, NULL);
  g_assert_true (has_tooltip (button));
}

static bool
toast_is_placed (Fixture *fixture, const void *data)
{
  graphene_rect_t toast;
  GtkWidget *toasts
      = GTK_WIDGET (odl_window_child (odl_main_window_parts (fixture->window), "toasts"));
  return gtk_widget_compute_bounds (toasts, GTK_WIDGET (fixture->window), &toast)
         && toast.size.height > 20;
}

// It covers neither the transport nor what the badge says, however narrow the window.
static void
test_toasts (Fixture *fixture, const void *data)
{
  static const int widths[] = { 1000, 450 };
  odl_main_window_open (fixture->window, "phantom:64x64", NULL);
  wait_until (fixture, has_location, "phantom:64x64");
  odl_session_set_playing (fixture->session, false);
  set_filters (fixture, "gaussian:sigma=2 sharpen hard-threshold");
  for (size_t i = 0; i < G_N_ELEMENTS (widths); i++) {
    gtk_window_set_default_size (GTK_WINDOW (fixture->window), widths[i], 600);
    settle (fixture);
    odl_messages_say (odl_main_window_parts (fixture->window)->messages,
                      "A sentence that is not so short");
    wait_until (fixture, toast_is_placed, NULL);
    settle (fixture);
    graphene_rect_t toast, transport, canvas;
    GtkWidget *window = GTK_WIDGET (fixture->window);
    g_assert_true (gtk_widget_compute_bounds (
        GTK_WIDGET (odl_window_child (odl_main_window_parts (fixture->window), "toasts")),
        window, &toast));
    g_assert_true (gtk_widget_compute_bounds (
        GTK_WIDGET (
            odl_window_child (odl_main_window_parts (fixture->window), "transport")),
        window, &transport));
    g_assert_true (
        gtk_widget_compute_bounds (GTK_WIDGET (fixture->viewport), window, &canvas));
    g_assert_cmpfloat (transport.size.height, >, 10);
    g_assert_cmpfloat (toast.origin.y + toast.size.height, <=, transport.origin.y);
    const int left = (int) (toast.origin.x - canvas.origin.x);
    const int top
        = odl_viewport_badge_top (fixture->viewport, left, left + (int) toast.size.width);
    g_assert_cmpfloat (toast.origin.y + toast.size.height, <=,
                       canvas.origin.y + (float) top);
    if (widths[i] < 500) // the badge is in the way there
      g_assert_cmpfloat (top, <, canvas.size.height);
  }
}

static bool
title_is_inside (Fixture *fixture, const void *width)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  const GPtrArray *all = odl_messages_waiting (parts->messages);
  AdwToast *toast = all->len > 0 ? all->pdata[0] : NULL;
  graphene_rect_t title;
  return toast && gtk_widget_get_width (window) <= GPOINTER_TO_INT (width)
         && gtk_widget_compute_bounds (adw_toast_get_custom_title (toast), window, &title)
         && title.origin.x + title.size.width
                < (float) gtk_widget_get_width (window) - 40;
}

// In a window that is made narrower its button stays in sight.
static void
test_narrower_toast (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1300, 600);
  open_and_wait (fixture, "phantom:64x64");
  odl_messages_say (
      odl_main_window_parts (fixture->window)->messages,
      "A sentence that is as long as those that say what is odd about a file");
  wait_until (fixture, title_is_inside, GINT_TO_POINTER (1300));
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 450, 600);
  wait_until (fixture, title_is_inside, GINT_TO_POINTER (450));
}

// What is being recorded is told beside the value under the pointer, not over it.
static void
test_recording_box (Fixture *fixture, const void *data)
{
  graphene_rect_t box, value;
  GtkWidget *window = GTK_WIDGET (fixture->window);
  GtkWidget *recording
      = odl_window_child (odl_main_window_parts (fixture->window), "recording");
  g_autofree char *path = write_png (fixture, "a.png", 200, 100, false);
  open_and_wait (fixture, path);
  odl_viewport_move_pointer (fixture->viewport, true, 200, 200);
  gtk_widget_set_visible (recording, TRUE);
  settle (fixture);
  GtkLabel *label = label_with_class (GTK_WIDGET (fixture->viewport), "numeric");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (label)));
  g_assert_true (gtk_widget_compute_bounds (recording, window, &box));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (label), window, &value));
  g_assert_cmpfloat (value.size.height, >, 10);
  g_assert_false (graphene_rect_intersection (&box, &value, NULL));
}

static bool
says (Fixture *fixture, const void *text)
{
  return has_label (GTK_WIDGET (fixture->window), text);
}

// Grey levels and zoom stand above the picture; how it was computed, when asked for.
static void
test_diagnostics (Fixture *fixture, const void *data)
{
  OdlMainWindow *window = fixture->window;
  g_autofree char *path = write_png (fixture, "a.png", 40, 30, false);
  open_and_wait (fixture, path);
  activate (fixture, "actual-size", NULL);
  for (int i = 0; i < 3; i++) {
    g_assert_true (gtk_widget_get_mapped (
        GTK_WIDGET (odl_window_child (odl_main_window_parts (window), "window_line"))));
    g_assert_cmpint (gtk_widget_get_mapped (GTK_WIDGET (
                         odl_window_child (odl_main_window_parts (window), "line"))),
                     ==, i == 1);
    activate (fixture, "show-diagnostics", NULL);
    run_cycles (fixture, 2);
  }
  wait_until (fixture, says, "W 255 · 1:1");
}

// The words of the view switch are the same wherever they stand.
static void
test_words (Fixture *fixture, const void *data)
{
  static const char *const words[]
      = { "Original", "Result", "Coefficients", "Filtered Coefficients", "Residual" };
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1500, 600);
  open_and_wait (fixture, path);
  set_filters (fixture, "soft-threshold");
  GtkWidget *header = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_HEADER_BAR);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_true (has_label (header, words[i]));
  GMenuModel *menu = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (
      odl_window_child (odl_main_window_parts (fixture->window), "view_menu")));
  for (int i = 0; i < (int) G_N_ELEMENTS (words); i++) {
    g_autofree char *label = NULL;
    g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label);
    g_assert_cmpstr (label, ==, words[i]);
  }
}

static bool
shows_words (Fixture *fixture, const void *data)
{
  AdwSqueezer *views = ADW_SQUEEZER (
      odl_window_child (odl_main_window_parts (fixture->window), "views"));
  return GTK_IS_BOX (adw_squeezer_get_visible_child (views)) == (data != NULL);
}

// From a width of 1200 on, however long the title is; else a menu takes their place.
static void
test_room_for_words (Fixture *fixture, const void *data)
{
  g_autofree char *path
      = write_png (fixture, "a-name-as-long-as-people-like-to-have.png", 64, 64, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "soft-threshold");
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 600, 600);
  wait_until (fixture, shows_words, NULL);
  // What the file is stays in sight.
  GtkLabel *title = label_with_class (
      find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_WINDOW_TITLE), "title");
  g_assert_nonnull (strstr (gtk_label_get_text (title), ".png"));
  g_assert_cmpint (gtk_label_get_ellipsize (title), ==, PANGO_ELLIPSIZE_MIDDLE);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1200, 600);
  wait_until (fixture, shows_words, "yes");
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/details/the-view-stays-with-its-kind", test_view_is_kept);
  ADD ("/details/names-keep-their-underscores", test_names_in_menus);
  ADD ("/details/pictures-are-saved-beside-theirs", test_saves_beside);
  ADD ("/details/escape-closes-a-sheet", test_escape);
  ADD ("/details/wavelets-are-found", test_search);
  ADD ("/details/focus-goes-with-a-filter", test_moved_filter);
  ADD ("/details/a-moved-filter-stays-in-sight", test_moved_into_sight);
  ADD ("/details/a-switch-bypasses-its-filter", test_bypass);
  ADD ("/details/the-value-under-the-pointer", test_values);
  ADD ("/details/tooltips-yield-to-menus", test_tooltips);
  ADD ("/details/diagnostics-are-asked-for", test_diagnostics);
  ADD ("/details/toasts-cover-nothing", test_toasts);
  ADD ("/details/toasts-follow-the-window", test_narrower_toast);
  ADD ("/details/the-recording-box-leaves-the-value-free", test_recording_box);
  ADD ("/details/words-of-the-views", test_words);
  ADD ("/details/room-for-the-words-of-the-views", test_room_for_words);
  return g_test_run ();
}
