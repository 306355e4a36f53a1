// SPDX-License-Identifier: MIT
// The window: values and 8- and 16-bit pictures.
#include "image/display/display.h"

#include <math.h>

#include "../../helpers/images.h"

// What a value must look like on a scale of 0 … 255, worked out by hand from the
// pseudo-code of PS3.3 C.11.2.1.2.1 (linear) and C.11.2.1.3.2 (linear exact).
typedef struct {
  const char *what;
  OdlSampleType type;
  int channels;
  double slope, intercept;
  double centre, width;
  double stored;
  double shown;
} WindowRow;

static const WindowRow window_rows[] = {
  // The standard's own note: c = 2048, w = 4096 is the identity of 12 bits.
  { "standard 4096, low", ODL_SAMPLE_U16, 1, 1, 0, 2048, 4096, 0, 0 },
  { "standard 4096, high", ODL_SAMPLE_U16, 1, 1, 0, 2048, 4096, 4095, 255 },
  { "standard 4096, inside", ODL_SAMPLE_U16, 1, 1, 0, 2048, 4096, 1000,
    1000 / 4095.0 * 255 },
  // c = 0, w = 100: 0 below −50, 255 above 49, ((x + 0.5)/99 + 0.5) · 255 between.
  { "standard 100, below", ODL_SAMPLE_S16, 1, 1, 0, 0, 100, -51, 0 },
  { "standard 100, at black", ODL_SAMPLE_S16, 1, 1, 0, 0, 100, -50, 0 },
  { "standard 100, inside", ODL_SAMPLE_S16, 1, 1, 0, 0, 100, 0, 128.787878787879 },
  { "standard 100, at white", ODL_SAMPLE_S16, 1, 1, 0, 0, 100, 49, 255 },
  { "standard 100, above", ODL_SAMPLE_S16, 1, 1, 0, 0, 100, 50, 255 },
  // c = 10, w = 2: 0 at 9, 255 at 10; c = 0, w = 1: 0 up to −0.5, 255 above.
  { "width 2, black", ODL_SAMPLE_S16, 1, 1, 0, 10, 2, 9, 0 },
  { "width 2, white", ODL_SAMPLE_S16, 1, 1, 0, 10, 2, 10, 255 },
  { "width 1, black", ODL_SAMPLE_S16, 1, 1, 0, 0, 1, -1, 0 },
  { "width 1, white", ODL_SAMPLE_S16, 1, 1, 0, 0, 1, 0, 255 },
  { "width 1 between samples, black", ODL_SAMPLE_U16, 1, 1, 0, 60000.5, 1, 60000, 0 },
  { "width 1 between samples, white", ODL_SAMPLE_U16, 1, 1, 0, 60000.5, 1, 60001, 255 },
  { "width 1 of tenths, black", ODL_SAMPLE_U16, 1, 0.1, 0, 100.5, 1, 1000, 0 },
  { "width 1 of tenths, white", ODL_SAMPLE_U16, 1, 0.1, 0, 100.5, 1, 1001, 255 },
  // CT: value = stored − 1024, window 40/400: (x − 39.5)/399 + 0.5.
  { "CT, black", ODL_SAMPLE_U16, 1, 1, -1024, 40, 400, 864, 0 },
  { "CT, inside", ODL_SAMPLE_U16, 1, 1, -1024, 40, 400, 1064, 127.819548872180 },
  { "CT, white", ODL_SAMPLE_U16, 1, 1, -1024, 40, 400, 1263, 255 },
  // A falling value map: stored 10 is value −10.
  { "negative slope", ODL_SAMPLE_S16, 1, -1, 0, 0, 100, 10, 103.030303030303 },
  { "negative slope, black", ODL_SAMPLE_S16, 1, -2, 0, 0, 100, 25, 0 },
  { "negative slope, threshold white", ODL_SAMPLE_S16, 1, -1, 0, 0, 1, 0, 255 },
  { "negative slope, threshold black", ODL_SAMPLE_S16, 1, -1, 0, 0, 1, 1, 0 },
  // Exact: c = 0, w = 100: 0 up to −50, 255 above 50.
  { "exact for float, black", ODL_SAMPLE_F32, 1, 1, 0, 0.5, 1, 0, 0 },
  { "exact for float, inside", ODL_SAMPLE_F32, 1, 1, 0, 0.5, 1, 0.25, 63.75 },
  { "exact for float, white", ODL_SAMPLE_F32, 1, 1, 0, 0.5, 1, 1, 255 },
  { "exact below 1", ODL_SAMPLE_U8, 1, 0.01, 0, 1, 0.5, 100, 127.5 },
  { "exact below 1, black", ODL_SAMPLE_U8, 1, 0.01, 0, 1, 0.5, 75, 0 },
  { "exact for colour", ODL_SAMPLE_U8, 3, 1, 0, 100, 100, 75, 63.75 },
};

static OdlImageInfo
complete_info (const OdlImageInfo *wanted)
{
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) image = odl_image_alloc (wanted, &samples, &error);

  g_assert_no_error (error);
  return *odl_image_info (image);
}

static float
show (const OdlDisplay *display, double scaled)
{
  float shown = (float) scaled * display->gain + display->offset;

  shown = CLAMP (shown, 0.0f, 1.0f);
  return display->invert ? 1 - shown : shown;
}

static void
test_window_table (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (window_rows); i++) {
    const WindowRow *row = &window_rows[i];
    OdlImageInfo info = { .extent = { 1, 1 },
                          .channels = row->channels,
                          .type = row->type,
                          .value_map = { .slope = row->slope,
                                         .intercept = row->intercept,
                                         .has_window = true,
                                         .window_centre = row->centre,
                                         .window_width = row->width } };
    info = complete_info (&info);

    OdlWindow modes[]
        = { { .mode = ODL_WINDOW_FILE },
            { .mode = ODL_WINDOW_CUSTOM, .centre = row->centre, .width = row->width } };
    for (size_t m = 0; m < G_N_ELEMENTS (modes); m++) {
      OdlDisplay display = odl_display_make (&info, &modes[m], ODL_NO_DETAILS);
      float scaled = (float) ((row->stored - info.stored_min)
                              / (info.stored_max - info.stored_min));
      double shown = 255 * show (&display, scaled);

      g_test_message ("%s: %g", row->what, shown);
      // 16 bits in single precision under a window of 2.
      g_assert_cmpfloat_with_epsilon (shown, row->shown, 0.5);
      g_assert_true (isfinite (display.gain) && isfinite (display.offset));

      modes[m].invert = true;
      display = odl_display_make (&info, &modes[m], ODL_NO_DETAILS);
      g_assert_cmpfloat_with_epsilon (255 * show (&display, scaled), 255 - shown, 1e-4);
      modes[m].invert = false;
      info.value_map.inverse = true;
      display = odl_display_make (&info, &modes[m], ODL_NO_DETAILS);
      g_assert_cmpfloat_with_epsilon (255 * show (&display, scaled), 255 - shown, 1e-4);
      info.value_map.inverse = false;
    }
  }
}

static void
test_full_is_identity (void)
{
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16 };
  static const OdlWindow windows[] = {
    { .mode = ODL_WINDOW_FULL },
    { .mode = ODL_WINDOW_FILE },
    { .mode = ODL_WINDOW_CUSTOM, .centre = 3, .width = 0 },
    { .mode = ODL_WINDOW_CUSTOM, .centre = 3, .width = -5 },
    { .mode = ODL_WINDOW_CUSTOM, .centre = 3, .width = NAN },
    { .mode = ODL_WINDOW_CUSTOM, .centre = INFINITY, .width = 3 },
  };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (size_t w = 0; w < G_N_ELEMENTS (windows); w++) {
      OdlImageInfo info = { .extent = { 1, 1 }, .channels = 1, .type = types[t] };
      info = complete_info (&info);
      OdlDisplay display = odl_display_make (&info, &windows[w], ODL_NO_DETAILS);

      g_assert_cmpfloat (display.gain, ==, 1.0f);
      g_assert_cmpfloat (display.offset, ==, 0.0f);
      g_assert_false (display.invert);
      info.value_map.slope = -2;
      display = odl_display_make (&info, &windows[w], ODL_NO_DETAILS);
      g_assert_cmpfloat (display.gain, ==, -1.0f);
      g_assert_cmpfloat (display.offset, ==, 1.0f);
    }
}

static void
test_window_values_show_the_same (void)
{
  static const OdlSampleType types[]
      = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16, ODL_SAMPLE_F32 };
  static const double slopes[] = { 1, 0.004, -3 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (size_t s = 0; s < G_N_ELEMENTS (slopes); s++)
      for (int channels = 1; channels <= 3; channels += 2) {
        OdlImageInfo info = { .extent = { 1, 1 },
                              .channels = channels,
                              .type = types[t],
                              .value_map = { .slope = slopes[s], .intercept = -7 } };
        info = complete_info (&info);
        OdlWindow full = { .mode = ODL_WINDOW_FULL };
        OdlWindow custom = { .mode = ODL_WINDOW_CUSTOM };

        odl_display_window (&info, &full, &custom.centre, &custom.width);
        OdlDisplay a = odl_display_make (&info, &full, ODL_NO_DETAILS);
        OdlDisplay b = odl_display_make (&info, &custom, ODL_NO_DETAILS);
        g_assert_cmpfloat_with_epsilon (a.gain, b.gain, 1e-5);
        g_assert_cmpfloat_with_epsilon (a.offset, b.offset, 1e-5);
      }

  // What every viewer calls the full window of 8 bits.
  OdlImageInfo info = { .extent = { 1, 1 }, .channels = 1, .type = ODL_SAMPLE_U8 };
  OdlWindow full = { .mode = ODL_WINDOW_FULL };
  double centre, width;

  info = complete_info (&info);
  odl_display_window (&info, &full, &centre, &width);
  g_assert_cmpfloat (centre, ==, 128);
  g_assert_cmpfloat (width, ==, 256);
}

// What a picture of that value becomes.
static float
shown (const OdlImageInfo *info, const OdlWindow *window, double value)
{
  const OdlDisplay display = odl_display_make (info, window, ODL_NO_DETAILS);
  const OdlValueMap *map = &info->value_map;
  const double stored = (value - map->intercept) / map->slope;

  return display.gain
             * (float) ((stored - info->stored_min)
                        / (info->stored_max - info->stored_min))
         + display.offset;
}

// PS3.3 C.11.2.1.2.1 and C.11.2.1.3.2.
static void
test_ends_are_black_and_white (void)
{
  static const struct {
    OdlVoiFunction function;
    OdlSampleType type;
    double centre, width, black, white; // a width of 0 is the full range
  } cases[] = { { ODL_VOI_LINEAR, ODL_SAMPLE_U16, 2048, 4096, 0, 4095 },
                { ODL_VOI_LINEAR, ODL_SAMPLE_S16, 40, 400, -160, 239 },
                { ODL_VOI_LINEAR_EXACT, ODL_SAMPLE_S16, 40, 400, -160, 240 },
                { ODL_VOI_LINEAR, ODL_SAMPLE_F32, 40, 400, -160, 240 },
                { ODL_VOI_LINEAR, ODL_SAMPLE_U8, 0, 0, 0, 255 },
                { ODL_VOI_SIGMOID, ODL_SAMPLE_U8, 0, 0, 0, 255 } };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlImageInfo info = { .extent = { 1, 1 },
                          .channels = 1,
                          .type = cases[i].type,
                          .value_map = { .slope = 1, .function = cases[i].function } };
    const OdlWindow window
        = { .mode = cases[i].width > 0 ? ODL_WINDOW_CUSTOM : ODL_WINDOW_FULL,
            .centre = cases[i].centre,
            .width = cases[i].width };
    double black, white;

    info = complete_info (&info);
    odl_display_ends (&info, &window, &black, &white);
    g_assert_cmpfloat (black, ==, cases[i].black);
    g_assert_cmpfloat (white, ==, cases[i].white);
    g_assert_cmpfloat_with_epsilon (shown (&info, &window, black), 0, 1e-3);
    g_assert_cmpfloat_with_epsilon (shown (&info, &window, white), 1, 1e-3);
  }
}

static float
gain_of (const OdlImageInfo *info, const OdlWindow *window, OdlDetails details, int level)
{
  return odl_display_make (info, window, details).detail_gains[level - 1];
}

static void
test_detail_gain_follows_the_window (void)
{
  static const int usual[] = { 16, 8, 4, 4 }, measured[] = { 2, 128, 1, 4 };
  OdlImageInfo info = { .extent = { 1, 1 }, .channels = 1, .type = ODL_SAMPLE_U8 };
  const OdlDetails bands = { 4, 1, 1 }, residual = { .levels = 1 };
  const OdlDetails second = { .levels = 1, .alone = 2 };
  const OdlDetailReach reach = { 3, { 0.2f, 0.003f, 0 } };
  OdlWindow window = { .mode = ODL_WINDOW_FULL };

  info = complete_info (&info);
  for (int level = 1; level <= 4; level++) {
    window.reach = (OdlDetailReach){ 0 };
    g_assert_cmpfloat (gain_of (&info, &window, bands, level), ==,
                       (float) usual[level - 1]);
    window.reach = reach;
    g_assert_cmpfloat (gain_of (&info, &window, bands, level), ==,
                       (float) measured[level - 1]);
  }
  g_assert_cmpfloat (gain_of (&info, &window, residual, 1), ==, ODL_RESIDUAL_GAIN);
  g_assert_cmpfloat (gain_of (&info, &window, second, 1), ==, 64);

  // Twice as steep: level 2 still stays within black and white, with half of its gain.
  window.mode = ODL_WINDOW_CUSTOM;
  window.centre = 100;
  window.width = 127.5;
  for (int sign = 1; sign >= -1; sign -= 2) {
    info.value_map.slope = sign;
    const OdlDisplay steep = odl_display_make (&info, &window, bands);
    g_assert_cmpint (steep.told[0], ==, 1);
    g_assert_cmpint (steep.told[1], ==, 64);
    g_assert_cmpfloat_with_epsilon (steep.detail_gains[1], 64 * fabsf (steep.gain), 1e-3);
  }
  window.width = 1;
  // What the legend says holds for a threshold, too.
  const OdlDisplay threshold = odl_display_make (&info, &window, bands);
  g_assert_cmpfloat (threshold.detail_gains[3], ==, fabsf (threshold.gain) * 4);
  g_assert_cmpint (threshold.told[1], ==, 1);
}

// Scales an integer picture, shows it in full and compares bit by bit.
static void
check_pass_through (OdlSampleType type, int channels, int bits)
{
  g_autoptr (GError) error = NULL;
  OdlImageInfo info = { .extent = { 256, 256 }, .channels = channels, .type = type };
  void *samples, *scaled_samples;
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, &error);
  info.type = ODL_SAMPLE_F32;
  g_autoptr (OdlImage) scaled = odl_image_alloc (&info, &scaled_samples, &error);
  size_t n = (size_t) 65536 * channels;
  float row[256];

  for (size_t i = 0; i < n; i++)
    if (bits == 8)
      ((uint8_t *) samples)[i] = i & 255;
    else
      ((uint16_t *) samples)[i] = (uint16_t) i;
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < 256; y++) {
      odl_image_scaled_row (image, c, y, 0, 0, row);
      for (int x = 0; x < 256; x++)
        ((float *) scaled_samples)[((size_t) y * 256 + x) * channels + c] = row[x];
    }

  OdlWindow full = { .mode = ODL_WINDOW_FULL };
  OdlDisplay display = odl_display_make (odl_image_info (image), &full, ODL_NO_DETAILS);
  g_autoptr (OdlImage) shown = odl_display_render (scaled, &display, bits, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (odl_image_info (shown)->planes[0].data, n * bits / 8, samples,
                   n * bits / 8);
}

static void
test_pass_through_is_exact (void)
{
  for (int channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
    check_pass_through (ODL_SAMPLE_U8, channels, 8);
    check_pass_through (ODL_SAMPLE_U16, channels, 16);
  }
}

static void
test_layout_is_shown_by_its_parts (void)
{
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) scaled = odl_test_image (5, 4, 1, ODL_SAMPLE_F32, &samples);
  OdlDisplay display = { .gain = 1,
                         .offset = 0,
                         .invert = true,
                         .details = { 1, 3, 2 },
                         .detail_gains = { 4, 2, 1 } };

  for (int i = 0; i < 20; i++)
    ((float *) samples)[i] = 0.1f;

  g_autoptr (OdlImage) shown = odl_display_render (scaled, &display, 8, &error);
  const uint8_t *bytes = odl_image_info (shown)->planes[0].data;

  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 5; x++) {
      // Inverted approximation: 1 − 0.1; bands, never inverted: 0.5 + 4 · 0.1.
      g_assert_cmpint (bytes[5 * y + x], >=, 229);
      g_assert_cmpint (bytes[5 * y + x], <=, 230);
    }

  display.invert = false;
  g_autoptr (OdlImage) plain = odl_display_render (scaled, &display, 8, &error);
  bytes = odl_image_info (plain)->planes[0].data;
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 5; x++)
      g_assert_cmpint (bytes[5 * y + x] > 128, ==, x >= 3 || y >= 2);
}

// Rows made a few at a time, from whole samples and from scaled ones, are those of the
// picture that is made at once from scaled ones.
static void
test_rows_are_those_of_the_picture (void)
{
  enum { WIDTH = 37, HEIGHT = 23, CHANNELS = 3, STEP = 5 };
  const OdlWindow window = { .mode = ODL_WINDOW_CUSTOM, .centre = 90, .width = 70 };
  g_autoptr (GError) error = NULL;
  void *samples;
  g_autoptr (OdlImage) image
      = odl_test_image (WIDTH, HEIGHT, CHANNELS, ODL_SAMPLE_U8, &samples);

  for (int i = 0; i < WIDTH * HEIGHT * CHANNELS; i++)
    ((uint8_t *) samples)[i] = (uint8_t) (i * 7);
  g_autoptr (OdlImage) scaled = odl_image_to_scaled (image, &error);
  const OdlDisplay display
      = odl_display_make (odl_image_info (image), &window, ODL_NO_DETAILS);
  for (int bits = 8; bits <= 16; bits += 8) {
    const size_t row = (size_t) WIDTH * CHANNELS * bits / 8;
    g_autoptr (OdlImage) shown = odl_display_render (scaled, &display, bits, &error);
    const char *right = odl_image_info (shown)->planes[0].data;
    g_autofree char *rows = g_malloc (STEP * row);
    for (int y = 0; y < HEIGHT; y += STEP) {
      const int count = MIN (STEP, HEIGHT - y);
      odl_display_render_rows (image, &display, bits, y, count, rows);
      g_assert_cmpmem (rows, count * row, right + y * row, count * row);
      odl_display_render_rows (scaled, &display, bits, y, count, rows);
      g_assert_cmpmem (rows, count * row, right + y * row, count * row);
    }
  }
}

// Red stays red, and what was dark becomes light.
static void
test_invert_keeps_colours (void)
{
  static const struct {
    const char *name;
    int from[4], to[4];
  } colours[] = {
    { "black", { 0, 0, 0, 255 }, { 255, 255, 255, 255 } },
    { "white", { 255, 255, 255, 9 }, { 0, 0, 0, 9 } },
    { "grey", { 100, 100, 100, 255 }, { 155, 155, 155, 255 } },
    // Luma 0.299 becomes 0.701: 0.402 is added.
    { "red", { 255, 0, 0, 255 }, { 255, 103, 103, 255 } },
    { "blue", { 0, 0, 255, 255 }, { 197, 197, 255, 255 } },
    // Luma 60.33 becomes 194.67.
    { "dark red", { 120, 30, 60, 255 }, { 254, 164, 194, 255 } },
    { "light blue", { 150, 190, 250, 255 }, { 35, 75, 135, 255 } },
  };
  const OdlWindow inverted = { .mode = ODL_WINDOW_FULL, .invert = true };

  for (int channels = 3; channels <= 4; channels++) {
    g_autoptr (GError) error = NULL;
    const int n = G_N_ELEMENTS (colours);
    void *samples;
    g_autoptr (OdlImage) image = odl_test_image (n, 1, channels, ODL_SAMPLE_U8, &samples);

    for (int i = 0; i < n; i++)
      for (int c = 0; c < channels; c++)
        ((uint8_t *) samples)[i * channels + c] = (uint8_t) colours[i].from[c];
    const OdlDisplay display
        = odl_display_make (odl_image_info (image), &inverted, ODL_NO_DETAILS);
    g_autoptr (OdlImage) shown = odl_display_render (image, &display, 8, &error);
    const uint8_t *bytes = odl_image_info (shown)->planes[0].data;
    for (int i = 0; i < n; i++)
      for (int c = 0; c < channels; c++) {
        g_test_message ("%s, channel %d of %d", colours[i].name, c, channels);
        g_assert_cmpint (ABS (bytes[i * channels + c] - colours[i].to[c]), <=, 1);
      }
  }
}

// Video has weights of its own.
static void
test_invert_weighs_as_the_video (void)
{
  const OdlWindow inverted = { .mode = ODL_WINDOW_FULL, .invert = true };
  OdlImageInfo info = { .channels = 3, .stored_max = 1 };

  info.value_map.slope = 1;
  OdlDisplay display = odl_display_make (&info, &inverted, ODL_NO_DETAILS);
  g_assert_cmpfloat_with_epsilon (display.luma[0], 0.299, 1e-6);
  g_assert_cmpfloat_with_epsilon (display.luma[1], 0.587, 1e-6);
  g_assert_cmpfloat_with_epsilon (display.luma[2], 0.114, 1e-6);
  info.ycbcr = (OdlYcbcr){ .used = true, .kr = 0.2126, .kb = 0.0722 };
  display = odl_display_make (&info, &inverted, ODL_NO_DETAILS);
  g_assert_cmpfloat_with_epsilon (display.luma[0], 0.2126, 1e-6);
  g_assert_cmpfloat_with_epsilon (display.luma[1], 0.7152, 1e-6);
  g_assert_cmpfloat_with_epsilon (display.luma[2], 0.0722, 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display/window-is-the-standard's", test_window_table);
  g_test_add_func ("/display/full-window-is-the-identity", test_full_is_identity);
  g_test_add_func ("/display/window-in-values-shows-the-same-picture",
                   test_window_values_show_the_same);
  g_test_add_func ("/display/ends-are-black-and-white", test_ends_are_black_and_white);
  g_test_add_func ("/display/detail-gain-follows-the-window",
                   test_detail_gain_follows_the_window);
  g_test_add_func ("/display/pass-through-is-exact", test_pass_through_is_exact);
  g_test_add_func ("/display/layout-is-shown-by-its-parts",
                   test_layout_is_shown_by_its_parts);
  g_test_add_func ("/display/rows-are-those-of-the-picture",
                   test_rows_are_those_of_the_picture);
  g_test_add_func ("/display/invert-keeps-colours", test_invert_keeps_colours);
  g_test_add_func ("/display/invert-weighs-as-the-video",
                   test_invert_weighs_as_the_video);
  return g_test_run ();
}
