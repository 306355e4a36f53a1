// SPDX-License-Identifier: MIT
// The histogram of the grey levels in the real window: what it counts, and the window
// that is moved in it.
#include <math.h>

#include "support/support.h"
#include "widgets/panels/measures/histogram.h"

#define WIDTH 90
#define HEIGHT 70

static OdlHistogram *
histogram (Fixture *fixture)
{
  GtkWidget *found = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_HISTOGRAM);
  g_assert_nonnull (found);
  return ODL_HISTOGRAM (found);
}

static void
assert_window (Fixture *fixture, double centre, double width, double within)
{
  double got_centre, got_width;
  odl_viewport_get_window (fixture->viewport, &got_centre, &got_width);
  g_assert_cmpfloat_with_epsilon (got_centre, centre, within);
  g_assert_cmpfloat_with_epsilon (got_width, width, within);
}

// The same values as in the file, counted by hand.
static void
test_counts (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  g_autoptr (GdkPixbuf) pixels = gdk_pixbuf_new_from_file (path, NULL);
  OdlHistogramCounts counts;
  guint wanted[ODL_HISTOGRAM_BINS] = { 0 };
  int least = 255, most = 0;
  open_and_wait (fixture, path);
  odl_histogram_count (odl_session_frame (fixture->session)->input, NULL, &counts);
  for (int pass = 0; pass < 2; pass++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const int grey
            = gdk_pixbuf_read_pixels (pixels)[y * gdk_pixbuf_get_rowstride (pixels)
                                              + x * gdk_pixbuf_get_n_channels (pixels)];
        least = MIN (least, grey);
        most = MAX (most, grey);
        if (pass == 1)
          wanted[MIN ((grey - least) * ODL_HISTOGRAM_BINS / (most - least),
                      ODL_HISTOGRAM_BINS - 1)]++;
      }
  g_assert_cmpfloat_with_epsilon (counts.least, least, 1e-4);
  g_assert_cmpfloat_with_epsilon (counts.most, most, 1e-4);
  guint all = 0, off = 0;
  for (int i = 0; i < ODL_HISTOGRAM_BINS; i++) {
    all += counts.counts[i];
    off += (guint) ABS ((int) counts.counts[i] - (int) wanted[i]);
  }
  g_assert_cmpuint (all, ==, WIDTH * HEIGHT);
  // Single precision may put a value at the edge of a bin into the next one.
  g_assert_cmpuint (off, <, all / 20);
}

static GtkGesture *
drag_of (OdlHistogram *widget)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (widget));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GObject) one = g_list_model_get_item (all, i);
    if (GTK_IS_GESTURE_DRAG (one))
      return GTK_GESTURE (one);
  }
  g_assert_not_reached ();
}

// From a value by so many pixels.
static void
drag (Fixture *fixture, double value, double by)
{
  OdlHistogram *widget = histogram (fixture);
  const double x
      = odl_histogram_place (widget, value) * gtk_widget_get_width (GTK_WIDGET (widget));
  g_signal_emit_by_name (drag_of (widget), "drag-begin", x, 20.0);
  g_signal_emit_by_name (drag_of (widget), "drag-update", by, 0.0);
  settle (fixture);
}

static bool
is_counted (Fixture *fixture, const void *data)
{
  OdlHistogram *widget = histogram (fixture);
  // The range of the picture, not the one before there is any.
  return odl_histogram_place (widget, 255) < 1.2;
}

static void
test_dragged (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", WIDTH, HEIGHT, false);
  open_and_wait (fixture, path);
  unfold_levels (fixture);
  wait_until (fixture, is_counted, NULL);
  OdlHistogram *widget = histogram (fixture);
  const double pixels = gtk_widget_get_width (GTK_WIDGET (widget));
  g_assert_cmpfloat (pixels, >, 100);
  // Of how many values a pixel stands.
  const double per_pixel
      = 1
        / (pixels
           * (odl_histogram_place (widget, 101) - odl_histogram_place (widget, 100)));
  odl_viewport_set_window (fixture->viewport, 120, 80);
  settle (fixture);
  drag (fixture, 120, 10); // the whole
  assert_window (fixture, 120 + 10 * per_pixel, 80, 0.01);
  odl_viewport_set_window (fixture->viewport, 120, 80);
  settle (fixture);
  drag (fixture, 160, 12); // its upper end
  assert_window (fixture, 120 + 6 * per_pixel, 80 + 12 * per_pixel, 0.01);
  odl_viewport_set_window (fixture->viewport, 120, 80);
  settle (fixture);
  drag (fixture, 80, -8); // its lower end
  assert_window (fixture, 120 - 4 * per_pixel, 80 + 8 * per_pixel, 0.01);
  // Beyond the other end the window is narrow, never turned round.
  odl_viewport_set_window (fixture->viewport, 120, 80);
  settle (fixture);
  drag (fixture, 80, 1000);
  double centre, width;
  odl_viewport_get_window (fixture->viewport, &centre, &width);
  g_assert_cmpfloat (width, >, 0);
  g_assert_cmpfloat (width, <, 1);
  g_assert_cmpfloat_with_epsilon (centre, 160, 1);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/histogram/counts-the-values-of-the-file", test_counts);
  ADD ("/histogram/its-window-is-dragged", test_dragged);
  return g_test_run ();
}
