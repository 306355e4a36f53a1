// SPDX-License-Identifier: MIT
#include "image/display/view.h"

#include <glib.h>
#include <math.h>

typedef void (*ViewCheck) (const OdlView *view, int width, int height);

static const struct {
  int width, height;
} canvases[] = { { 1, 1 }, { 640, 480 }, { 511, 333 }, { 200, 900 } };

static void
assert_point (OdlPoint point, double x, double y, double tolerance)
{
  g_assert_cmpfloat_with_epsilon (point.x, x, tolerance);
  g_assert_cmpfloat_with_epsilon (point.y, y, tolerance);
}

// Runs `check` on every turn, flip and aspect, fitting and not, on every canvas.
static void
for_each_view (ViewCheck check)
{
  static const double aspects[] = { 0, 1, 0.5, 1.3 };

  for (size_t c = 0; c < G_N_ELEMENTS (canvases); c++)
    for (size_t a = 0; a < G_N_ELEMENTS (aspects); a++)
      for (int turns = 0; turns < 4; turns++)
        for (int flags = 0; flags < 8; flags++) {
          OdlView view = odl_view_make (317, 128, aspects[a]);

          view.quarter_turns = turns;
          view.flip_horizontal = (flags & 1) != 0;
          view.flip_vertical = (flags & 2) != 0;
          odl_view_layout (&view, canvases[c].width, canvases[c].height);
          if ((flags & 4) != 0) {
            odl_view_zoom_at (&view, canvases[c].width, canvases[c].height,
                              (OdlPoint){ 3, 5 }, 1.7);
            odl_view_pan (&view, 11.25, -4.5);
          }
          check (&view, canvases[c].width, canvases[c].height);
        }
}

static void
check_round_trip (const OdlView *view, int width, int height)
{
  for (double y = -10; y < height + 10; y += height / 3.0)
    for (double x = -10; x < width + 10; x += width / 3.0) {
      OdlPoint image = odl_view_to_image (view, width, height, (OdlPoint){ x, y });
      double m[6];

      odl_view_matrix (view, width, height, m);
      assert_point (odl_view_to_canvas (view, width, height, image), x, y, 1e-7);
      assert_point (image, m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5], 1e-7);
    }
}

static void
test_round_trip (void)
{
  for_each_view (check_round_trip);
}

static void
check_zoom (const OdlView *view, int width, int height)
{
  static const double factors[] = { 1.1, 0.4, 7, 1e6, 1e-6 };
  OdlPoint pointer = { 0.3 * width, 0.8 * height };
  OdlView fitted = *view;

  odl_view_fit (&fitted);
  odl_view_layout (&fitted, width, height);
  for (size_t i = 0; i < G_N_ELEMENTS (factors); i++) {
    OdlView zoomed = *view;
    OdlPoint before = odl_view_to_image (view, width, height, pointer);

    odl_view_zoom_at (&zoomed, width, height, pointer, factors[i]);
    assert_point (odl_view_to_image (&zoomed, width, height, pointer), before.x, before.y,
                  1e-7 * (1 + fabs (before.x) + fabs (before.y)));
    g_assert_false (zoomed.fit);
    g_assert_cmpfloat (zoomed.zoom, <=, ODL_VIEW_ZOOM_MAX);
    g_assert_cmpfloat (zoomed.zoom, >=, MIN (ODL_VIEW_ZOOM_MIN, fitted.zoom));
  }
}

static void
test_zoom_keeps_the_point (void)
{
  for_each_view (check_zoom);
}

static void
test_zoom_multiplies (void)
{
  OdlView view = odl_view_make (100, 100, 1);

  odl_view_actual_size (&view);
  odl_view_zoom_at (&view, 300, 300, (OdlPoint){ 20, 30 }, 2.5);
  g_assert_cmpfloat_with_epsilon (view.zoom, 2.5, 1e-12);
}

static void
check_fit (const OdlView *view, int width, int height)
{
  OdlView fitted = *view;

  odl_view_fit (&fitted);
  odl_view_layout (&fitted, width, height);

  OdlPoint a = odl_view_to_canvas (&fitted, width, height, (OdlPoint){ 0, 0 });
  OdlPoint b = odl_view_to_canvas (&fitted, width, height, (OdlPoint){ 317, 128 });
  double left = MIN (a.x, b.x), right = MAX (a.x, b.x);
  double top = MIN (a.y, b.y), bottom = MAX (a.y, b.y);

  g_assert_cmpfloat (left, >=, -1e-6);
  g_assert_cmpfloat (top, >=, -1e-6);
  g_assert_cmpfloat (right, <=, width + 1e-6);
  g_assert_cmpfloat (bottom, <=, height + 1e-6);
  // Touches two opposite edges and lies in the middle of the others.
  g_assert_cmpfloat_with_epsilon (MIN (left, top), 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (left + right, width, 1 + 1e-6);
  g_assert_cmpfloat_with_epsilon (top + bottom, height, 1 + 1e-6);
}

static void
test_fit_fits (void)
{
  for_each_view (check_fit);

  // Far larger and far smaller than any canvas.
  OdlView view = odl_view_make (1048576, 3, 1);
  odl_view_layout (&view, 100, 100);
  g_assert_cmpfloat_with_epsilon (view.zoom, 100 / 1048576.0, 1e-12);
  view = odl_view_make (1, 1, 1);
  odl_view_layout (&view, 4000, 4000);
  g_assert_cmpfloat (view.zoom, ==, ODL_VIEW_ZOOM_MAX);
}

static void
check_aspect (const OdlView *view, int width, int height)
{
  OdlPoint o = odl_view_to_canvas (view, width, height, (OdlPoint){ 0, 0 });
  OdlPoint x = odl_view_to_canvas (view, width, height, (OdlPoint){ 1, 0 });
  OdlPoint y = odl_view_to_canvas (view, width, height, (OdlPoint){ 0, 1 });

  g_assert_cmpfloat_with_epsilon (hypot (x.x - o.x, x.y - o.y),
                                  view->zoom * view->pixel_aspect, 1e-9);
  g_assert_cmpfloat_with_epsilon (hypot (y.x - o.x, y.y - o.y), view->zoom, 1e-9);
}

static void
test_aspect_stretches_x (void)
{
  for_each_view (check_aspect);
}

static void
test_turns_go_clockwise (void)
{
  // Where the right end of the top row goes on a 100 × 100 canvas.
  static const OdlPoint corner[4] = { { 100, 0 }, { 100, 100 }, { 0, 100 }, { 0, 0 } };

  for (int turns = 0; turns < 4; turns++) {
    OdlView view = odl_view_make (10, 10, 1);

    view.quarter_turns = turns;
    odl_view_layout (&view, 100, 100);
    assert_point (odl_view_to_canvas (&view, 100, 100, (OdlPoint){ 10, 0 }),
                  corner[turns].x, corner[turns].y, 1e-9);
    // Flips act on what is seen, after the turn.
    view.flip_horizontal = true;
    assert_point (odl_view_to_canvas (&view, 100, 100, (OdlPoint){ 10, 0 }),
                  100 - corner[turns].x, corner[turns].y, 1e-9);
  }
}

static void
check_pan (const OdlView *view, int width, int height)
{
  OdlView panned = *view;
  OdlPoint before = odl_view_to_canvas (view, width, height, (OdlPoint){ 7, 9 });

  odl_view_pan (&panned, 3.5, -8);
  assert_point (odl_view_to_canvas (&panned, width, height, (OdlPoint){ 7, 9 }),
                before.x + 3.5, before.y - 8, 1e-9);
  g_assert_false (panned.fit);
}

static void
test_pan_follows_the_pointer (void)
{
  for_each_view (check_pan);
}

static void
test_actual_size_meets_whole_pixels (void)
{
  for (int size = 5; size <= 8; size++)
    for (int turns = 0; turns < 4; turns++) {
      OdlView view = odl_view_make (size, size + 1, 1);

      view.quarter_turns = turns;
      odl_view_actual_size (&view);
      odl_view_pan (&view, 0.3, 0.2);
      odl_view_layout (&view, 64, 33);
      g_assert_cmpfloat (view.zoom, ==, 1);

      OdlPoint corner = odl_view_to_canvas (&view, 64, 33, (OdlPoint){ 0, 0 });
      g_assert_cmpfloat_with_epsilon (corner.x, round (corner.x), 1e-9);
      g_assert_cmpfloat_with_epsilon (corner.y, round (corner.y), 1e-9);
    }
}

static void
test_picture_cannot_be_lost (void)
{
  OdlView view = odl_view_make (100, 60, 1);

  odl_view_actual_size (&view);
  odl_view_pan (&view, 1e6, -1e6);
  odl_view_layout (&view, 300, 200);
  assert_point (view.centre, 0, 60, 1);
}

// Lines that lead far out of the canvas are cut at its margin, in their direction; others
// stay as they are.
static void
test_lines_are_cut (void)
{
  OdlPoint a = { -1e9, 50 }, b = { 1e9, 50 }, c = { 10, 20 }, d = { 90, 60 };
  OdlPoint e = { -1000, -5 }, f = { 1000, -5 };

  g_assert_true (odl_view_cut_line (100, 80, 4, &a, &b));
  assert_point (a, -4, 50, 1e-5);
  assert_point (b, 104, 50, 1e-5);
  g_assert_true (odl_view_cut_line (100, 80, 0, &c, &d));
  assert_point (c, 10, 20, 1e-12);
  assert_point (d, 90, 60, 1e-12);
  g_assert_false (odl_view_cut_line (100, 80, 4, &e, &f));
}

// Both sides of a head are as long as was asked for, as far from the line, and behind the
// tip, in every direction.
static void
test_arrow_head (void)
{
  for (int i = 0; i < 16; i++) {
    const double angle = i * G_PI / 8;
    const OdlPoint tip = { 30, 40 };
    const OdlPoint from = { 30 - 25 * cos (angle), 40 - 25 * sin (angle) };
    OdlPoint ends[2];
    odl_view_arrow_head (from, tip, 10, ends);
    double across[2];
    for (int k = 0; k < 2; k++) {
      const double dx = ends[k].x - tip.x, dy = ends[k].y - tip.y;
      g_assert_cmpfloat_with_epsilon (hypot (dx, dy), 10, 1e-9);
      g_assert_cmpfloat (dx * cos (angle) + dy * sin (angle), <, -8);
      across[k] = dy * cos (angle) - dx * sin (angle);
    }
    g_assert_cmpfloat_with_epsilon (across[0], -across[1], 1e-9);
    g_assert_cmpfloat (fabs (across[0]), >, 3);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/canvas-and-image-positions-round-trip", test_round_trip);
  g_test_add_func ("/view/zoom-keeps-the-point-at-the-pointer",
                   test_zoom_keeps_the_point);
  g_test_add_func ("/view/zoom-multiplies", test_zoom_multiplies);
  g_test_add_func ("/view/fit-fits", test_fit_fits);
  g_test_add_func ("/view/aspect-stretches-along-x", test_aspect_stretches_x);
  g_test_add_func ("/view/turns-go-clockwise-and-flips-come-after",
                   test_turns_go_clockwise);
  g_test_add_func ("/view/pan-follows-the-pointer", test_pan_follows_the_pointer);
  g_test_add_func ("/view/actual-size-meets-whole-pixels",
                   test_actual_size_meets_whole_pixels);
  g_test_add_func ("/view/picture-cannot-be-lost", test_picture_cannot_be_lost);
  g_test_add_func ("/view/lines-are-cut-at-the-margin", test_lines_are_cut);
  g_test_add_func ("/view/heads-of-arrows-lie-behind-their-tips", test_arrow_head);
  return g_test_run ();
}
