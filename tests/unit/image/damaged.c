// SPDX-License-Identifier: MIT
// Pictures in place of those that did not come: nobody may take them for the real ones.
#include "image/damaged.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 30

static OdlImage *
make_image (OdlSampleType type, int channels, double value)
{
  const OdlImageInfo info = { .extent = { WIDTH, HEIGHT, 1, 1 },
                              .channels = channels,
                              .type = type,
                              .stored_max = type == ODL_SAMPLE_F32 ? 1 : 0,
                              .pixel_aspect = 1.5 };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
    if (type == ODL_SAMPLE_U8)
      ((uint8_t *) samples)[i] = (uint8_t) (255 * value);
    else if (type == ODL_SAMPLE_U16)
      ((uint16_t *) samples)[i] = (uint16_t) (65535 * value);
    else
      ((float *) samples)[i] = (float) value;
  return image;
}

// Scaled.
static float
sample (const OdlImage *image, int x, int y, int channel)
{
  float row[WIDTH];

  odl_image_scaled_row (image, channel, y, 0, 0, row);
  return row[x];
}

// As bright as the dimmed one can be, and darker than half of what it was.
static void
a_lost_picture_is_dim_and_marked (void)
{
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_F32 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
      g_autoptr (OdlImage) last = make_image (types[t], channels, 0.8);
      g_autoptr (OdlImage) lost = odl_lost_image (last);
      const OdlImageInfo *info = odl_image_info (lost);
      g_assert_nonnull (info->mark);
      g_assert_cmpint (info->extent.x, ==, WIDTH);
      g_assert_cmpint (info->extent.y, ==, HEIGHT);
      g_assert_cmpint (info->channels, ==, MIN (channels, 3));
      g_assert_cmpfloat (info->pixel_aspect, ==, 1.5);
      for (int c = 0; c < info->channels; c++) {
        g_assert_cmpfloat (sample (lost, WIDTH - 1, HEIGHT - 1, c), <, 0.4);
        g_assert_cmpfloat (sample (lost, WIDTH - 1, HEIGHT - 1, c), >, 0.2);
      }
    }
}

static void
a_damaged_frame_shows_nothing_and_is_marked (void)
{
  g_autoptr (OdlImage) like = make_image (ODL_SAMPLE_U16, 3, 0.8);
  g_autoptr (OdlImage) damaged = odl_damaged_image (like);

  g_assert_nonnull (odl_image_info (damaged)->mark);
  g_assert_null (odl_image_info (like)->mark);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpfloat (sample (damaged, x, y, y % 3), ==, 0);
}

// White from corner to corner both ways, over what is below, and opaque.
static void
a_cross_goes_from_corner_to_corner (void)
{
  g_autoptr (OdlImage) like = make_image (ODL_SAMPLE_F32, 4, 0.25);
  g_autoptr (OdlImage) black = odl_damaged_cross (like);
  g_autoptr (OdlImage) over = odl_damaged_crossed (like);
  const int corners[][2]
      = { { 0, 0 }, { WIDTH - 1, 0 }, { 0, HEIGHT - 1 }, { WIDTH - 1, HEIGHT - 1 } };

  for (size_t i = 0; i < G_N_ELEMENTS (corners); i++) {
    // The last row is reached less than a pixel before the corner.
    const int x = CLAMP (corners[i][0], 1, WIDTH - 2), y = corners[i][1];
    const float here = sample (black, corners[i][0], y, 0);
    g_assert_cmpfloat (MAX (here, sample (black, x, y, 0)), ==, 1);
  }
  g_assert_cmpfloat (sample (black, WIDTH / 2, 1, 0), ==, 0);
  g_assert_cmpfloat (sample (black, WIDTH / 2, 1, 3), ==, 1);
  g_assert_cmpfloat (sample (over, WIDTH / 2, 1, 0), ==, 0.25);
  g_assert_cmpfloat (sample (over, 0, 0, 0), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/damaged/a-lost-picture-is-dim-and-marked",
                   a_lost_picture_is_dim_and_marked);
  g_test_add_func ("/damaged/a-damaged-frame-shows-nothing-and-is-marked",
                   a_damaged_frame_shows_nothing_and_is_marked);
  g_test_add_func ("/damaged/a-cross-goes-from-corner-to-corner",
                   a_cross_goes_from_corner_to_corner);
  return g_test_run ();
}
