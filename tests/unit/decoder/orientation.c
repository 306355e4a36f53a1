// SPDX-License-Identifier: MIT
#include <glib.h>
#include <string.h>

#include "decoder/exif.h"

// A picture of 3 × 2: every orientation is what TIFF 6.0 draws for it.
static void
test_eight_orientations (void)
{
  static const char *const shown[8] = { "abcdef", "cbafed", "fedcba", "defabc",
                                        "adbecf", "daebfc", "fcebda", "cfbead" };

  for (int i = 0; i < 8; i++) {
    OdlOrientation orientation = odl_orientation (i + 1, 3, 2);
    char picture[7] = "";

    g_assert_cmpuint (orientation.width, ==, i < 4 ? 3 : 2);
    g_assert_cmpuint (orientation.height, ==, i < 4 ? 2 : 3);
    odl_orientation_put_row (&orientation, "abc", 0, 3, 1, picture);
    odl_orientation_put_row (&orientation, "def", 1, 3, 1, picture);
    g_assert_cmpstr (picture, ==, shown[i]);
  }
}

static void
test_wide_pixels (void)
{
  OdlOrientation orientation = odl_orientation (2, 2, 1);
  char picture[7] = "";

  odl_orientation_put_row (&orientation, "abcdef", 0, 2, 3, picture);
  g_assert_cmpstr (picture, ==, "defabc");
}

static void
test_invalid_exif (void)
{
  uint8_t exif[] = "Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0";

  g_assert_cmpint (odl_exif_orientation (exif, sizeof exif), ==, 6);
  for (size_t size = 0; size < 28; size++)
    g_assert_cmpint (odl_exif_orientation (exif, size), ==, 0);
  memset (exif + 10, 0xff, 4);
  g_assert_cmpint (odl_exif_orientation (exif, sizeof exif), ==, 0);
  memset (exif + 10, 0, 3);
  memset (exif + 14, 0xff, 2);
  memset (exif + 16, 0, 2);
  g_assert_cmpint (odl_exif_orientation (exif, sizeof exif), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/orientation/there-are-eight", test_eight_orientations);
  g_test_add_func ("/orientation/pixels-stay-whole", test_wide_pixels);
  g_test_add_func ("/orientation/invalid-exif-is-ignored", test_invalid_exif);
  return g_test_run ();
}
