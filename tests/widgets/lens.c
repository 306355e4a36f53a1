// SPDX-License-Identifier: MIT
// The magnifier in the real window: it shows the samples under the pointer, each as a
// square, of the picture that lies there.
#include <math.h>
#include <string.h>

#include "support/support.h"
#include "widgets/viewport/private.h"

#define WIDTH 300
#define HEIGHT 240

static int
grey_of (GdkPixbuf *picture, int x, int y)
{
  return gdk_pixbuf_read_pixels (picture)[y * gdk_pixbuf_get_rowstride (picture)
                                          + x * gdk_pixbuf_get_n_channels (picture)];
}

// About a place of the canvas, within `reach` pixels, each pixel shows the sample of
// `picture` that lies so much nearer to the one pointed at.
static void
assert_magnified (const Canvas *canvas,
                  GdkPixbuf *picture,
                  OdlPoint canvas_at,
                  OdlPoint image_at,
                  double factor,
                  int reach)
{
  int wrong = 0, all = 0;
  for (int dy = -reach; dy < reach; dy++)
    for (int dx = -reach; dx < reach; dx++) {
      const int x = (int) canvas_at.x + dx, y = (int) canvas_at.y + dy;
      const double u = image_at.x + (x + 0.5 - canvas_at.x) / factor;
      const double v = image_at.y + (y + 0.5 - canvas_at.y) / factor;
      // At the edge of a sample rounding decides.
      if (fabs (u - round (u)) < 0.02 || fabs (v - round (v)) < 0.02)
        continue;
      const guint8 got = canvas->rgba[4 * ((size_t) y * canvas->width + x)];
      wrong += ABS (got - grey_of (picture, (int) floor (u), (int) floor (v))) > 1;
      all++;
    }
  g_test_message ("%d of %d pixels are wrong", wrong, all);
  g_assert_cmpint (all, >, reach * reach);
  g_assert_cmpint (wrong, ==, 0);
}

static void
point_at (Fixture *fixture, OdlPoint at)
{
  odl_viewport_move_pointer (fixture->viewport, true, at.x, at.y);
}

static bool
has_frame (Fixture *fixture, const char *text)
{
  return has_label (GTK_WIDGET (fixture->viewport), text);
}

static void
test_samples (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_file (path, NULL);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "actual-size", NULL);
  const OdlPoint at = { gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) / 2 + 11,
                        gtk_widget_get_height (GTK_WIDGET (fixture->viewport)) / 2 - 9 };
  point_at (fixture, at);
  Canvas before = grab_canvas (fixture);
  activate_and_settle (fixture, "magnifier", NULL);
  const OdlPoint image = odl_viewport_to_image (fixture->viewport, at.x, at.y);
  Canvas canvas = grab_canvas (fixture);
  assert_magnified (&canvas, picture, at, image, 4, 90);
  g_assert_true (has_frame (fixture, "×4"));
  g_bytes_unref (canvas.bytes);
  activate_and_settle (fixture, "next-magnification", NULL);
  canvas = grab_canvas (fixture);
  assert_magnified (&canvas, picture, at, image, 8, 90);
  g_assert_true (has_frame (fixture, "×8"));
  g_bytes_unref (canvas.bytes);
  // Off, all is as it was.
  activate_and_settle (fixture, "magnifier", NULL);
  canvas = grab_canvas (fixture);
  g_assert_true (g_bytes_equal (canvas.bytes, before.bytes));
  g_assert_false (has_frame (fixture, "×8"));
  g_bytes_unref (canvas.bytes);
  g_bytes_unref (before.bytes);
}

// Beside each other both pictures are magnified, at the same place.
static void
test_both (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  static const char *const none[] = { NULL };
  static const char *const filtered[] = { "--filter=gaussian:sigma=3", NULL };
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "beside", NULL);
  activate_and_settle (fixture, "actual-size", NULL);
  activate_and_settle (fixture, "magnifier", NULL);
  const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
  const OdlPoint at
      = { width / 4, gtk_widget_get_height (GTK_WIDGET (fixture->viewport)) / 2 };
  const OdlPoint other = { at.x + width - width / 2, at.y };
  point_at (fixture, other);
  const OdlPoint image = odl_viewport_to_image (fixture->viewport, at.x, at.y);
  odl_viewport_set_shows_values (fixture->viewport, false); // no cross
  settle (fixture);
  Canvas canvas = grab_canvas (fixture);
  g_autoptr (GdkPixbuf) before = cli_process (fixture, path, none);
  assert_magnified (&canvas, before, at, image, 4, 60);
  g_autoptr (GdkPixbuf) after = cli_process (fixture, path, filtered);
  assert_magnified (&canvas, after, other, image, 4, 60);
  activate_and_settle (fixture, "fit", NULL);
  point_at (fixture, (OdlPoint){ 3 * width / 8, at.y });
  run_cycles (fixture, 3);
  int framed = 0;
  for (int i = 0; i < ODL_MOST_LENSES; i++)
    framed += gtk_widget_get_mapped (fixture->viewport->lens_frames[i]);
  g_assert_cmpint (framed, ==, 2);
  g_bytes_unref (canvas.bytes);
}

// Close to the line between them, nothing of one picture stands in the half of the other.
static void
test_apart (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  set_filters (fixture, "gaussian:sigma=3");
  activate_and_settle (fixture, "beside", NULL);
  odl_viewport_set_shows_values (fixture->viewport, false);
  const int half = gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) / 2;
  const double y = gtk_widget_get_height (GTK_WIDGET (fixture->viewport)) / 2.0;
  point_at (fixture, (OdlPoint){ half - 30, y });
  Canvas before = grab_canvas (fixture);
  activate_and_settle (fixture, "magnifier", NULL);
  Canvas after = grab_canvas (fixture);
  int changed = 0;
  for (int row = 0; row < after.height; row++) {
    const size_t from = 4 * ((size_t) row * (size_t) after.width + (size_t) half);
    // Half of the other half: its own magnifier lies further to the right.
    g_assert_cmpmem (after.rgba + from, 4 * (size_t) half / 2, before.rgba + from,
                     4 * (size_t) half / 2);
    changed
        += memcmp (after.rgba + from - 4 * 50, before.rgba + from - 4 * 50, 4 * 50) != 0;
  }
  g_assert_cmpint (changed, >, 20);
  g_bytes_unref (before.bytes);
  g_bytes_unref (after.bytes);
}

// Where there is nothing to magnify there is no empty frame.
static void
test_beside_the_picture (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1280, 600);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "fit", NULL);
  activate_and_settle (fixture, "rotate", "1");
  activate_and_settle (fixture, "magnifier", NULL);
  const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
  const double y = gtk_widget_get_height (GTK_WIDGET (fixture->viewport)) / 2.0;
  const struct {
    double x;
    bool inside;
  } places[] = { { width / 2.0, true }, { 4, false }, { width / 2.0, true } };
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    const OdlPoint at = { places[i].x, y };
    const OdlPoint image = odl_viewport_to_image (fixture->viewport, at.x, at.y);
    const bool inside
        = image.x >= 0 && image.x < WIDTH && image.y >= 0 && image.y < HEIGHT;
    g_assert_true (inside == places[i].inside);
    point_at (fixture, at);
    run_cycles (fixture, 3);
    GtkWidget *frame
        = GTK_WIDGET (label_with_class (GTK_WIDGET (fixture->viewport), "lens"));
    g_assert_true (gtk_widget_get_child_visible (frame) == places[i].inside);
  }
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/lens/shows-the-samples-under-the-pointer", test_samples);
  ADD ("/lens/shows-both-pictures-beside-each-other", test_both);
  ADD ("/lens/nothing-of-it-stands-in-the-other-picture", test_apart);
  ADD ("/lens/beside-the-picture-there-is-none", test_beside_the_picture);
  return g_test_run ();
}
