// SPDX-License-Identifier: MIT
#include <glib.h>
#include <string.h>

#include "image/display/display.h"
#include "image/numbers.h"
#include "source/auto_window.h"

static OdlImage *
make (OdlSampleType type, int channels, double slope, const int16_t stored[4])
{
  const OdlImageInfo info = { .extent = { 4, 1, 1, 1 },
                              .channels = channels,
                              .type = type,
                              .value_map = { .slope = slope, .intercept = -100 } };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  odl_image_set_numbers (image, &(OdlNumbers){ .padding = { true, -2000, -2000 } });
  if (stored != NULL)
    memcpy (samples, stored, 4 * sizeof *stored);
  return image;
}

// The smallest value is black, the largest white, whatever the slope.
static void
test_ends (void)
{
  static const int16_t stored[] = { -2000, 10, 500, 1010 };
  const OdlWindow file = { .mode = ODL_WINDOW_FILE };

  for (int s = 0; s < 2; s++) {
    g_autoptr (OdlImage) image = make (ODL_SAMPLE_S16, 1, s == 0 ? 2 : -2, stored);
    OdlAutoWindow window = odl_auto_window_find (image, NULL);
    image = odl_auto_window_apply (image, &window);
    const OdlDisplay display
        = odl_display_make (odl_image_info (image), &file, ODL_NO_DETAILS);
    float row[4];
    odl_image_scaled_row (image, 0, 0, 0, 0, row);
    const float low = row[1] * display.gain + display.offset;
    const float high = row[3] * display.gain + display.offset;
    g_assert_cmpfloat_with_epsilon (s == 0 ? low : high, 0, 1e-3);
    g_assert_cmpfloat_with_epsilon (s == 0 ? high : low, 1, 1e-3);
  }
}

static void
test_left_alone (void)
{
  static const int16_t constant[] = { 7, 7, 7, 7 };
  g_autoptr (OdlImage) flat = make (ODL_SAMPLE_S16, 1, 1, constant);
  g_autoptr (OdlImage) bytes = make (ODL_SAMPLE_U8, 1, 1, NULL);
  g_autoptr (OdlImage) colour = make (ODL_SAMPLE_U16, 3, 1, NULL);
  static const int16_t stored[] = { 1, 2, 3, 4 };
  g_autoptr (OdlImage) plain = make (ODL_SAMPLE_S16, 1, 1, stored);
  OdlImageInfo info = *odl_image_info (plain);

  info.value_map.has_window = true;
  info.value_map.window_width = 5;
  g_autoptr (OdlImage) windowed = odl_image_with_info (plain, &info);
  OdlImage *const images[] = { flat, bytes, colour, windowed };
  for (size_t i = 0; i < G_N_ELEMENTS (images); i++)
    g_assert_cmpfloat (odl_auto_window_find (images[i], NULL).width, ==, 0);
  g_assert_cmpfloat (odl_auto_window_find (plain, NULL).width, ==, 4);
}

// The fewest bits that hold the values; only where the range said nothing.
static void
test_ranges (void)
{
  static const struct {
    OdlSampleType type;
    int16_t stored[4];
    double stored_max; // declared; 0: all of the type
    double want_min, want_max;
  } cases[] = {
    { ODL_SAMPLE_S16, { -2000, 0, 500, 2278 }, 0, 0, 4095 }, // −2000 is padding
    { ODL_SAMPLE_S16, { -1024, 0, 500, 3071 }, 0, -4096, 4095 },
    { ODL_SAMPLE_S16, { -256, 0, 5, 255 }, 0, -256, 255 },
    { ODL_SAMPLE_S16, { -32768, 0, 5, 32767 }, 0, -32768, 32767 },
    { ODL_SAMPLE_U16, { 0, 1, 2, 256 }, 0, 0, 511 },
    { ODL_SAMPLE_U16, { 0, 1, 2, 3 }, 0, 0, 255 },
    { ODL_SAMPLE_U16, { 0, 1, 2, 256 }, 4095, 0, 4095 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) image = make (cases[i].type, 1, 1, cases[i].stored);
    OdlImageInfo info = *odl_image_info (image);
    if (cases[i].stored_max > 0)
      info.stored_max = cases[i].stored_max;
    g_autoptr (OdlImage) declared = odl_image_with_info (image, &info);
    OdlAutoWindow window = odl_auto_window_find (declared, NULL);
    declared = odl_auto_window_apply (declared, &window);
    g_assert_cmpfloat (odl_image_info (declared)->stored_min, ==, cases[i].want_min);
    g_assert_cmpfloat (odl_image_info (declared)->stored_max, ==, cases[i].want_max);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/auto-window/ends-are-black-and-white", test_ends);
  g_test_add_func ("/auto-window/other-pictures-are-left-alone", test_left_alone);
  g_test_add_func ("/auto-window/sixteen-bits-narrow-to-what-is-used", test_ranges);
  return g_test_run ();
}
