// SPDX-License-Identifier: MIT
// Drives the real window: what a person does, and what the canvas shows then.
#include <adwaita.h>

#include "support.h"

#include "session/session_private.h"
#include "widgets/filter_card.h"
#include "widgets/parameter_row.h"
#include "widgets/soft_canvas.h"

// Small enough to lie in the middle of the canvas, away from the badge; odd on purpose.
#define WIDTH 211
#define HEIGHT 157

static void
activate_and_settle (Fixture *fixture, const char *name, const char *parameter)
{
  activate (fixture, name, parameter);
  settle (fixture);
}

static bool
state_is (Fixture *fixture, const char *name, const char *text)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), name);
  g_autoptr (GVariant) wanted = g_variant_parse (NULL, text, NULL, NULL, NULL);
  return g_variant_equal (state, wanted);
}

static void
test_shows_the_file (Fixture *fixture, const void *data)
{
  static const char *const none[] = { NULL };
  for (int colour = 0; colour < 2; colour++) {
    g_autofree char *path
        = write_png (fixture, colour ? "colour.png" : "grey.png", WIDTH, HEIGHT, colour);
    open_and_wait (fixture, path);
    activate_and_settle (fixture, "actual-size", NULL);
    g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, none);
    assert_canvas_shows (fixture, expected);
  }
  g_assert_nonnull (
      strstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), "colour.png"));
}

// What GTK draws of the canvas, without what lies over it, as cairo's words.
static uint32_t *
drawn_words (Fixture *fixture, int width, int height)
{
  GtkWidget *canvas = find_widget (GTK_WIDGET (fixture->viewport), ODL_TYPE_SOFT_CANVAS);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (canvas);
  g_autoptr (GdkPaintable) now = gdk_paintable_get_current_image (paintable);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (now, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (fixture->window));
  const graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width, height);
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, node, &all);
  uint32_t *words = g_new (uint32_t, (size_t) width * height);

  gdk_texture_download (texture, (guchar *) words, 4 * (gsize) width);
  gsk_render_node_unref (node);
  return words;
}

// The parts that the software canvas draws, the bare canvas beside the picture among
// them, make the whole that it has computed.
static void
test_drawn (Fixture *fixture, const void *data)
{
  static const struct {
    int width, height;
    const char *action, *filters;
  } pictures[] = {
    { 400, 50, "fit", "" },
    { 50, 400, "fit", "gaussian:sigma=1" },
    { 60, 50, "actual-size", "gaussian:sigma=1" },
    { 1500, 1200, "actual-size", "" },
    { 1500, 1200, "fit", "gaussian:sigma=1" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (pictures); i++) {
    g_autofree char *name = g_strdup_printf ("%d.png", (int) i);
    g_autofree char *path
        = write_png (fixture, name, pictures[i].width, pictures[i].height, true);
    open_and_wait (fixture, path);
    set_filters (fixture, pictures[i].filters);
    activate_and_settle (fixture, pictures[i].action, NULL);
    int width, height;
    g_autoptr (GBytes) computed = odl_viewport_grab (fixture->viewport, &width, &height);
    const guint8 *rgba = g_bytes_get_data (computed, NULL);
    g_autofree uint32_t *words = drawn_words (fixture, width, height);
    for (int p = 0; p < width * height; p++) {
      const uint32_t wanted = 0xff000000u | (uint32_t) rgba[4 * p] << 16
                              | (uint32_t) rgba[4 * p + 1] << 8 | rgba[4 * p + 2];
      if (words[p] != wanted)
        g_error ("%s, %s: pixel %d, %d is %08x, not %08x", name, pictures[i].action,
                 p % width, p / width, words[p], wanted);
    }
  }
}

static GtkWidget *
row_of (Fixture *fixture, int index)
{
  GtkWidget *card
      = odl_filter_panel_card (odl_main_window_filter_panel (fixture->window), 0);
  GtkWidget *list = gtk_widget_get_first_child (card);
  GtkWidget *row = gtk_widget_get_first_child (list);
  for (int i = 0; row && i < index; i++)
    row = gtk_widget_get_next_sibling (row);
  g_assert_nonnull (row);
  return row;
}

static void
choose_filter (Fixture *fixture, const char *name)
{
  GtkWidget *chooser = find_widget (row_of (fixture, 0), GTK_TYPE_DROP_DOWN);
  for (size_t i = 0; i < odl_filter_count (); i++)
    if (g_str_equal (odl_filter_at (i)->name, name))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (chooser), i);
  settle (fixture);
}

static int
count_rows (Fixture *fixture)
{
  int n = 0;
  for (GtkWidget *row = row_of (fixture, 1); row; row = gtk_widget_get_next_sibling (row))
    n++;
  return n;
}

// The first row below `widget` that offers a choice under `title`.
static AdwComboRow *
find_combo (GtkWidget *widget, const char *title)
{
  if (ADW_IS_COMBO_ROW (widget)
      && g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)),
                      title))
    return ADW_COMBO_ROW (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child)) {
    AdwComboRow *found = find_combo (child, title);
    if (found)
      return found;
  }
  return NULL;
}

static void
test_wavelet_by_hand (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  AdwComboRow *border = find_combo (
      GTK_WIDGET (odl_main_window_filter_panel (fixture->window)), "Border");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (border)));
  choose_filter (fixture, "soft-threshold");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (border)));

  GtkWidget *chooser = find_widget (row_of (fixture, 1), GTK_TYPE_DROP_DOWN);
  for (size_t i = 0; i < odl_wavelet_count (); i++)
    if (g_str_equal (odl_wavelet_at (i)->name, "haar"))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (chooser), i);
  adw_combo_row_set_selected (border, ODL_BORDER_CHOICE_ZERO);
  settle (fixture);
  // The threshold is the one that was measured with the wavelet before.
  const double threshold
      = odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
  g_autofree char *filter
      = g_strdup_printf ("soft-threshold:wavelet=haar,threshold=%.6g", threshold);
  const char *const options[] = { "--filter", filter, "--border", "zero", NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, expected);

  // A border that the wavelet cannot have is replaced, and the panel says so.
  adw_combo_row_set_selected (border, ODL_BORDER_CHOICE_SYMMETRIC);
  settle (fixture);
  g_assert_nonnull (strstr (odl_session_note (fixture->session), "periodic"));
}

static void
test_filter_by_hand (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  choose_filter (fixture, "soft-threshold");
  g_assert_cmpint (count_rows (fixture), ==, 3); // wavelet, levels, threshold
  const double measured
      = odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0);
  g_assert_cmpfloat (measured, >=, 0);

  GtkWidget *entry = find_widget (row_of (fixture, 3), GTK_TYPE_SPIN_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 0.12);
  settle (fixture);
  static const char *const options[]
      = { "--filter", "soft-threshold:wavelet=cdf97,levels=3,threshold=0.12", NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, expected);

  // The slider beside it: its middle is a threshold that is not the same.
  GtkWidget *slider = find_widget (row_of (fixture, 3), GTK_TYPE_SCALE);
  gtk_range_set_value (GTK_RANGE (slider), 0.5);
  settle (fixture);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0), 0.125,
      1e-9);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)),
                                  0.125, 1e-9);

  // The two moves are one step or two: it depends on how long the command line took.
  activate_and_settle (fixture, "undo", NULL);
  bool one_step = ABS (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)) - 0.12) > 1e-9;
  if (!one_step)
    activate_and_settle (fixture, "undo", NULL);
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)),
                                  measured, 1e-9);
  activate_and_settle (fixture, "undo", NULL);
  g_assert_true (odl_recipe_is_identity (odl_session_recipe (fixture->session)));
  for (int i = 0; i < (one_step ? 2 : 3); i++)
    activate_and_settle (fixture, "redo", NULL);
  g_assert_cmpfloat_with_epsilon (
      odl_recipe_get (odl_session_recipe (fixture->session), 0, "threshold", 0), 0.125,
      1e-9);
}

static void
test_rows_follow_levels (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "shrinkage");
  g_assert_cmpint (count_rows (fixture), ==, 2 + 3);
  GtkWidget *levels = find_widget (row_of (fixture, 2), GTK_TYPE_SPIN_BUTTON);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (levels), 5);
  settle (fixture);
  g_assert_cmpint (count_rows (fixture), ==, 2 + 5);
}

static void
test_chain (Fixture *fixture, const void *data)
{
  OdlFilterPanel *panel = odl_main_window_filter_panel (fixture->window);
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  choose_filter (fixture, "gaussian");
  gtk_widget_activate_action (GTK_WIDGET (panel), "panel.add-filter", "s", "sharpen");
  settle (fixture);
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  g_assert_cmpint (recipe->n_items, ==, 2);
  g_assert_nonnull (odl_filter_panel_card (panel, 1));
  g_assert_null (odl_filter_panel_card (panel, 2));
  g_assert_cmpstr (recipe->items[1].filter->name, ==, "sharpen");
  activate_and_settle (fixture, "clear-recipe", NULL);
  g_assert_null (odl_filter_panel_card (panel, 1));
}

// Every filter of the table has a panel, made from its row.
static void
test_every_filter (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 48, true);
  open_and_wait (fixture, path);
  for (size_t i = 1; i < odl_filter_count (); i++) {
    const OdlFilter *filter = odl_filter_at (i);
    choose_filter (fixture, filter->name);
    g_test_message ("%s", filter->name);
    g_assert_true (odl_session_recipe (fixture->session)->items[0].filter == filter);
    g_assert_cmpint (count_rows (fixture), >=, filter->n_parameters);
  }
}

static void
test_views (Fixture *fixture, const void *data)
{
  static const struct {
    const char *state;
    const char *name;
  } views[] = {
    { "'analysis'", "analysis" },
    { "'filtered-analysis'", "filtered-analysis" },
    { "'synthesis'", "synthesis" },
  };
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, "hard-threshold:levels=2,threshold=0.1");
  for (size_t i = 0; i < G_N_ELEMENTS (views); i++) {
    activate_and_settle (fixture, "view", views[i].state);
    g_assert_true (state_is (fixture, "view", views[i].state));
    const char *const options[] = { "--filter", "hard-threshold:levels=2,threshold=0.1",
                                    "--view", views[i].name, NULL };
    g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
    g_test_message ("%s", views[i].name);
    assert_canvas_shows (fixture, expected);
  }
}

static void
test_invert (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  static const char *const none[] = { NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, none);
  guchar *pixels = gdk_pixbuf_get_pixels (expected);
  gsize size = gdk_pixbuf_get_byte_length (expected);
  for (gsize i = 0; i < size; i++)
    pixels[i] = 255 - pixels[i];
  activate_and_settle (fixture, "invert", NULL);
  g_assert_true (state_is (fixture, "invert", "true"));
  assert_canvas_shows (fixture, expected);
}

static void
test_hold_original (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  double plain = canvas_mean (fixture);
  set_filters (fixture, "gaussian:sigma=4");
  static const char *const none[] = { NULL };
  g_autoptr (GdkPixbuf) original = cli_process (fixture, path, none);
  odl_viewport_set_show_original (fixture->viewport, true);
  settle (fixture);
  assert_canvas_shows (fixture, original);
  // Without a badge: the whole canvas is as it was before the filter.
  g_assert_cmpfloat_with_epsilon (canvas_mean (fixture), plain, 1e-9);
  odl_viewport_set_show_original (fixture->viewport, false);
  settle (fixture);
  static const char *const options[] = { "--filter", "gaussian:sigma=4", NULL };
  g_autoptr (GdkPixbuf) processed = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, processed);
}

// Bytes of the lower left corner, where the badge stands.
static double
corner_mean (Fixture *fixture)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *rgba = g_bytes_get_data (bytes, NULL);
  double sum = 0;
  for (int y = height - 60; y < height; y++)
    for (int x = 0; x < 200; x++)
      sum += rgba[((size_t) y * width + x) * 4];
  return sum / (60 * 200);
}

static void
test_badge (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 64, 64, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  double bare = corner_mean (fixture);
  g_assert_cmpfloat_with_epsilon (bare, ODL_CANVAS_LEVEL, 0.5);
  for (size_t i = 1; i < odl_filter_count (); i++) {
    set_filters (fixture, odl_filter_at (i)->name);
    g_test_message ("%s", odl_filter_at (i)->name);
    g_assert_cmpfloat (corner_mean (fixture), >, bare + 2);
  }
  set_filters (fixture, "");
  g_assert_cmpfloat_with_epsilon (corner_mean (fixture), bare, 1e-9);
  // A mirrored picture says so although it is not processed.
  activate_and_settle (fixture, "flip", "true");
  g_assert_cmpfloat (corner_mean (fixture), >, bare + 2);
  activate_and_settle (fixture, "flip", "true");
  g_assert_cmpfloat_with_epsilon (corner_mean (fixture), bare, 1e-9);
  // So does an inverted one.
  activate_and_settle (fixture, "invert", NULL);
  g_assert_cmpfloat (corner_mean (fixture), >, bare + 2);
}

static void
test_picture_to_take (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 320, 240, false);
  open_and_wait (fixture, path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) plain = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (plain), ==, 320);
  set_filters (fixture, "sharpen:amount=0");
  g_autoptr (GdkTexture) badged = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  g_autofree guchar *a = g_malloc (320 * 240 * 4);
  const int height = gdk_texture_get_height (badged);
  g_autofree guchar *b = g_malloc (320 * height * 4);
  gdk_texture_download (plain, a, 320 * 4);
  gdk_texture_download (badged, b, 320 * 4);
  // So small a picture stays free: the badge is below it.
  g_assert_cmpmem (a, 320 * 4 * 240, b, 320 * 4 * 240);
  g_assert_cmpint (height, >, 260);
  int letters = 0;
  for (int i = 320 * 240; i < 320 * height; i++)
    letters += b[4 * i + 1] > 200 && b[4 * i + 3] == 255;
  g_assert_cmpint (letters, >, 100);
  activate_and_settle (fixture, "rotate", "1");
  g_autoptr (GdkTexture) lying = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (lying), ==, 240);
  // In a large one it is in a corner.
  g_autofree char *large = write_png (fixture, "b.png", 3200, 2400, false);
  open_and_wait (fixture, large);
  set_filters (fixture, "sharpen:amount=0");
  g_autoptr (GdkTexture) whole = odl_viewport_render_picture (fixture->viewport, NULL);
  g_assert_cmpint (gdk_texture_get_height (whole), ==, 2400);
}

static void
test_wipe (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, "gaussian:sigma=4");
  activate_and_settle (fixture, "wipe", NULL);
  g_assert_true (state_is (fixture, "wipe", "true"));
  // All the way to the right, everything is the original.
  odl_viewport_set_wipe_position (fixture->viewport, 1);
  settle (fixture);
  static const char *const none[] = { NULL };
  g_autoptr (GdkPixbuf) original = cli_process (fixture, path, none);
  assert_canvas_shows (fixture, original);
}

static void
test_full_screen (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian");
  int before = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
  GtkWidget *header = find_widget (GTK_WIDGET (fixture->window), ADW_TYPE_HEADER_BAR);
  activate_and_settle (fixture, "full-screen", NULL);
  g_assert_true (state_is (fixture, "full-screen", "true"));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture->viewport)), >, before);
  g_assert_false (gtk_widget_get_child_visible (header));
  activate_and_settle (fixture, "cancel", NULL); // Escape
  g_assert_true (state_is (fixture, "full-screen", "false"));
  g_assert_true (gtk_widget_get_mapped (header));
  activate_and_settle (fixture, "actual-size", NULL);
  static const char *const options[] = { "--filter", "gaussian", NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
  assert_canvas_shows (fixture, expected);
}

static bool
has_toast (Fixture *fixture, const void *data)
{
  const char *toast = odl_main_window_last_toast (fixture->window);
  return toast && strstr (toast, data);
}

static void
test_failed_open (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "good.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  g_autofree char *bad = g_build_filename (fixture->folder, "bad <b>&.png", NULL);
  g_assert_true (g_file_set_contents (bad, "this is no picture", -1, NULL));
  odl_main_window_open (fixture->window, bad, NULL);
  wait_until (fixture, has_toast, "bad <b>&.png");
  settle (fixture);
  g_assert_cmpstr (odl_session_location (fixture->session), ==, path);
  static const char *const none[] = { NULL };
  g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, none);
  assert_canvas_shows (fixture, expected);
}

static void
test_empty_then_failed (Fixture *fixture, const void *data)
{
  g_assert_true (odl_main_window_is_empty (fixture->window));
  odl_main_window_open (fixture->window, "/nonexistent/scan.dcm", NULL);
  wait_until (fixture, has_toast, "scan.dcm");
  settle (fixture);
  g_assert_true (has_label (GTK_WIDGET (fixture->window), "scan.dcm"));
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "save"));
}

static void
test_folder (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "a2.png", 40, 30, false);
  g_autofree char *second = write_png (fixture, "a10.png", 40, 30, false);
  odl_main_window_open (fixture->window, fixture->folder, NULL);
  wait_until (fixture, has_location, first);
  settle (fixture);
  activate_and_settle (fixture, "step-file", "1");
  wait_until (fixture, has_location, second);
}

static bool
plays (Fixture *fixture, const void *data)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index > 3;
}

// The pictures that are numbered like the one on screen play; stills go on being stills.
static void
test_sequence (Fixture *fixture, const void *data)
{
  GActionMap *actions = G_ACTION_MAP (fixture->window);
  GAction *action = g_action_map_lookup_action (actions, "play-sequence");
  for (int i = 1; i <= 12; i++) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_free (write_png (fixture, name, 40, 30, false));
  }
  g_autofree char *first = g_build_filename (fixture->folder, "slice3.png", NULL);
  g_assert_false (g_action_get_enabled (action));
  odl_main_window_open (fixture->window, first, NULL);
  settle (fixture);
  g_assert_false (odl_session_is_moving (fixture->session));
  g_assert_true (g_action_get_enabled (action));
  activate_and_settle (fixture, "play-sequence", NULL);
  wait_until (fixture, plays, NULL);
  g_assert_cmpint (odl_session_n_frames (fixture->session), ==, 12);
  g_assert_false (g_action_get_enabled (action));
}

static void
test_moving (Fixture *fixture, const void *data)
{
  odl_main_window_open (fixture->window, "phantom:96x96", NULL);
  wait_until (fixture, plays, NULL);
  g_assert_true (odl_session_playing (fixture->session));
  activate_and_settle (fixture, "play", NULL);
  g_assert_false (odl_session_playing (fixture->session));
  // One may be due, and one on its way to the window.
  const guint64 arrival = fixture->session->arrival;
  let_pass (300);
  settle (fixture);
  g_assert_cmpuint (fixture->session->arrival, <=, arrival + 2);
  // And from where it stands it goes on.
  activate (fixture, "play", NULL);
  wait_for_frames (fixture, 5);
}

static void
test_quit_while_opening (Fixture *fixture, const void *data)
{
  odl_main_window_open (fixture->window, "phantom:1024x1024", NULL);
  // Once it is open it plays, and a slow canvas would never be done.
  while (odl_session_opening (fixture->session) && g_main_context_iteration (NULL, FALSE))
    ;
}

// With an engine asked for, only what goes through the canvas: a rasteriser in software
// takes its time.
static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
  bool on_every_canvas;
} tests[] = {
  { "shows-a-file-as-the-command-line-writes-it", test_shows_the_file, true },
  { "what-is-drawn-is-what-was-computed", test_drawn, false },
  { "a-filter-chosen-by-hand-is-the-command-lines", test_filter_by_hand, false },
  { "a-wavelet-and-a-border-chosen-by-hand-too", test_wavelet_by_hand, false },
  { "shrinkage-has-a-slider-for-every-level", test_rows_follow_levels, false },
  { "filters-form-a-chain", test_chain, false },
  { "every-filter-has-its-controls", test_every_filter, false },
  { "each-view-is-the-command-lines", test_views, true },
  { "inverts", test_invert, true },
  { "the-original-shows-while-held", test_hold_original, true },
  { "every-processed-picture-bears-the-badge", test_badge, true },
  { "a-saved-picture-bears-the-badge", test_picture_to_take, true },
  { "the-wipe-shows-the-original-on-its-left", test_wipe, true },
  { "full-screen-is-the-canvas-alone-and-back", test_full_screen, true },
  { "a-failed-open-keeps-the-previous-picture", test_failed_open, false },
  { "an-empty-window-says-what-failed", test_empty_then_failed, false },
  { "a-folder-opens-and-steps-in-order", test_folder, false },
  { "numbered-pictures-play", test_sequence, true },
  { "a-moving-source-plays-and-pauses", test_moving, true },
  { "it-closes-while-opening", test_quit_while_opening, true },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  bool all = !g_getenv ("ODL_TEST_ENGINE");
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/window/", tests[i].name, NULL);
    if (all || tests[i].on_every_canvas)
      ADD (path, tests[i].test);
  }
  return g_test_run ();
}
