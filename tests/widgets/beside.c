// SPDX-License-Identifier: MIT
// The original beside the result in the real window: both pictures whole, at one zoom and
// place, and one point of the picture in both.
#include <math.h>

#include "support/support.h"
#include "widgets/viewport/private.h"

#define WIDTH 61
#define HEIGHT 47

static int
grey_at (const Canvas *canvas, int x, int y)
{
  return canvas->rgba[4 * ((size_t) y * canvas->width + x)];
}

// Whether the picture lies there, 1:1, whole.
static bool
is_at (const Canvas *canvas, GdkPixbuf *picture, int left, int top)
{
  const int n = gdk_pixbuf_get_n_channels (picture);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const guchar *row = gdk_pixbuf_read_pixels (picture)
                          + (size_t) y * gdk_pixbuf_get_rowstride (picture);
      if (ABS (grey_at (canvas, left + x, top + y) - row[x * n]) > 1)
        return false;
    }
  return true;
}

// Where the picture lies between two columns; −1: nowhere.
static int
find (const Canvas *canvas, GdkPixbuf *picture, int from, int to, int *top)
{
  for (int y = 0; y + HEIGHT <= canvas->height; y++)
    for (int x = from; x + WIDTH <= to; x++)
      if (is_at (canvas, picture, x, y)) {
        *top = y;
        return x;
      }
  return -1;
}

static bool
state_is (Fixture *fixture, const char *action, bool wanted)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), action);
  return g_variant_get_boolean (state) == wanted;
}

// A filtered picture beside its original, 1:1.
static char *
show_both (Fixture *fixture)
{
  char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "beside", NULL);
  activate_and_settle (fixture, "actual-size", NULL);
  run_cycles (fixture, 3);
  return path;
}

static void
test_both (Fixture *fixture, const void *data)
{
  g_autofree char *path = show_both (fixture);
  static const char *const none[] = { NULL };
  static const char *const filtered[] = { "--filter=gaussian:sigma=3", NULL };
  g_autoptr (GdkPixbuf) before = cli_process (fixture, path, none);
  g_autoptr (GdkPixbuf) after = cli_process (fixture, path, filtered);
  Canvas canvas = grab_canvas (fixture);
  const int half = canvas.width / 2;
  int first_top = -1, second_top = -2;
  const int first = find (&canvas, before, 0, half, &first_top);
  const int second = find (&canvas, after, half, canvas.width, &second_top);
  g_assert_cmpint (first, >=, 0);
  g_assert_cmpint (second, >=, half);
  g_assert_cmpint (first_top, ==, second_top);
  g_assert_cmpint (second - first, ==, canvas.width - half);
  g_bytes_unref (canvas.bytes);

  // While the key is held the right half shows the original, too.
  odl_viewport_set_show_original (fixture->viewport, true);
  run_cycles (fixture, 3);
  canvas = grab_canvas (fixture);
  g_assert_true (is_at (&canvas, before, first, first_top));
  g_assert_true (is_at (&canvas, before, second, second_top));
  g_bytes_unref (canvas.bytes);
}

// It takes the wipe's place, and the other way round.
static void
test_instead (Fixture *fixture, const void *data)
{
  g_autofree char *path = show_both (fixture);
  g_assert_true (state_is (fixture, "beside", true));
  activate_and_settle (fixture, "wipe", NULL);
  g_assert_true (state_is (fixture, "beside", false));
  g_assert_true (state_is (fixture, "wipe", true));
  activate_and_settle (fixture, "beside", NULL);
  g_assert_true (state_is (fixture, "wipe", false));
  g_assert_true (has_label (GTK_WIDGET (fixture->viewport), "Original"));
  g_assert_true (has_label (GTK_WIDGET (fixture->window), "Processed"));
  activate_and_settle (fixture, "beside", NULL);
  g_assert_false (has_label (GTK_WIDGET (fixture->viewport), "Original"));
}

static void
assert_point (OdlPoint got, OdlPoint wanted)
{
  g_assert_cmpfloat_with_epsilon (got.x, wanted.x, 1e-6);
  g_assert_cmpfloat_with_epsilon (got.y, wanted.y, 1e-6);
}

// The same place of the picture lies in both halves, also after zooming in one of them,
// and a drag stays in the half in which it began.
static void
test_places (Fixture *fixture, const void *data)
{
  g_autofree char *path = show_both (fixture);
  OdlViewport *viewport = fixture->viewport;
  const int width = gtk_widget_get_width (GTK_WIDGET (viewport));
  const double shift = width - width / 2;
  const double y = gtk_widget_get_height (GTK_WIDGET (viewport)) / 2.0 + 5;
  for (int i = 0; i < 2; i++) {
    const OdlPoint left = odl_viewport_to_image (viewport, width / 4.0 + 7, y);
    const OdlPoint right = odl_viewport_to_image (viewport, width / 4.0 + 7 + shift, y);
    assert_point (left, right);
    // What is under the pointer stays there.
    const OdlPoint at = { width / 4.0 + 7 + (i == 0 ? shift : 0), y };
    odl_viewport_zoom_at (viewport, odl_viewport_to_device (viewport, at.x, at.y), 1.7);
    settle (fixture);
    assert_point (odl_viewport_to_image (viewport, at.x, at.y), left);
  }
  const OdlPoint first = odl_viewport_to_image (viewport, 20, 50);
  odl_viewport_hold_pane (viewport, 20);
  const OdlPoint beyond = odl_viewport_to_image (viewport, 20 + shift, 50);
  odl_viewport_let_pane (viewport);
  assert_point (odl_viewport_to_image (viewport, 20 + shift, 50), first);
  g_assert_cmpfloat (beyond.x, >, first.x);
}

// How many pixels of a half differ.
static int
differences (const Canvas *a, const Canvas *b, int from, int to)
{
  int n = 0;
  for (int y = 0; y < a->height; y++)
    for (int x = from; x < to; x++)
      n += ABS (grey_at (a, x, y) - grey_at (b, x, y)) > 8;
  return n;
}

// What is measured is drawn over both, at the same places.
static void
test_measured (Fixture *fixture, const void *data)
{
  g_autofree char *path = show_both (fixture);
  Canvas before = grab_canvas (fixture);
  const OdlAnnotationKind *length = odl_annotation_kind_find ("length");
  OdlAnnotation annotation;
  g_assert_true (odl_annotation_from_text (length, "5,5,50,30", &annotation));
  annotation.frame = 0;
  odl_session_annotate (fixture->session, &annotation);
  settle (fixture);
  run_cycles (fixture, 3);
  Canvas after = grab_canvas (fixture);
  const int half = before.width / 2;
  const int left = differences (&before, &after, 0, half);
  const int right = differences (&before, &after, half, before.width);
  g_assert_cmpint (left, >, 100);
  g_assert_cmpint (right, >, 100);
  g_assert_cmpint (ABS (left - right), <, left / 4);
  g_bytes_unref (before.bytes);
  g_bytes_unref (after.bytes);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/beside/both-pictures-are-whole-at-the-same-place", test_both);
  ADD ("/beside/takes-the-place-of-the-wipe", test_instead);
  ADD ("/beside/a-place-is-in-both-halves", test_places);
  ADD ("/beside/what-is-measured-is-drawn-over-both", test_measured);
  return g_test_run ();
}
