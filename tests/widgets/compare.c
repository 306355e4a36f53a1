// SPDX-License-Identifier: MIT
// Two recipes in the real window, A and B: switched, side by side in the wipe, as a
// difference, alternating; each frame by both.
#include <math.h>
#include <string.h>

#include "support/support.h"

#include "image/quality/statistics.h"
#include "plan/title.h"
#include "widgets/viewport/private.h"
#include "widgets/viewport/wipe.h"
#include "widgets/window/parts.h"

#include "../helpers/plans.h"

#define WIDTH 211
#define HEIGHT 157
#define A "gaussian:sigma=2"
#define B "median:size=5"

// 32 bits, and what engines may differ by.
#define BOUND 2e-5

static OdlFrame *
frame_of (Fixture *fixture)
{
  return odl_session_frame (fixture->session);
}

static bool
has_other (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && frame->other && frame->original;
}

static bool
has_halves (Fixture *fixture, const void *data)
{
  return has_other (fixture, data) && !frame_of (fixture)->difference;
}

static bool
has_no_other (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && !frame->other;
}

static bool
has_grid (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && frame->gridded && frame->result;
}

static bool
has_difference (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && frame->difference && frame->result;
}

// What the reference makes of the frame that was shown. Transfer full.
static OdlImage *
filtered (const OdlFrame *frame, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlPlan) plan = odl_test_plan (text, frame->input);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("reference"), &error);
  OdlImage *result = odl_engine_process (engine, plan, frame->input, &error);
  g_assert_no_error (error);
  return result;
}

// Largest difference of `image` and `a` less `b` (NULL: nothing).
static double
largest (OdlImage *image, OdlImage *a, OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x;
  g_autofree float *rows = g_new0 (float, 3 * width);
  double most = 0;
  for (int y = 0; y < info->extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, rows);
    odl_image_scaled_row (a, 0, y, 0, 0, rows + width);
    if (b)
      odl_image_scaled_row (b, 0, y, 0, 0, rows + 2 * width);
    for (int x = 0; x < width; x++)
      most
          = MAX (most, fabs ((double) (rows[x] - rows[width + x] + rows[2 * width + x])));
  }
  return most;
}

static void
begin (Fixture *fixture)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  set_filters (fixture, A);
  activate_and_settle (fixture, "recipe", "'B'");
  set_filters (fixture, B);
}

static const char *
first_filter (Fixture *fixture)
{
  return odl_session_recipe (fixture->session)->items[0].filter->name;
}

static void
test_switching (Fixture *fixture, const void *data)
{
  begin (fixture);
  activate_and_settle (fixture, "recipe", "'A'");
  g_assert_cmpstr (first_filter (fixture), ==, "gaussian");
  activate_and_settle (fixture, "recipe", "'A'"); // again: nothing
  g_assert_cmpstr (first_filter (fixture), ==, "gaussian");
  activate_and_settle (fixture, "recipe", "'B'");
  g_assert_cmpstr (first_filter (fixture), ==, "median");
  activate_and_settle (fixture, "copy-recipe-over", NULL);
  activate_and_settle (fixture, "recipe", "'A'");
  g_assert_cmpstr (first_filter (fixture), ==, "median");
}

static bool
is_untouched (Fixture *fixture, const void *data)
{
  return odl_recipe_is_identity (&frame_of (fixture)->recipe);
}

// What stays on the graphics card is computed once more, to be measured.
static bool
is_to_be_measured (Fixture *fixture, const void *data)
{
  OdlSubject subject;

  return odl_viewport_subject (fixture->viewport, &subject) && subject.after;
}

// The mean of a region by both recipes, as the window tells it: the values of the file.
static void
assert_measures_both (Fixture *fixture)
{
  wait_until (fixture, is_to_be_measured, NULL);
  const OdlFrame *frame = frame_of (fixture);
  const OdlAnnotation region = { .kind = &odl_annotation_ellipse,
                                 .points = { { 20, 15 }, { 90, 80 } },
                                 .n_points = 2 };
  OdlSubject subject;
  g_assert_true (odl_viewport_subject (fixture->viewport, &subject));
  g_assert_true (subject.other == frame->original && subject.before == frame->input);
  g_autoptr (GArray) rows = odl_statistic_rows (&region, NULL, &subject);
  g_autoptr (OdlImage) first = filtered (frame, A);
  g_autoptr (OdlImage) second = filtered (frame, B);
  OdlSubject one = subject, two = subject;
  one.other = two.other = NULL;
  one.after = first;
  two.after = second;
  g_autoptr (GArray) by_one = odl_statistic_rows (&region, NULL, &one);
  g_autoptr (GArray) by_two = odl_statistic_rows (&region, NULL, &two);
  int n_means = 0;
  for (guint i = 0; i < rows->len; i++) {
    const OdlStatisticRow *row = &g_array_index (rows, OdlStatisticRow, i);
    if (!g_str_equal (row->name, "mean"))
      continue;
    n_means++;
    g_assert_cmpfloat_with_epsilon (
        row->before, g_array_index (by_one, OdlStatisticRow, i).after, 0.01);
    g_assert_cmpfloat_with_epsilon (
        row->after, g_array_index (by_two, OdlStatisticRow, i).after, 0.01);
    g_assert_cmpfloat (
        fabs (row->before - g_array_index (by_one, OdlStatisticRow, i).before), >, 1e-6);
  }
  g_assert_cmpint (n_means, ==, 1);
}

static void
test_halves (Fixture *fixture, const void *data)
{
  static const char *const options[] = { "--filter", A, NULL };
  begin (fixture);
  activate (fixture, "comparison", "'other'");
  wait_until (fixture, has_other, NULL);
  settle (fixture);
  g_autoptr (OdlImage) wanted = filtered (frame_of (fixture), A);
  g_assert_cmpfloat (largest (frame_of (fixture)->original, wanted, NULL), <=, BOUND);
  g_assert_cmpint (frame_of (fixture)->letter, ==, 'B');
  g_assert_cmpint (frame_of (fixture)->other_letter, ==, 'A');
  assert_measures_both (fixture);
  // Where the original is asked for, the canvas has what the command line makes by A.
  odl_viewport_set_show_original (fixture->viewport, true);
  run_cycles (fixture, 3);
  g_autoptr (GdkPixbuf) expected
      = cli_process (fixture, odl_session_info (fixture->session)->location, options);
  assert_canvas_shows (fixture, expected);
  odl_viewport_set_show_original (fixture->viewport, false);
  activate_and_settle (fixture, "wipe", NULL);
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "A, processed"));
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "B, processed"));
  // Each half has a badge that names its filters, at its end of the lower edge.
  const OdlBadge *badge = &fixture->viewport->badge;
  g_assert_nonnull (strstr (badge->key, "A · Gaussian 2"));
  g_assert_nonnull (strstr (badge->key, "B · Median"));
  const uint8_t *lowest = badge->rgba + (badge->height - 8) * badge->stride;
  g_assert_cmpint (lowest[4 * 8 + 3], >, 0);
  g_assert_cmpint (lowest[4 * (badge->width / 2) + 3], ==, 0);
  g_assert_cmpint (lowest[4 * (badge->width - 8) + 3], >, 0);
  // A change of the one in force changes nothing of the other.
  set_filters (fixture, "sharpen");
  wait_until (fixture, has_other, NULL);
  g_assert_cmpfloat (largest (frame_of (fixture)->original, wanted, NULL), <=, BOUND);
  // Without filters it is not called processed, neither in its half nor alone.
  activate (fixture, "clear-recipe", NULL);
  wait_until (fixture, is_untouched, NULL);
  settle (fixture);
  g_assert_nonnull (strstr (badge->key, "A · Gaussian 2"));
  g_assert_null (strstr (badge->key, "B ·"));
  activate_and_settle (fixture, "wipe", NULL);
  g_assert_null (strstr (badge->key, " · "));
  activate (fixture, "comparison", "'difference'");
  g_assert_true (has_toast (fixture, "A or B has no filters"));
  activate_and_settle (fixture, "wipe", NULL);
  activate (fixture, "comparison", "'original'");
  wait_until (fixture, has_no_other, NULL);
  settle (fixture);
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "Original"));
  g_assert_false (has_label (GTK_WIDGET (fixture->viewport), "with grid"));
}

// The grid of a registration is not the file's, and lies over the picture as it came as
// it was before anything was displaced, whatever the registration finds.
static void
test_grid (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  g_autofree char *turned = path_in (fixture, "turned.png");
  g_autoptr (GdkPixbuf) pixels = gdk_pixbuf_new_from_file (path, NULL);
  g_autoptr (GdkPixbuf) flipped = gdk_pixbuf_flip (pixels, TRUE);
  g_assert_true (gdk_pixbuf_save (flipped, turned, "png", NULL, NULL));
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "wipe", NULL);
  g_autoptr (OdlImage) straight = NULL;
  const char *const others[] = { path, turned };
  for (int i = 0; i < 2; i++) {
    g_autofree char *grid = g_strconcat ("register:output=grid,with=", others[i], NULL);
    set_filters (fixture, grid);
    wait_until (fixture, has_grid, NULL);
    settle (fixture);
    const OdlFrame *frame = frame_of (fixture);
    g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "Original, with grid"));
    if (i == 0)
      straight = odl_image_ref (frame->original);
    g_assert_cmpfloat (largest (frame->original, straight, NULL), ==, 0);
    g_assert_cmpfloat (largest (frame->original, frame->input, NULL), >, 0.1);
    g_assert_cmpint (largest (frame->result, straight, NULL) > 0.1, ==, i);
  }
}

static bool
has_badge (Fixture *fixture, const void *text)
{
  return has_difference (fixture, NULL) && fixture->viewport->badge.key
         && strstr (fixture->viewport->badge.key, text);
}

static void
test_difference (Fixture *fixture, const void *data)
{
  begin (fixture);
  activate (fixture, "comparison", "'difference'");
  wait_until (fixture, has_difference, NULL);
  g_autoptr (OdlImage) a = filtered (frame_of (fixture), A);
  g_autoptr (OdlImage) b = filtered (frame_of (fixture), B);
  g_assert_cmpfloat (largest (frame_of (fixture)->result, a, b), <=, BOUND);
  wait_until (fixture, has_badge, "A less B");
  // Of equal ones it is said, and once more to who asks for it.
  activate (fixture, "copy-recipe-over", NULL);
  wait_until (fixture, has_badge, "A and B are equal");
  g_assert_cmpfloat (largest (frame_of (fixture)->result, b, b), <=, BOUND);
  activate (fixture, "comparison", "'difference'");
  g_assert_true (has_toast (fixture, "there is no difference to see"));
  OdlRecipe idle; // does the same
  odl_recipe_init (&idle);
  g_assert_true (odl_recipe_parse (&idle, B " sharpen:bypass=yes", NULL));
  odl_session_set_recipe (fixture->session, &idle, NULL);
  let_pass (200);
  wait_until (fixture, has_badge, "A and B are equal");
  odl_recipe_set (&idle, 0, "size", 0, 0);
  odl_session_set_recipe (fixture->session, &idle, NULL);
  wait_until (fixture, has_badge, "A less B");
  // Without filters in one of them there is nothing of the kind, and no wrong words.
  activate (fixture, "clear-recipe", NULL);
  wait_until (fixture, has_halves, NULL);
  activate (fixture, "comparison", "'original'");
  wait_until (fixture, has_no_other, NULL);
}

// Both of the same frame while it plays: one clock.
static void
test_playing (Fixture *fixture, const void *data)
{
  odl_session_open (fixture->session, "phantom:96x80,rate=25", NULL);
  wait_for_frames (fixture, 1);
  set_filters (fixture, A);
  activate (fixture, "recipe", "'B'");
  set_filters (fixture, B);
  activate (fixture, "comparison", "'other'");
  wait_until (fixture, has_other, NULL);
  odl_session_set_playing (fixture->session, true);
  int64_t last = -1;
  for (int i = 0; i < 5; i++) {
    wait_for_frames (fixture, 2);
    g_autoptr (OdlFrame) frame = odl_frame_ref (frame_of (fixture));
    g_assert_nonnull (frame->other);
    g_assert_cmpint (frame->index, !=, last);
    last = frame->index;
    g_autoptr (OdlImage) wanted = filtered (frame, A);
    g_assert_cmpfloat (largest (frame->original, wanted, NULL), <=, BOUND);
  }
  odl_session_set_playing (fixture->session, false);
}

static bool
shows_planes (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && frame->volume && frame->planes && frame->result
         && odl_recipe_equal (&frame->recipe, odl_session_recipe (fixture->session));
}

static bool
shows_slice (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = frame_of (fixture);
  return frame && !frame->planes;
}

static bool
shows_both_planes (Fixture *fixture, const void *data)
{
  return shows_planes (fixture, data) && has_other (fixture, data)
         && odl_recipe_equal (&frame_of (fixture)->other_recipe, data);
}

// In the three planes of a volume, whichever of both filters slices or the whole volume.
static void
test_planes (Fixture *fixture, const void *data)
{
  static const char *const filters[] = { "gaussian:sigma=2", "bilateral:dimensions=3" };
  odl_session_open (fixture->session, "phantom:48x40x24", NULL);
  wait_for_frames (fixture, 1);
  odl_session_set_planes (fixture->session, true);
  OdlImage *alone[2];
  OdlRecipe recipes[2];
  for (int i = 0; i < 2; i++) {
    set_filters (fixture, filters[i]);
    recipes[i] = *odl_session_recipe (fixture->session);
    wait_until (fixture, shows_planes, NULL);
    alone[i] = odl_image_ref (frame_of (fixture)->result);
  }
  g_assert_cmpfloat (largest (alone[0], alone[1], NULL), >, 0.01);
  activate (fixture, "comparison", "'other'");
  // The processor runs the other recipe, whatever engine was chosen.
  const double bound
      = fixture->engine && g_str_has_prefix (fixture->engine, "gl") ? 2e-5 : 0;
  for (int i = 0; i < 2; i++) {
    activate (fixture, "recipe", i == 0 ? "'B'" : "'A'");
    set_filters (fixture, filters[i]);
    activate (fixture, "recipe", i == 0 ? "'A'" : "'B'");
    set_filters (fixture, filters[1 - i]);
    wait_until (fixture, shows_both_planes, &recipes[i]);
    g_assert_cmpfloat (largest (frame_of (fixture)->original, alone[i], NULL), <=, bound);
    g_assert_cmpfloat (largest (frame_of (fixture)->result, alone[1 - i], NULL), ==, 0);
  }
  // There is no difference of volumes, which is said.
  activate (fixture, "comparison", "'difference'");
  g_assert_true (has_toast (fixture, "no view of the difference"));
  activate (fixture, "comparison", "'other'");
  // Beside each other, and with the cross-hair elsewhere.
  activate (fixture, "a-beside-b", NULL); // was on with the wipe's halves
  settle (fixture);
  g_assert_true (odl_viewport_beside (fixture->viewport));
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "A, processed"));
  const OdlVoxel voxel = { { 9, 30, 5 } };
  g_autoptr (OdlImage) before = odl_image_ref (frame_of (fixture)->original);
  odl_session_set_voxel (fixture->session, &voxel);
  settle (fixture);
  wait_until (fixture, shows_both_planes, &recipes[1]);
  g_assert_cmpfloat (largest (frame_of (fixture)->original, before, NULL), >, 0);
  activate (fixture, "comparison", "'original'");
  wait_until (fixture, has_no_other, NULL);
  for (int i = 0; i < 2; i++)
    odl_image_unref (alone[i]);
}

// A row of the canvas below its middle, which goes through two planes; once it stays.
static GBytes *
grab_row (Fixture *fixture, double wipe)
{
  int width, height;
  odl_viewport_set_wipe_position (fixture->viewport, wipe);
  settle (fixture);
  g_autoptr (GBytes) all = odl_viewport_grab (fixture->viewport, &width, &height);
  g_autoptr (GBytes) before = NULL;
  for (int i = 0; i < 20 && (!before || !g_bytes_equal (before, all)); i++) {
    g_clear_pointer (&before, g_bytes_unref);
    before = g_steal_pointer (&all);
    let_pass (150);
    all = odl_viewport_grab (fixture->viewport, &width, &height);
    g_assert_nonnull (all);
  }
  return g_bytes_new_from_bytes (all, (gsize) 4 * width * (height * 62 / 100),
                                 (gsize) 4 * width);
}

// From left to right, where both differ: o for the one, p for the other, each run once.
static char *
runs_of (GBytes *row, GBytes *original, GBytes *processed)
{
  g_autoptr (GString) runs = g_string_new (NULL);
  gsize size;
  const uint8_t *shown = g_bytes_get_data (row, &size);
  const uint8_t *left = g_bytes_get_data (original, NULL);
  const uint8_t *right = g_bytes_get_data (processed, NULL);
  for (gsize i = 0; i < size; i += 4) {
    if (left[i] == right[i])
      continue;
    const char run = shown[i] == left[i] ? 'o' : shown[i] == right[i] ? 'p' : '?';
    if (runs->len == 0 || runs->str[runs->len - 1] != run)
      g_string_append_c (runs, run);
  }
  return g_string_free (g_steal_pointer (&runs), FALSE);
}

// Not the left plane as it came and the right one filtered.
static void
test_wipe_in_each_plane (Fixture *fixture, const void *data)
{
  odl_session_open (fixture->session, "phantom:48x40x24", NULL);
  wait_for_frames (fixture, 1);
  set_filters (fixture, "gaussian:sigma=2");
  wait_until (fixture, shows_planes, NULL);
  activate_and_settle (fixture, "wipe", NULL);
  g_autoptr (GBytes) processed = grab_row (fixture, 0);
  g_autoptr (GBytes) original = grab_row (fixture, 1);
  g_autoptr (GBytes) both = grab_row (fixture, 0.4);
  g_autofree char *runs = runs_of (both, original, processed);
  g_assert_cmpstr (runs, ==, "opop");
  // What a drag to the right makes of both.
  g_autoptr (GBytes) later = grab_row (fixture, 0.6);
  g_autofree char *later_runs = runs_of (later, original, processed);
  g_assert_cmpstr (later_runs, ==, "opop");
  g_assert_false (g_bytes_equal (both, later));
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, shows_slice, NULL);
  g_autoptr (GBytes) slice = grab_row (fixture, 0);
  g_autoptr (GBytes) slice_before = grab_row (fixture, 1);
  g_autoptr (GBytes) slice_both = grab_row (fixture, 0.4);
  g_autofree char *slice_runs = runs_of (slice_both, slice_before, slice);
  g_assert_cmpstr (slice_runs, ==, "op");
}

static bool
has_body (Fixture *fixture, const void *data)
{
  return shows_planes (fixture, data) && frame_of (fixture)->body;
}

// From its switch on to the switch again, whatever is shown beside it.
static void
test_turning (Fixture *fixture, const void *data)
{
  int width, height;
  odl_session_open (fixture->session, "phantom:48x40x24", NULL);
  wait_for_frames (fixture, 1);
  wait_until (fixture, shows_planes, NULL);
  activate (fixture, "rendering", "'none'");
  activate (fixture, "turn-rendering", NULL);
  g_assert_true (odl_viewport_turns (fixture->viewport));
  g_assert_cmpstr (odl_viewport_rendering (fixture->viewport), ==, "maximum");
  wait_until (fixture, has_body, NULL);
  run_cycles (fixture, 3);
  g_autoptr (GBytes) first = odl_viewport_grab (fixture->viewport, &width, &height);
  bool turned = false;
  for (int i = 0; i < 40 && !turned; i++) {
    let_pass (100);
    g_autoptr (GBytes) later = odl_viewport_grab (fixture->viewport, &width, &height);
    turned = !g_bytes_equal (first, later);
  }
  g_assert_true (turned);
  activate (fixture, "turn-rendering", NULL);
  g_assert_false (odl_viewport_turns (fixture->viewport));
  settle (fixture);
  g_autoptr (GBytes) stopped = odl_viewport_grab (fixture->viewport, &width, &height);
  let_pass (300);
  g_autoptr (GBytes) still = odl_viewport_grab (fixture->viewport, &width, &height);
  g_assert_true (g_bytes_equal (stopped, still));
}

// What the keyboard's cursor stands on: the picture as it came left of the divider, the
// coefficient right of it and where it stands in both.
static void
test_cursor (Fixture *fixture, const void *data)
{
  OdlPoint pixel;
  begin (fixture);
  set_filters (fixture, "hard-threshold:levels=1");
  activate_and_settle (fixture, "view", "'analysis'");
  activate_and_settle (fixture, "wipe", NULL);
  odl_viewport_set_wipe_position (fixture->viewport, 0.5);
  settle (fixture);
  fixture->viewport->annotating.has_cursor = true;
  fixture->viewport->annotating.cursor = (OdlPoint){ 20.5, 9.5 };
  g_autofree char *left = odl_viewport_probe (fixture->viewport, &pixel);
  fixture->viewport->annotating.cursor = (OdlPoint){ WIDTH - 9.5, 9.5 };
  g_autofree char *right = odl_viewport_probe (fixture->viewport, &pixel);
  activate_and_settle (fixture, "beside", NULL);
  g_autofree char *beside = odl_viewport_probe (fixture->viewport, &pixel);
  g_test_message ("%s | %s | %s", left, right, beside);
  g_assert_nonnull (strstr (left, "20, 9: original"));
  g_assert_nonnull (strstr (right, "HL 1"));
  g_assert_nonnull (strstr (beside, "HL 1"));
}

static void
test_alternating (Fixture *fixture, const void *data)
{
  begin (fixture);
  const double processed = canvas_mean (fixture);
  bool changed = false;
  set_filters (fixture, "trough-threshold:side=high,threshold=0.9");
  const double filtered_mean = canvas_mean (fixture);
  activate (fixture, "flicker", NULL);
  for (int i = 0; i < 40 && !changed; i++) {
    let_pass (100);
    changed = fabs (canvas_mean (fixture) - filtered_mean) > 1;
  }
  g_assert_true (changed);
  activate (fixture, "flicker", NULL);
  run_cycles (fixture, 3);
  g_assert_cmpfloat (fabs (canvas_mean (fixture) - filtered_mean), <, 0.5);
  g_assert_cmpfloat (processed, >, 0);
}

static GtkWidget *
label_of (Fixture *fixture, const char *text)
{
  GtkWidget *found = NULL;
  GtkWidget *wipe = find_widget (GTK_WIDGET (fixture->viewport), ODL_TYPE_WIPE);
  for (GtkWidget *parent = GTK_WIDGET (fixture->viewport); parent && !found;
       parent = parent == wipe ? NULL : wipe)
    for (GtkWidget *child = gtk_widget_get_first_child (parent); child && !found;
         child = gtk_widget_get_next_sibling (child))
      if (GTK_IS_LABEL (child) && gtk_widget_get_mapped (child)
          && strstr (gtk_label_get_text (GTK_LABEL (child)), text))
        found = child;
  g_assert_nonnull (found);
  return found;
}

// In the narrowest window, too, the value under the pointer hides neither word.
static void
test_words_apart (Fixture *fixture, const void *data)
{
  begin (fixture);
  activate (fixture, "show-panels", NULL);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 500);
  activate_and_settle (fixture, "wipe", NULL);
  odl_viewport_move_pointer (fixture->viewport, true,
                             gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) / 2,
                             gtk_widget_get_height (GTK_WIDGET (fixture->viewport)) / 2);
  run_cycles (fixture, 4);
  GtkWidget *value = label_of (fixture, ": ");
  static const char *const words[] = { "Original", "Processed" };
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    graphene_rect_t word, number;
    GtkWidget *of = GTK_WIDGET (fixture->viewport);
    g_assert_true (gtk_widget_compute_bounds (label_of (fixture, words[i]), of, &word));
    g_assert_true (gtk_widget_compute_bounds (value, of, &number));
    g_assert_false (graphene_rect_intersection (&word, &number, NULL));
  }
}

static gboolean
passed_cb (void *data)
{
  *(bool *) data = true;
  return G_SOURCE_REMOVE;
}

// Words that are replaced while they still slide in; libadwaita 1.2 does not survive that
// by itself.
static void
test_hurried_words (Fixture *fixture, const void *data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  begin (fixture);
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  for (int i = 0; i < 24; i++) {
    bool passed = false;
    activate (fixture, "next-comparison", NULL);
    g_timeout_add (i % 4 ? 60 : 400, passed_cb, &passed);
    while (!passed)
      g_main_context_iteration (NULL, TRUE);
  }
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  g_assert_cmpuint (said->len, ==, 1);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/compare/the-grid-of-a-registration-is-not-the-files", test_grid);
  ADD ("/compare/a-and-b-are-switched-and-copied", test_switching);
  ADD ("/compare/halves-are-those-of-both-recipes", test_halves);
  ADD ("/compare/the-cursor-tells-what-it-stands-on", test_cursor);
  ADD ("/compare/difference-is-one-less-the-other", test_difference);
  ADD ("/compare/both-are-of-the-same-frame", test_playing);
  ADD ("/compare/both-in-three-planes", test_planes);
  ADD ("/compare/each-plane-has-a-wipe", test_wipe_in_each_plane);
  ADD ("/compare/a-rendered-view-turns-by-itself", test_turning);
  ADD ("/compare/alternating", test_alternating);
  ADD ("/compare/words-and-value-stand-apart", test_words_apart);
  ADD ("/compare/words-are-replaced-in-a-hurry", test_hurried_words);
  return g_test_run ();
}
