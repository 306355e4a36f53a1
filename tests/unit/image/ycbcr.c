// SPDX-License-Identifier: MIT
// YCbCr images against the values that the standards' own tables give, in every layout.
#include "image/image.h"

#include <string.h>

#include "base/error.h"

typedef struct {
  const char *name;
  double kr, kb;
  bool full;
  int bits;
  int ycc[3]; // stored
  double rgb[3]; // expected
} Colour;

// 100 % colour bars: BT.601 from ITU-R BT.801, BT.709 from SMPTE RP 219, JFIF by its own
// formula.
static const Colour colours[] = {
  { "601 white", 0.299, 0.114, false, 8, { 235, 128, 128 }, { 1, 1, 1 } },
  { "601 black", 0.299, 0.114, false, 8, { 16, 128, 128 }, { 0, 0, 0 } },
  { "601 yellow", 0.299, 0.114, false, 8, { 210, 16, 146 }, { 1, 1, 0 } },
  { "601 cyan", 0.299, 0.114, false, 8, { 170, 166, 16 }, { 0, 1, 1 } },
  { "601 red", 0.299, 0.114, false, 8, { 81, 90, 240 }, { 1, 0, 0 } },
  { "601 blue", 0.299, 0.114, false, 8, { 41, 240, 110 }, { 0, 0, 1 } },
  { "709 yellow", 0.2126, 0.0722, false, 8, { 219, 16, 138 }, { 1, 1, 0 } },
  { "709 green", 0.2126, 0.0722, false, 8, { 173, 42, 26 }, { 0, 1, 0 } },
  { "709 red", 0.2126, 0.0722, false, 8, { 63, 102, 240 }, { 1, 0, 0 } },
  { "709 red, 10 bits", 0.2126, 0.0722, false, 10, { 250, 409, 960 }, { 1, 0, 0 } },
  { "2020 red, 10 bits", 0.2627, 0.0593, false, 10, { 294, 387, 960 }, { 1, 0, 0 } },
  { "JFIF red", 0.299, 0.114, true, 8, { 76, 85, 255 }, { 1, 0, 0 } },
  { "JFIF grey", 0.299, 0.114, true, 8, { 100, 128, 128 }, { 0.392, 0.392, 0.392 } },
};

static OdlImageInfo
info_of (const Colour *colour, const void *planes)
{
  const size_t size = colour->bits > 8 ? 2 : 1;
  OdlImageInfo info = {
    .extent = { 1, 1, 1, 1 },
    .channels = 3,
    .type = colour->bits > 8 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8,
    .ycbcr = { .used = true, .kr = colour->kr, .kb = colour->kb },
  };

  odl_ycbcr_set_range (&info.ycbcr, colour->bits, colour->full);
  for (int c = 0; c < 3; c++)
    info.planes[c] = (OdlPlane){ (const char *) planes + c * size, size, size, 0, 0 };
  return info;
}

static void
test_known_colours (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (colours); i++) {
    const Colour *colour = &colours[i];
    uint8_t narrow[3];
    uint16_t wide[3];
    for (int c = 0; c < 3; c++) {
      narrow[c] = (uint8_t) colour->ycc[c];
      wide[c] = (uint16_t) colour->ycc[c];
    }
    const void *planes = colour->bits > 8 ? (const void *) wide : narrow;
    const OdlImageInfo info = info_of (colour, planes);
    g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, NULL);
    g_assert_nonnull (image);
    g_assert_false (odl_image_is_interleaved (image));
    float red = 0, green = 0, blue = 0;
    float *const rgb[] = { &red, &green, &blue };
    odl_image_rgb_row (image, 0, rgb);
    for (int c = 0; c < 3; c++) {
      float value;
      odl_image_scaled_row (image, c, 0, 0, 0, &value);
      g_assert_cmpfloat (value, ==, *rgb[c]);
      g_test_message ("%s, channel %d: %g", colour->name, c, value);
      g_assert_cmpfloat_with_epsilon (value, colour->rgb[c], 0.01);
    }
  }
}

// A colour difference that grows evenly stays even when its missing samples are made.
static void
check_ramp (int width, int height, int shift_x, int shift_y, bool centred)
{
  const int cw = (width + (1 << shift_x) - 1) >> shift_x;
  const int ch = (height + (1 << shift_y) - 1) >> shift_y;
  g_autofree uint8_t *luma = g_malloc ((gsize) width * height);
  g_autofree uint8_t *chroma = g_malloc ((gsize) cw * ch * 2);
  g_autofree float *row = g_new (float, width);
  OdlImageInfo info = {
    .extent = { width, height, 1, 1 },
    .channels = 3,
    .ycbcr = { .used = true,
               .centred_x = centred,
               .shift_x = shift_x,
               .shift_y = shift_y,
               .kr = 0.299,
               .kb = 0.114 },
    .planes = { { luma, 1, (size_t) width, 0, 0 },
                { chroma, 2, (size_t) cw * 2, 0, 0 },
                { chroma + 1, 2, (size_t) cw * 2, 0, 0 } },
  };

  memset (luma, 100, (gsize) width * height);
  for (int y = 0; y < ch; y++)
    for (int x = 0; x < cw; x++) {
      chroma[2 * (y * cw + x)] = 128;
      chroma[2 * (y * cw + x) + 1] = (uint8_t) (100 + x + 3 * y);
    }
  odl_ycbcr_set_range (&info.ycbcr, 8, true);
  g_autoptr (OdlImage) image = odl_image_wrap (&info, NULL, NULL, NULL);
  for (int y = 0; y < height; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    double cy = CLAMP ((y + 0.5) / (1 << shift_y) - 0.5, 0, ch - 1);
    for (int x = 0; x < width; x++) {
      double cx
          = centred ? (x + 0.5) / (1 << shift_x) - 0.5 : (double) x / (1 << shift_x);
      cx = CLAMP (cx, 0, cw - 1);
      double red = (100 + cx + 3 * cy - 128) / 255;
      g_assert_cmpfloat_with_epsilon (row[x], 100 / 255.0 + 1.402 * red, 1e-5);
    }
  }
}

static void
test_interpolation (void)
{
  static const int widths[] = { 1, 2, 3, 5, 16, 17, 255, 256, 257, 600 };

  for (size_t i = 0; i < G_N_ELEMENTS (widths); i++)
    for (int shift_x = 0; shift_x <= 2; shift_x++)
      for (int shift_y = 0; shift_y <= 2; shift_y++)
        for (int centred = 0; centred < 2; centred++)
          if (widths[i] >> shift_x < 120)
            check_ramp (widths[i], 1 + (int) i, shift_x, shift_y, centred == 1);
}

static void
test_invalid_descriptions (void)
{
  const uint8_t bytes[16] = { 0 };
  const OdlImageInfo good = info_of (&colours[0], bytes);

  for (int i = 0; i < 7; i++) {
    g_autoptr (GError) error = NULL;
    OdlImageInfo bad = good;
    bad.ycbcr.luma_range = i == 0 ? 0 : good.ycbcr.luma_range;
    bad.ycbcr.kr = i == 1 ? 1 : i == 2 ? 0.0 / 1.0 : good.ycbcr.kr;
    bad.ycbcr.shift_x = i == 3 ? 3 : i == 4 ? -1 : 0;
    bad.type = i == 5 ? ODL_SAMPLE_S16 : good.type;
    bad.extent.t = i == 6 ? 2 : 1;
    g_assert_null (odl_image_wrap (&bad, NULL, NULL, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ycbcr/colours-are-those-of-the-standards", test_known_colours);
  g_test_add_func ("/ycbcr/missing-colour-is-interpolated", test_interpolation);
  g_test_add_func ("/ycbcr/invalid-descriptions-are-refused", test_invalid_descriptions);
  return g_test_run ();
}
