// SPDX-License-Identifier: MIT
// What a person sees through a view.
#include "image/display/display.h"

#include <math.h>
#include <string.h>

#include "../../helpers/images.h"

#define WIDTH 6
#define HEIGHT 4

static const OdlDisplay plain = { .gain = 1 };

static OdlImage *
make_picture (int channels)
{
  void *samples;
  OdlImage *image = odl_test_image (WIDTH, HEIGHT, channels, ODL_SAMPLE_F32, &samples);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    for (int c = 0; c < channels; c++)
      ((float *) samples)[i * channels + c] = (i * 10 + c * 3) / 255.0f;
  return image;
}

static uint8_t *
render (const OdlDisplayScene *scene, const OdlView *view, int width, int height)
{
  uint8_t *rgba = g_malloc (4 * width * height);

  memset (rgba, 77, 4 * width * height);
  odl_display_render_view (scene, view, width, height, rgba);
  for (int i = 0; i < width * height; i++)
    g_assert_cmpint (rgba[4 * i + 3], ==, 255);
  return rgba;
}

static void
test_actual_size_shows_samples (void)
{
  for (int channels = 1; channels <= 3; channels += 2)
    for (int smooth = 0; smooth < 2; smooth++) {
      g_autoptr (OdlImage) image = make_picture (channels);
      OdlDisplayScene scene = { .scaled = image, .display = plain, .smooth = smooth };
      OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
      odl_view_actual_size (&view);
      odl_view_layout (&view, 10, 8);
      g_autofree uint8_t *rgba = render (&scene, &view, 10, 8);

      for (int y = 0; y < 8; y++)
        for (int x = 0; x < 10; x++)
          for (int c = 0; c < 3; c++) {
            bool inside = x >= 2 && x < 8 && y >= 2 && y < 6;
            int sample = ((y - 2) * WIDTH + x - 2) * 10 + (channels == 3 ? c * 3 : 0);
            g_assert_cmpint (rgba[4 * (10 * y + x) + c], ==,
                             inside ? sample : ODL_CANVAS_LEVEL);
          }
    }
}

// Both halves of the wipe, at any zoom, in colour and grey.
static void
test_blue_first (void)
{
  for (int channels = 1; channels <= 3; channels += 2)
    for (double zoom = 0.3; zoom < 4; zoom += 1.1) {
      g_autoptr (OdlImage) image = make_picture (channels);
      OdlDisplayScene scene = { .scaled = image,
                                .display = plain,
                                .original = image,
                                .original_display = { .gain = 0.5f },
                                .wipe_x = 7,
                                .smooth = zoom > 1 };
      OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
      odl_view_zoom_at (&view, 21, 17, (OdlPoint){ 10, 8 }, zoom);
      odl_view_layout (&view, 21, 17);
      g_autofree uint8_t *red_first = render (&scene, &view, 21, 17);
      scene.blue_first = true;
      g_autofree uint8_t *blue_first = render (&scene, &view, 21, 17);

      for (int i = 0; i < 21 * 17; i++)
        for (int c = 0; c < 3; c++)
          g_assert_cmpint (blue_first[4 * i + c], ==, red_first[4 * i + 2 - c]);
    }
}

static void
test_turns_and_flips (void)
{
  g_autoptr (OdlImage) image = make_picture (1);
  OdlDisplayScene scene = { .scaled = image, .display = plain };

  for (int turns = 0; turns < 4; turns++)
    for (int flip = 0; flip < 4; flip++) {
      OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
      int width = turns & 1 ? HEIGHT : WIDTH, height = turns & 1 ? WIDTH : HEIGHT;

      view.quarter_turns = turns;
      view.flip_horizontal = (flip & 1) != 0;
      view.flip_vertical = (flip & 2) != 0;
      odl_view_layout (&view, width, height);
      g_autofree uint8_t *rgba = render (&scene, &view, width, height);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
          int seen_x = x, seen_y = y, columns = WIDTH, rows = HEIGHT;
          for (int t = 0; t < turns; t++) {
            int turned_x = rows - 1 - seen_y;
            seen_y = seen_x;
            seen_x = turned_x;
            int swapped = rows;
            rows = columns;
            columns = swapped;
          }
          if (view.flip_horizontal)
            seen_x = columns - 1 - seen_x;
          if (view.flip_vertical)
            seen_y = rows - 1 - seen_y;
          g_assert_cmpint (rgba[4 * (width * seen_y + seen_x)], ==, 10 * (y * WIDTH + x));
        }
    }
}

static void
test_magnified_nearest_and_smooth (void)
{
  g_autoptr (OdlImage) image = make_picture (1);
  OdlDisplayScene scene = { .scaled = image, .display = plain };
  OdlView view = odl_view_make (WIDTH, HEIGHT, 1);

  odl_view_layout (&view, 4 * WIDTH, 4 * HEIGHT);
  g_autofree uint8_t *nearest = render (&scene, &view, 4 * WIDTH, 4 * HEIGHT);
  scene.smooth = true;
  g_autofree uint8_t *smooth = render (&scene, &view, 4 * WIDTH, 4 * HEIGHT);

  for (int y = 0; y < 4 * HEIGHT; y++)
    for (int x = 0; x < 4 * WIDTH; x++) {
      // The picture is linear in x and y, so the bilinear mix is known.
      double u = CLAMP ((x + 0.5) / 4 - 0.5, 0, WIDTH - 1);
      double v = CLAMP ((y + 0.5) / 4 - 0.5, 0, HEIGHT - 1);
      g_assert_cmpint (nearest[4 * (4 * WIDTH * y + x)], ==,
                       10 * (y / 4 * WIDTH + x / 4));
      g_assert_cmpfloat (fabs (smooth[4 * (4 * WIDTH * y + x)] - 10 * (v * WIDTH + u)),
                         <=, 0.501);
    }
}

static void
test_minified_averages (void)
{
  g_autoptr (OdlImage) image = make_picture (1);
  OdlDisplayScene scene = { .scaled = image, .display = plain, .smooth = true };
  OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
  double matrix[6];

  odl_view_layout (&view, WIDTH / 2, HEIGHT / 2);
  odl_view_matrix (&view, WIDTH / 2, HEIGHT / 2, matrix);
  g_assert_cmpint (odl_display_taps (matrix), ==, 2);

  g_autofree uint8_t *rgba = render (&scene, &view, WIDTH / 2, HEIGHT / 2);
  for (int y = 0; y < HEIGHT / 2; y++)
    for (int x = 0; x < WIDTH / 2; x++) {
      int sum = 0;
      for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
          sum += 10 * ((2 * y + j) * WIDTH + 2 * x + i);
      g_assert_cmpint (rgba[4 * (WIDTH / 2 * y + x)], ==, (int) (sum / 4.0 + 0.5));
    }

  static const struct {
    double zoom;
    int taps;
  } rows[] = { { 64, 1 }, { 1, 1 }, { 0.99, 2 }, { 0.5, 2 }, { 0.3, 4 }, { 0.01, 8 } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    view.zoom = rows[i].zoom;
    odl_view_matrix (&view, 100, 100, matrix);
    g_assert_cmpint (odl_display_taps (matrix), ==, rows[i].taps);
  }
}

static void
test_wipe_divides (void)
{
  g_autoptr (OdlImage) image = make_picture (1);
  g_autoptr (OdlImage) original = make_picture (3);
  OdlDisplayScene scene
      = { .scaled = image,
          .display = plain,
          .original = original,
          .original_display = { .gain = 1, .invert = true, .luma = { 0, 1, 0 } },
          .wipe_x = 2 };
  OdlView view = odl_view_make (WIDTH, HEIGHT, 1);

  odl_view_layout (&view, WIDTH, HEIGHT);
  g_autofree uint8_t *rgba = render (&scene, &view, WIDTH, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    for (int c = 0; c < 3; c++)
      g_assert_cmpint (rgba[4 * i + c], ==,
                       i % WIDTH < 2 ? 255 - (10 * i + 3 * (2 - c)) : 10 * i);

  // Once more in the last column, as far as the canvas goes.
  scene.again[0] = WIDTH - 1;
  scene.again[1] = WIDTH + 3;
  g_autofree uint8_t *again = render (&scene, &view, WIDTH, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpint (again[4 * i], ==,
                     i % WIDTH < 2 || i % WIDTH == WIDTH - 1 ? 255 - (10 * i + 6)
                                                             : 10 * i);

  // A divider right of the canvas shows the original alone.
  scene.wipe_x = 1000;
  g_autofree uint8_t *all = render (&scene, &view, WIDTH, HEIGHT);
  g_assert_cmpint (all[4 * (WIDTH - 1)], ==, 255 - 10 * (WIDTH - 1) - 6);
}

static void
test_alpha_blends (void)
{
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (3, 1, 4, ODL_SAMPLE_F32, &samples);
  static const float pixels[12] = { 1, 0, 0.5f, 0, 1, 0, 0.5f, 1, 1, 0, 0.5f, 0.5f };
  OdlDisplayScene scene = { .scaled = image, .display = plain };
  OdlView view = odl_view_make (3, 1, 1);

  memcpy (samples, pixels, sizeof pixels);
  odl_view_layout (&view, 3, 1);
  g_autofree uint8_t *rgba = render (&scene, &view, 3, 1);

  g_assert_cmpint (rgba[0], ==, ODL_CANVAS_LEVEL);
  g_assert_cmpint (rgba[1], ==, ODL_CANVAS_LEVEL);
  g_assert_cmpint (rgba[4], ==, 255);
  g_assert_cmpint (rgba[5], ==, 0);
  g_assert_cmpint (rgba[6], ==, 128);
  g_assert_cmpint (rgba[8], ==, (int) ((255 + ODL_CANVAS_LEVEL) / 2.0 + 0.5));
  g_assert_cmpint (rgba[9], ==, ODL_CANVAS_LEVEL / 2);
}

static void
test_bands_lie_around_the_approximation (void)
{
  void *samples;
  g_autoptr (OdlImage) image
      = odl_test_image (WIDTH, HEIGHT, 1, ODL_SAMPLE_F32, &samples);
  OdlDisplayScene scene
      = { .scaled = image,
          .display = { .gain = 1, .details = { 1, 3, 2 }, .detail_gains = { 4, 4, 4 } } };
  OdlView view = odl_view_make (WIDTH, HEIGHT, 1);

  odl_view_layout (&view, WIDTH, HEIGHT);
  g_autofree uint8_t *rgba = render (&scene, &view, WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpint (rgba[4 * (WIDTH * y + x)], ==, x < 3 && y < 2 ? 0 : 128);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display-view/actual-size-shows-the-samples",
                   test_actual_size_shows_samples);
  g_test_add_func ("/display-view/blue-first-is-the-same-picture", test_blue_first);
  g_test_add_func ("/display-view/turns-and-flips-move-every-sample",
                   test_turns_and_flips);
  g_test_add_func ("/display-view/magnified-is-nearest-or-bilinear",
                   test_magnified_nearest_and_smooth);
  g_test_add_func ("/display-view/minified-averages", test_minified_averages);
  g_test_add_func ("/display-view/wipe-divides-original-and-processed",
                   test_wipe_divides);
  g_test_add_func ("/display-view/alpha-blends-over-the-canvas", test_alpha_blends);
  g_test_add_func ("/display-view/bands-lie-around-the-approximation",
                   test_bands_lie_around_the_approximation);
  return g_test_run ();
}
