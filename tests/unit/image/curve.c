// SPDX-License-Identifier: MIT
// Curves of levels and overlays, by themselves and in the display.
#include "image/display/curve.h"

#include <math.h>
#include <string.h>

#include "image/display/display.h"

#define WIDTH 19
#define HEIGHT 13

static void
test_curves_are_checked (void)
{
  float levels[3] = { 0, 0.5f, 1 };
  OdlCurve *curve = odl_curve_new (levels, 3);

  g_assert_nonnull (curve);
  odl_curve_unref (curve);
  odl_curve_unref (NULL);
  g_assert_null (odl_curve_new (levels, 1));
  g_assert_null (odl_curve_new (levels, ODL_CURVE_MAX_LEVELS + 1));
  static const float bad[] = { NAN, INFINITY, -0.001f, 1.001f };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    levels[1] = bad[i];
    g_assert_null (odl_curve_new (levels, 3));
  }
}

// Entries are met exactly although places are rounded; between them a line.
static void
test_entries_are_exact (void)
{
  static const int sizes[] = { 2, 3, 256, 4096, 65536 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    const int n = sizes[s];
    g_autofree float *levels = g_new (float, n);
    for (int i = 0; i < n; i++)
      levels[i] = (float) (i * 7919 % 1000) / 999;
    for (int i = 0; i < n; i++) {
      const float place = (float) i / (float) (n - 1);
      g_assert_cmpfloat (odl_curve_at (levels, n, place), ==, levels[i]);
      g_assert_cmpfloat (odl_curve_at (levels, n, nextafterf (place, 0)), ==, levels[i]);
    }
    const float middle = odl_curve_at (levels, n, 0.5f / (float) (n - 1));
    g_assert_cmpfloat_with_epsilon (middle, 0.5 * (levels[0] + levels[1]), 0.01);
  }
}

static void
test_sigmoid (void)
{
  const OdlCurve *sigmoid = odl_curve_sigmoid ();

  for (double widths = -2.9; widths < 2.9; widths += 0.0137) {
    const double want = 1 / (1 + exp (-4 * widths));
    const float place = (float) (widths / ODL_SIGMOID_WIDTHS + 0.5);
    g_assert_cmpfloat (fabs (odl_curve_at (sigmoid->levels, sigmoid->n, place) - want), <,
                       1.0 / 65535);
  }
}

// The window near a curve that is a ramp is that ramp.
static void
test_fit (void)
{
  for (int falls = 0; falls < 2; falls++) {
    float levels[1001];
    double centre, width;
    for (int i = 0; i < 1001; i++) {
      const float up = CLAMP ((float) (i - 300) / 200, 0, 1);
      levels[i] = falls ? 1 - up : up;
    }
    OdlCurve *curve = odl_curve_new (levels, 1001);
    g_assert_cmpint (odl_curve_fit (curve, &centre, &width), ==, falls);
    g_assert_cmpfloat_with_epsilon (centre, 0.4, 0.002);
    g_assert_cmpfloat_with_epsilon (width, 0.2, 0.003);
    odl_curve_unref (curve);
  }
}

// A U16 image of 12 bits with value = 2 · stored − 100.
static OdlImage *
make_image (const OdlCurve *curve, const OdlOverlay *overlay)
{
  void *samples;
  const OdlImageInfo info = {
    .extent = { WIDTH, HEIGHT },
    .channels = 1,
    .type = ODL_SAMPLE_U16,
    .stored_max = 4095,
    .value_map = { .slope = 2,
                   .intercept = -100,
                   .curve = curve,
                   .curve_first = curve != NULL ? 200 : 0,
                   .curve_last = curve != NULL ? 200 + 999 : 0 },
    .overlay = overlay,
  };
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    ((uint16_t *) samples)[i] = (uint16_t) (i * 4);
  return image;
}

// Falls from 1 to 0 over the values 200 … 1199.
static OdlCurve *
make_falling (void)
{
  float levels[1000];

  for (int i = 0; i < 1000; i++)
    levels[i] = (float) (999 - i) / 999;
  return odl_curve_new (levels, 1000);
}

static double
shown_at (const OdlImage *image, const OdlWindow *window, int index)
{
  const OdlDisplay display
      = odl_display_make (odl_image_info (image), window, ODL_NO_DETAILS);
  g_autoptr (OdlImage) shown = odl_display_render (image, &display, 16, NULL);

  return ((const uint16_t *) odl_image_info (shown)->planes[0].data)[index] / 65535.0;
}

static void
test_display_by_a_curve (void)
{
  OdlCurve *curve = make_falling ();
  g_autoptr (OdlImage) image = make_image (curve, NULL);
  OdlWindow window = { .mode = ODL_WINDOW_FILE };

  // The image has a reference of its own.
  odl_curve_unref (curve);
  g_assert_true (odl_display_uses_curve (odl_image_info (image), &window));
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    const double value = 2 * 4 * i - 100;
    const double want = CLAMP ((1199 - value) / 999, 0, 1);
    window.invert = false;
    g_assert_cmpfloat_with_epsilon (shown_at (image, &window, i), want, 1.0 / 65535);
    window.invert = true;
    g_assert_cmpfloat_with_epsilon (shown_at (image, &window, i), 1 - want, 1.0 / 65535);
  }

  // A window in its place is linear, near it, and does not turn it over.
  double centre, width;
  window.invert = false;
  odl_display_window (odl_image_info (image), &window, &centre, &width);
  g_assert_cmpfloat_with_epsilon (centre, 699.5, 3);
  g_assert_cmpfloat_with_epsilon (width, 999, 5);
  window = (OdlWindow){ ODL_WINDOW_CUSTOM, centre, width };
  g_assert_false (odl_display_uses_curve (odl_image_info (image), &window));
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    const double value = 2 * 4 * i - 100;
    const double want = CLAMP ((1199 - value) / 999, 0, 1);
    g_assert_cmpfloat_with_epsilon (shown_at (image, &window, i), want, 0.01);
  }
}

// The file's own window and one that a person chose use the function that it names.
static void
test_display_by_a_function (void)
{
  for (int function = 0; function < ODL_N_VOI_FUNCTIONS; function++)
    for (int custom = 0; custom < 2; custom++) {
      g_autoptr (OdlImage) plain = make_image (NULL, NULL);
      OdlImageInfo info = *odl_image_info (plain);
      info.value_map.function = (OdlVoiFunction) function;
      info.value_map.has_window = true;
      info.value_map.window_centre = custom ? 5 : 700;
      info.value_map.window_width = custom ? 5 : 300;
      g_autoptr (OdlImage) image = odl_image_with_info (plain, &info);
      const OdlWindow window
          = { custom ? ODL_WINDOW_CUSTOM : ODL_WINDOW_FILE, .centre = 700, .width = 300 };

      for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double x = 2 * 4 * i - 100;
        const double want
            = function == ODL_VOI_SIGMOID        ? 1 / (1 + exp (-4 * (x - 700) / 300))
              : function == ODL_VOI_LINEAR_EXACT ? CLAMP ((x - 700) / 300 + 0.5, 0, 1)
                                                 : CLAMP ((x - 699.5) / 299 + 0.5, 0, 1);
        g_assert_cmpfloat_with_epsilon (shown_at (image, &window, i), want, 2.0 / 65535);
      }
    }
}

static OdlOverlay *
make_overlay (void)
{
  uint8_t bits[3 * HEIGHT] = { 0 };

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    if (i * 31 % 7 < 2)
      bits[i / WIDTH * 3 + i % WIDTH / 8] |= (uint8_t) (1 << (i % WIDTH % 8));
  return odl_overlay_new (WIDTH, HEIGHT, bits);
}

// In both displays, whichever way the picture lies; never on coefficients.
static void
test_overlays_are_drawn (void)
{
  OdlOverlay *overlay = make_overlay ();
  g_autoptr (OdlImage) image = make_image (NULL, overlay);
  OdlWindow window = { .mode = ODL_WINDOW_FULL };
  const OdlImageInfo *info = odl_image_info (image);

  odl_overlay_unref (overlay);
  g_assert_null (odl_display_make (info, &window, (OdlDetails){ 1, 9, 6 }).overlay);
  for (int hidden = 0; hidden < 2; hidden++) {
    window.hide_overlay = hidden;
    const OdlDisplay display = odl_display_make (info, &window, ODL_NO_DETAILS);
    g_autoptr (OdlImage) shown = odl_display_render (image, &display, 8, NULL);
    const uint8_t *bytes = odl_image_info (shown)->planes[0].data;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      const int under = (int) (i * 4 * 255.0 / 4095 + 0.5);
      const bool over = !hidden && i * 31 % 7 < 2;
      g_assert_cmpint (bytes[i], ==, over ? 255 : under);
    }
    for (int turns = 0; turns < 4; turns++)
      for (int smooth = 0; smooth < 2; smooth++) {
        OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
        uint8_t rgba[4 * WIDTH * HEIGHT];
        const bool lies = turns % 2 == 1;
        const int width = lies ? HEIGHT : WIDTH, height = lies ? WIDTH : HEIGHT;
        view.quarter_turns = turns;
        odl_view_layout (&view, width, height);
        const OdlDisplayScene scene
            = { .scaled = image, .display = display, .smooth = smooth };
        odl_display_render_view (&scene, &view, width, height, rgba);
        for (int y = 0; y < height; y++)
          for (int x = 0; x < width; x++) {
            const OdlPoint at = odl_view_to_image (&view, width, height,
                                                   (OdlPoint){ x + 0.5, y + 0.5 });
            g_assert_cmpint (rgba[4 * (y * width + x)], ==,
                             bytes[(int) at.y * WIDTH + (int) at.x]);
          }
      }
  }
  // Inverted it is black on what was black and is white.
  window = (OdlWindow){ .mode = ODL_WINDOW_FULL, .invert = true };
  const OdlDisplay inverted = odl_display_make (info, &window, ODL_NO_DETAILS);
  g_autoptr (OdlImage) shown = odl_display_render (image, &inverted, 8, NULL);
  const uint8_t *bytes = odl_image_info (shown)->planes[0].data;
  g_assert_cmpint (bytes[0], ==, 0);
  g_assert_cmpint (bytes[1], ==, 255);
  // Of another size it lies on no picture.
  const OdlDisplay display = { .overlay = info->overlay, .overlay_level = 1 };
  g_assert_nonnull (odl_display_overlay (&display, WIDTH, HEIGHT));
  g_assert_null (odl_display_overlay (&display, HEIGHT, WIDTH));
}

static void
test_images_refuse_invalid_curves (void)
{
  OdlOverlay *overlay = make_overlay ();
  OdlCurve *curve = make_falling ();
  void *samples;
  OdlImageInfo info = { .extent = { WIDTH + 1, HEIGHT }, .channels = 1 };

  info.overlay = overlay;
  g_assert_null (odl_image_alloc (&info, &samples, NULL));
  info.overlay = NULL;
  info.value_map.curve = curve;
  info.value_map.curve_first = 7;
  info.value_map.curve_last = 7;
  g_assert_null (odl_image_alloc (&info, &samples, NULL));
  info.value_map.curve_last = INFINITY;
  g_assert_null (odl_image_alloc (&info, &samples, NULL));
  odl_overlay_unref (overlay);
  odl_curve_unref (curve);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/curve/curves-are-checked", test_curves_are_checked);
  g_test_add_func ("/curve/entries-are-exact", test_entries_are_exact);
  g_test_add_func ("/curve/sigmoid-is-the-standard's", test_sigmoid);
  g_test_add_func ("/curve/a-window-approximates-a-curve", test_fit);
  g_test_add_func ("/curve/display-by-a-curve", test_display_by_a_curve);
  g_test_add_func ("/curve/display-by-a-function", test_display_by_a_function);
  g_test_add_func ("/curve/overlays-are-drawn", test_overlays_are_drawn);
  g_test_add_func ("/curve/images-refuse-invalid-curves",
                   test_images_refuse_invalid_curves);
  return g_test_run ();
}
