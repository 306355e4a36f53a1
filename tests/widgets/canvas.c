// SPDX-License-Identifier: MIT
// What the canvas of the real window shows is what the command line writes.
#include <adwaita.h>
#include <math.h>

#include "support/support.h"

#include "widgets/viewport/private.h"

#include "filter/own/words.h"
#include "source/source.h"
#include "widgets/viewport/soft_canvas.h"

// Small enough to lie in the middle of the canvas, away from the badge; odd on purpose.
#define FILTER "hard-threshold:levels=2,threshold=0.1"
#define WIDTH 211
#define HEIGHT 157

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

static bool
has_reach (Fixture *fixture, const void *wanted)
{
  return (odl_viewport_window (fixture->viewport).reach.levels > 0) == (wanted != NULL);
}

static void
test_views (Fixture *fixture, const void *data)
{
  static const char *const names[]
      = { "analysis", "filtered-analysis", "residual", "level:2", "synthesis" };
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, FILTER);
  activate_and_settle (fixture, "show-corners", NULL); // and names of bands
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *state = g_strdup_printf ("'%s'", names[i]);
    activate_and_settle (fixture, "view", state);
    wait_until (fixture, has_reach, strstr ("residual synthesis", names[i]) ? NULL : "");
    const char *const options[] = { "--filter", FILTER, "--view", names[i], NULL };
    g_autoptr (GdkPixbuf) expected = cli_process (fixture, path, options);
    g_test_message ("%s", names[i]);
    assert_canvas_shows (fixture, expected);
  }
}

// In the wipe the original has none of them.
static void
test_bands_of_a_half (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, FILTER);
  activate_and_settle (fixture, "view", "'analysis'");
  activate_and_settle (fixture, "wipe", NULL);
  int width, height, left = 0, right = 0;
  g_autoptr (GBytes) named = odl_viewport_grab (fixture->viewport, &width, &height);
  activate_and_settle (fixture, "show-corners", NULL);
  g_autoptr (GBytes) plain = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *a = g_bytes_get_data (named, NULL), *b = g_bytes_get_data (plain, NULL);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (memcmp (a + 4 * (y * width + x), b + 4 * (y * width + x), 3) != 0)
        *(x < width / 2 - 1 ? &left : &right) += 1;
  g_assert_cmpint (left, ==, 0);
  g_assert_cmpint (right, >, HEIGHT / 2);
}

// Lines between bands are drawn over what the command line writes.
static void
test_bands (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, FILTER);
  activate_and_settle (fixture, "view", "'analysis'");
  int width, height;
  g_autoptr (GBytes) named = odl_viewport_grab (fixture->viewport, &width, &height);
  activate_and_settle (fixture, "show-corners", NULL);
  g_autoptr (GBytes) plain = odl_viewport_grab (fixture->viewport, &width, &height);
  const guint8 *a = g_bytes_get_data (named, NULL), *b = g_bytes_get_data (plain, NULL);
  const int column = width / 2 + ((WIDTH + 1) / 2 - WIDTH / 2);
  int changed = 0;
  for (int y = 0; y < height; y++)
    for (int x = column - 2; x <= column + 2; x++)
      changed += a[4 * (y * width + x)] != b[4 * (y * width + x)];
  g_assert_cmpint (changed, >, HEIGHT);
}

// Level after level, and band after band, by what the keys do; then all again.
static void
test_one_of_them (Fixture *fixture, const void *data)
{
  static const char *const levels[]
      = { "'level:1'", "'level:2'", "'synthesis'", "'level:1'" };
  static const char *const names[]
      = { "HL 1", "LH 1", "HH 1", "HL 2", "LH 2", "HH 2", "LL 2" };
  OdlViewport *viewport = fixture->viewport;
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  set_filters (fixture, FILTER);
  g_assert_false (odl_viewport_enlarge_at (viewport, 10, 10));
  for (size_t i = 0; i < G_N_ELEMENTS (levels); i++) {
    activate_and_settle (fixture, "next-level", NULL);
    g_assert_true (state_is (fixture, "view", levels[i]));
  }
  activate_and_settle (fixture, "next-band", NULL);
  g_assert_true (state_is (fixture, "view", "'analysis'"));
  g_assert_cmpint (odl_viewport_shown_band (viewport), ==, -1);
  const double fitting = odl_viewport_zoom (viewport);
  for (int i = 0; i < (int) G_N_ELEMENTS (names); i++) {
    activate_and_settle (fixture, "next-band", NULL);
    g_assert_cmpint (odl_viewport_shown_band (viewport), ==, i);
    g_autofree char *name = odl_viewport_band_name (viewport, i);
    g_assert_cmpstr (name, ==, names[i]);
    const double share = odl_viewport_zoom (viewport) / fitting / (i < 3 ? 2 : 4);
    g_assert_true (share > 0.9 && share < 1.05);
  }
  activate_and_settle (fixture, "next-band", NULL);
  g_assert_true (odl_viewport_view (viewport)->fit);

  const int width = gtk_widget_get_width (GTK_WIDGET (viewport));
  const int height = gtk_widget_get_height (GTK_WIDGET (viewport));
  g_assert_true (odl_viewport_enlarge_at (viewport, width * 0.5 + 20, height * 0.5 + 20));
  g_assert_cmpint (odl_viewport_shown_band (viewport), ==, 2);
  odl_viewport_move_pointer (viewport, true, width * 0.5, height * 0.5 + 1);
  settle (fixture);
  g_autofree char *middle
      = g_strdup_printf ("HH 1 · %d, %d", WIDTH / 2 / 2, HEIGHT / 2 / 2);
  OdlPoint pixel;
  g_autofree char *probed = odl_viewport_probe (viewport, &pixel);
  g_assert_true (g_str_has_prefix (probed, middle));
  g_assert_true (odl_viewport_enlarge_at (viewport, width * 0.5, height * 0.5));
  g_assert_cmpint (odl_viewport_shown_band (viewport), ==, -1);
  activate_and_settle (fixture, "next-band", NULL);
  activate_and_settle (fixture, "undo", NULL); // of the view
  g_assert_true (odl_viewport_view (viewport)->fit);
}

static void
test_colours (Fixture *fixture, const void *data)
{
  static const char *const options[] = { "--colour-map", "hot-iron", NULL };
  static const char *const none[] = { NULL };
  g_autofree char *grey = write_png (fixture, "grey.png", WIDTH, HEIGHT, false);
  g_autofree char *colour = write_png (fixture, "colour.png", WIDTH, HEIGHT, true);
  open_and_wait (fixture, grey);
  activate_and_settle (fixture, "actual-size", NULL);
  activate_and_settle (fixture, "next-colour-map", NULL);
  g_assert_true (state_is (fixture, "colour-map", "'hot-iron'"));
  g_autoptr (GdkPixbuf) hot = cli_process (fixture, grey, options);
  assert_canvas_shows (fixture, hot);
  // It stays for the next picture, unless that has colours of its own.
  open_and_wait (fixture, colour);
  activate_and_settle (fixture, "actual-size", NULL);
  g_assert_true (state_is (fixture, "colour-map", "'hot-iron'"));
  g_autoptr (GdkPixbuf) own = cli_process (fixture, colour, none);
  assert_canvas_shows (fixture, own);
  activate_and_settle (fixture, "colour-map", "'grey'");
  open_and_wait (fixture, grey);
  activate_and_settle (fixture, "actual-size", NULL);
  g_autoptr (GdkPixbuf) plain = cli_process (fixture, grey, none);
  assert_canvas_shows (fixture, plain);
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
    if (odl_own_is_filter (odl_filter_at (i))) // the window runs none
      continue;
    // A second picture may be the same.
    g_autofree char *text
        = g_strdup_printf (odl_filter_file (odl_filter_at (i)) ? "%s:with=%s" : "%s",
                           odl_filter_at (i)->name, path);
    set_filters (fixture, text);
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

// The values of a TIFF picture as the command line reads them.
static OdlImage *
read_values (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  OdlImage *image = odl_source_read_frame (source, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (odl_image_info (image)->type, ==, ODL_SAMPLE_F32);
  return image;
}

// In the window as on the command line: not what is seen, but what is there.
static void
test_saved_values (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, true);
  g_autofree char *saved = g_build_filename (fixture->folder, "win.tif", NULL);
  g_autofree char *wanted = g_build_filename (fixture->folder, "cli.tif", NULL);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=2");
  activate_and_settle (fixture, "invert", NULL);
  activate_with_text (fixture, "save-to", saved);
  wait_until (fixture, has_toast, "win.tif");
  const char *const argv[]
      = { g_getenv ("ODL_CLI"), "process",          path, "-o", wanted,
          "--filter",           "gaussian:sigma=2", NULL };
  int status = -1;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL,
                               &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_autoptr (OdlImage) a = read_values (saved);
  g_autoptr (OdlImage) b = read_values (wanted);
  g_assert_cmpfloat (odl_image_info (a)->stored_max, >, 100);
  g_autofree float *row = g_new (float, 2 * WIDTH);
  for (int c = 0; c < 3; c++)
    for (int y = 0; y < HEIGHT; y++) {
      odl_image_scaled_row (a, c, y, 0, 0, row);
      odl_image_scaled_row (b, c, y, 0, 0, row + WIDTH);
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmpfloat_with_epsilon (row[x], row[WIDTH + x], 1e-5);
    }
}

// What follows the texts of a JPEG 2000 file: its only tile.
static GBytes *
read_tile (const char *path)
{
  static const char marker[] = { '\xFF', '\x90', 0, 10 };
  g_autofree char *contents = NULL;
  gsize size = 0;
  g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
  const char *tile = memmem (contents, size, marker, sizeof marker);
  g_assert_nonnull (tile);
  return g_bytes_new (tile, size - (gsize) (tile - contents));
}

static void
test_saved_jpeg2000 (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, true);
  g_autofree char *saved = g_build_filename (fixture->folder, "win.jp2", NULL);
  g_autofree char *wanted = g_build_filename (fixture->folder, "cli.jp2", NULL);
  open_and_wait (fixture, path);
  activate_with_text (fixture, "save-to", saved);
  wait_until (fixture, has_toast, "win.jp2");
  const char *const argv[]
      = { g_getenv ("ODL_CLI"), "process", path, "-o", wanted, NULL };
  int status = -1;
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, 0, NULL, NULL, NULL, NULL,
                               &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_autoptr (GBytes) a = read_tile (saved);
  g_autoptr (GBytes) b = read_tile (wanted);
  g_assert_true (g_bytes_equal (a, b));
}

// A mean that differs shows that something else is drawn.
static double
mean_after (Fixture *fixture, const char *action, const char *parameter)
{
  activate_and_settle (fixture, action, parameter);
  run_cycles (fixture, 2);
  return canvas_mean (fixture);
}

// A grid is shown as its surface, which follows the filters; keys lead to the points.
static void
test_surface (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:face:33x33");
  const double plain = canvas_mean (fixture);
  g_assert_true (state_is (fixture, "show-surface", "true"));
  const double net = mean_after (fixture, "show-net", NULL);
  const double without = mean_after (fixture, "show-net", NULL);
  const double turned = mean_after (fixture, "rotate", "1");
  const double points = mean_after (fixture, "show-surface", NULL);
  g_assert_cmpfloat (fabs (net - plain), >, 0.5);
  g_assert_cmpfloat (fabs (without - plain), <, 1e-6);
  g_assert_cmpfloat (fabs (turned - plain), >, 0.5);
  g_assert_cmpfloat (fabs (points - plain), >, 0.5);
  mean_after (fixture, "show-surface", NULL);
  g_assert_cmpfloat (fabs (mean_after (fixture, "fit", NULL) - plain), <, 1e-6);
  set_filters (fixture, "hard-threshold:levels=4,threshold=1");
  run_cycles (fixture, 2);
  g_assert_cmpfloat (fabs (canvas_mean (fixture) - plain), >, 0.5);
  g_autofree char *saved = g_build_filename (fixture->folder, "win.obj", NULL);
  activate_with_text (fixture, "save-to", saved);
  wait_until (fixture, has_toast, "win.obj");
  open_and_wait (fixture, saved);
  g_assert_true (state_is (fixture, "show-surface", "true"));
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window),
                                                     "show-surface"));
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

// Near the right edge there is a column that goes from white down to black.
static bool
has_grey_bar (Fixture *fixture)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  const uint8_t *rgba = g_bytes_get_data (bytes, NULL);
  for (int x = width - 40; x < width; x++) {
    int y = 0, last = 256, steps = 0;
    while (y < height && rgba[4 * ((size_t) y * width + x)] < 250)
      y++;
    for (; y < height && rgba[4 * ((size_t) y * width + x)] <= last; y++) {
      steps += rgba[4 * ((size_t) y * width + x)] < last;
      last = rgba[4 * ((size_t) y * width + x)];
    }
    if (steps > 40 && last < 5)
      return true;
  }
  return false;
}

// Values of the file have none in grey: the window says what they are.
static void
test_tensor_legend (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  g_assert_false (has_grey_bar (fixture));
  set_filters (fixture, "structure-tensor:output=cosine");
  settle (fixture);
  g_assert_true (has_grey_bar (fixture));
  odl_viewport_set_show_original (fixture->viewport, true);
  settle (fixture);
  g_assert_false (has_grey_bar (fixture));
  odl_viewport_set_show_original (fixture->viewport, false);
  set_filters (fixture, "structure-tensor:output=cosine gaussian");
  settle (fixture);
  g_assert_false (has_grey_bar (fixture));
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

// With an engine asked for, only what goes through the canvas: a rasteriser in software
// takes its time.
static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
  bool on_every_canvas;
} tests[] = {
  { "shows-a-file-as-the-command-line-writes-it", test_shows_the_file, true },
  { "what-is-drawn-is-what-was-computed", test_drawn, false },
  { "each-view-is-the-command-lines", test_views, true },
  { "bands-are-divided-by-lines", test_bands, false },
  { "bands-are-named-in-their-half-alone", test_bands_of_a_half, false },
  { "one-band-and-one-level", test_one_of_them, false },
  { "grey-levels-take-colours", test_colours, true },
  { "inverts", test_invert, true },
  { "the-original-shows-while-held", test_hold_original, true },
  { "every-processed-picture-bears-the-badge", test_badge, true },
  { "a-saved-picture-bears-the-badge", test_picture_to_take, true },
  { "a-saved-tiff-holds-the-values", test_saved_values, true },
  { "a-saved-jpeg-2000-file-is-the-command-lines", test_saved_jpeg2000, false },
  { "a-grid-is-shown-as-its-surface", test_surface, true },
  { "a-structure-tensor-has-a-legend", test_tensor_legend, true },
  { "the-wipe-shows-the-original-on-its-left", test_wipe, true },
  { "full-screen-is-the-canvas-alone-and-back", test_full_screen, true },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  bool all = !g_getenv ("ODL_TEST_ENGINE");
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/canvas/", tests[i].name, NULL);
    if (all || tests[i].on_every_canvas)
      ADD (path, tests[i].test);
  }
  return g_test_run ();
}
