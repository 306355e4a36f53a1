// SPDX-License-Identifier: MIT
// The vectorised drawing of the CPU canvas against the formulas of display.h, pixel by
// pixel.
#include <math.h>
#include <string.h>

#include "image/display/arithmetic.h"
#include "image/display/line.h"

#define WIDTH 613
#define HEIGHT 37

typedef enum { WOVEN, PLANES, CHROMA } Layout;

typedef struct {
  const char *name;
  Layout layout;
  OdlSampleType type;
  int channels;
  bool odd; // with some that are no numbers
} Kind;

static const Kind kinds[] = {
  { "grey U8", WOVEN, ODL_SAMPLE_U8, 1 },
  { "grey U16", WOVEN, ODL_SAMPLE_U16, 1 },
  { "grey S16", WOVEN, ODL_SAMPLE_S16, 1 },
  { "grey F32", WOVEN, ODL_SAMPLE_F32, 1 },
  { "RGB U8", WOVEN, ODL_SAMPLE_U8, 3 },
  { "RGB U8 in planes", PLANES, ODL_SAMPLE_U8, 3 },
  { "RGB U16", WOVEN, ODL_SAMPLE_U16, 3 },
  { "RGB S16", WOVEN, ODL_SAMPLE_S16, 3 },
  { "RGB F32", WOVEN, ODL_SAMPLE_F32, 3 },
  { "RGB F32 in planes", PLANES, ODL_SAMPLE_F32, 3 },
  { "RGBA U8", WOVEN, ODL_SAMPLE_U8, 4 },
  { "RGBA U16", WOVEN, ODL_SAMPLE_U16, 4 },
  { "RGBA F32", WOVEN, ODL_SAMPLE_F32, 4 },
  { "RGBA F32 in planes", PLANES, ODL_SAMPLE_F32, 4 },
  { "RGB F32, odd numbers", WOVEN, ODL_SAMPLE_F32, 3, true },
  { "RGBA F32, odd numbers", PLANES, ODL_SAMPLE_F32, 4, true },
  { "4:2:0", CHROMA, ODL_SAMPLE_U8, 3 },
};

typedef struct {
  const char *name;
  double zoom, aspect;
  int turns;
  bool mirrored;
} Look;

static const Look looks[] = {
  { "1:1", 1, 1, 0, false },         { "mirrored", 1, 1, 0, true },
  { "lying", 1, 1, 1, false },       { "half", 0.5, 1, 0, false },
  { "fit", 0.35, 1, 0, true },       { "fit, lying", 0.35, 1, 3, false },
  { "a tenth", 0.1, 1, 0, false },   { "dots", 0.02, 1, 0, false },
  { "magnified", 1.7, 1, 0, false }, { "twice, lying", 2, 1, 1, true },
  { "oblong", 0.8, 1.25, 0, false },
};

// The formula of OdlDisplay for one sample of the picture.
static float
shown_sample (const OdlDisplay *display, float scaled)
{
  const float shown = odl_display_clamp (scaled * display->gain + display->offset);
  const float level = display->curve != NULL ? odl_curve_at (display->curve->levels,
                                                             display->curve->n, shown)
                                             : shown;

  return display->invert ? 1.0f - level : level;
}

static OdlImage *
make_picture (const Kind *kind)
{
  const size_t pixels = WIDTH * HEIGHT, size = odl_sample_size (kind->type);
  g_autoptr (GError) error = NULL;
  uint8_t *bytes = g_malloc (pixels * kind->channels * size);
  OdlImageInfo info = { .extent = { WIDTH, HEIGHT, 1, 1 },
                        .channels = kind->channels,
                        .type = kind->type };

  for (size_t i = 0; i < pixels * kind->channels * size; i++)
    bytes[i] = (uint8_t) g_test_rand_int ();
  // Some beyond black and white.
  for (size_t i = 0; kind->type == ODL_SAMPLE_F32 && i < pixels * kind->channels; i++) {
    const float odd[] = { NAN, INFINITY, -INFINITY, 1e-40f };
    const float value = kind->odd && i % 97 == 5
                            ? odd[i / 97 % 4]
                            : (float) g_test_rand_double_range (-0.3, 1.3);
    memcpy (bytes + i * size, &value, size);
  }
  for (int c = 0; c < kind->channels; c++)
    info.planes[c]
        = kind->layout == WOVEN
              ? (OdlPlane){ bytes + c * size, kind->channels * size,
                            kind->channels * size * WIDTH, 0, 0 }
              : (OdlPlane){ bytes + c * pixels * size, size, WIDTH * size, 0, 0 };
  if (kind->layout == CHROMA) {
    info.ycbcr = (OdlYcbcr){
      .used = true, .shift_x = 1, .shift_y = 1, .kr = 0.2126, .kb = 0.0722
    };
    odl_ycbcr_set_range (&info.ycbcr, 8, false);
  }
  OdlImage *image = odl_image_wrap (&info, g_free, bytes, &error);
  g_assert_no_error (error);
  return image;
}

// The shown samples of an image, all of them.
typedef struct {
  const OdlDisplayScene *scene;
  int channels;
  float *rows[3]; // of WIDTH × HEIGHT
} Shown;

static bool
is_picture (const OdlDisplay *display, int x, int y)
{
  return display->details.levels == 0
         || (x < display->details.width && y < display->details.height);
}

// Of a detail.
static float
gain_at (const OdlDisplay *display, int x, int y)
{
  int level = 1;

  for (int width = (WIDTH + 1) / 2, height = (HEIGHT + 1) / 2;
       x < width && y < height && level < display->details.levels; level++) {
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
  return display->detail_gains[level - 1];
}

// The levels of sample (x, y), without alpha.
static void
show_sample (const OdlDisplay *display,
             int channels,
             int x,
             int y,
             const float scaled[3],
             float shown[3])
{
  OdlDisplay own = *display;
  const bool picture = is_picture (display, x, y);

  own.invert = display->invert && channels < 3;
  for (int c = 0; c < MIN (channels, 3); c++)
    shown[c] = picture ? shown_sample (&own, scaled[c])
                       : odl_display_clamp (odl_details_zero (&own.details)
                                            + scaled[c] * gain_at (&own, x, y));
  if (!display->invert || channels < 3 || !picture)
    return;
  const float luma = shown[0] * display->luma[0] + shown[1] * display->luma[1]
                     + shown[2] * display->luma[2];
  for (int c = 0; c < 3; c++)
    shown[c] = odl_display_clamp (shown[c] + (1.0f - 2.0f * luma));
}

static void
show_row (const OdlImage *image, const OdlDisplay *display, int y, Shown *shown)
{
  float rows[4][WIDTH] = { 0 };

  for (int c = 0; c < shown->channels; c++)
    odl_image_scaled_row (image, c, y, 0, 0, rows[c]);
  for (int x = 0; x < WIDTH; x++) {
    const float scaled[] = { rows[0][x], rows[1][x], rows[2][x] };
    float levels[3];
    show_sample (display, shown->channels, x, y, scaled, levels);
    for (int c = 0; c < MIN (shown->channels, 3); c++)
      shown->rows[c][y * WIDTH + x]
          = shown->channels == 4 ? odl_display_mix (ODL_DISPLAY_CANVAS, levels[c],
                                                    odl_display_clamp (rows[3][x]))
                                 : levels[c];
  }
}

static Shown
show (const OdlImage *image, const OdlDisplay *display)
{
  Shown shown = { .channels = odl_image_info (image)->channels };

  for (int c = 0; c < 3; c++)
    shown.rows[c] = c < shown.channels ? g_new (float, WIDTH *HEIGHT) : NULL;
  for (int y = 0; y < HEIGHT; y++)
    show_row (image, display, y, &shown);
  return shown;
}

static void
clear (Shown *shown)
{
  for (int c = 0; c < 3; c++)
    g_free (shown->rows[c]);
}

static float
bilinear (const float *shown, OdlDisplayTap across, OdlDisplayTap along, bool lies)
{
  float lines[2];

  for (int i = 0; i < 2; i++) {
    const int line = i == 0 ? along.first : along.second;
    const float a
        = lies ? shown[across.first * WIDTH + line] : shown[line * WIDTH + across.first];
    const float b = lies ? shown[across.second * WIDTH + line]
                         : shown[line * WIDTH + across.second];
    lines[i] = odl_display_mix (a, b, across.mix);
  }
  return along.second == along.first ? lines[0]
                                     : odl_display_mix (lines[0], lines[1], along.mix);
}

// One channel of pixel (x, y).
static uint8_t
plain_byte (const OdlDisplayPicture *axes,
            const Shown *shown,
            int channel,
            int n,
            bool smooth,
            bool lies,
            int x,
            int y)
{
  const float *samples = shown->rows[shown->channels < 3 ? 0 : channel];
  const float weight = (1.0f / n) * (1.0f / n);
  float sum = 0;

  for (int j = 0; j < n; j++) {
    const OdlDisplayTap along = odl_display_tap_at (&axes->along, y, j, n, smooth);
    float line = 0;
    for (int i = 0; i < n; i++) {
      const OdlDisplayTap across = odl_display_tap_at (&axes->across, x, i, n, smooth);
      if (across.first < 0 || along.first < 0)
        line += ODL_DISPLAY_CANVAS;
      else if (smooth)
        line += bilinear (samples, across, along, lies);
      else
        line += lies ? samples[across.first * WIDTH + along.first]
                     : samples[along.first * WIDTH + across.first];
    }
    // A line outside is n times the canvas, not a sum.
    sum += along.first < 0 ? n * ODL_DISPLAY_CANVAS : line;
  }
  return (uint8_t) (int) ((n > 1 ? sum * weight : sum) * 255.0f + 0.5f);
}

static void
compare (const OdlDisplayScene *scene, const OdlView *view, int width, int height)
{
  g_autofree uint8_t *rgba = g_malloc (4 * (size_t) width * height);
  const OdlImage *images[] = { scene->original, scene->scaled };
  const OdlDisplay *displays[] = { &scene->original_display, &scene->display };
  double matrix[6];

  odl_view_matrix (view, width, height, matrix);
  const int n = odl_display_taps (matrix);
  const bool smooth = scene->smooth && n == 1, lies = matrix[0] == 0;
  odl_display_render_view (scene, view, width, height, rgba);
  for (int part = 0; part < 2; part++) {
    const int wipe = CLAMP (scene->wipe_x, 0, width);
    const int from = part == 0 ? 0 : wipe, to = part == 0 ? wipe : width;
    const OdlDisplayPicture axes
        = odl_display_picture_of (images[part], displays[part], matrix);
    Shown shown = show (images[part], displays[part]);
    for (int y = 0; y < height; y++)
      for (int x = from; x < to; x++) {
        const uint8_t *pixel = rgba + 4 * ((size_t) y * width + x);
        g_assert_cmpint (pixel[3], ==, 255);
        for (int c = 0; c < 3; c++)
          g_assert_cmpint (pixel[scene->blue_first ? 2 - c : c], ==,
                           plain_byte (&axes, &shown, c, n, smooth, lies, x, y));
      }
    clear (&shown);
  }
}

static void
compare_look (const Kind *kind, const Look *look, OdlImage *image, int round)
{
  const OdlDisplay displays[] = {
    { .gain = 1 },
    { .gain = 1.7f, .offset = -0.2f, .invert = true, .luma = { 0.3f, 0.6f, 0.1f } },
    { .gain = 1, .details = { 4, 39, 3 }, .detail_gains = { 7, 5, 3, 9 } },
  };
  // Of what is no number a detail is black, not grey.
  const int n = kind->odd ? 2 : 3;
  const int width = MAX ((int) (WIDTH * look->zoom), 3) + 21;
  const int height = MAX ((int) (HEIGHT * look->zoom), 3) + 9;
  OdlDisplayScene scene = { .scaled = image,
                            .display = displays[round % n],
                            .original = image,
                            .original_display = displays[(round + 1) % n],
                            .wipe_x = round % 2 == 0 ? 0 : width / 3,
                            .smooth = round / 2 % 2 == 0,
                            .blue_first = round / 3 % 2 == 0 };
  OdlView view = odl_view_make (WIDTH, HEIGHT, look->aspect);
  const bool lies = (look->turns & 1) != 0;

  g_test_message ("%s, %s, %d", kind->name, look->name, round);
  view.quarter_turns = look->turns;
  view.flip_horizontal = look->mirrored;
  odl_view_actual_size (&view);
  view.zoom = look->zoom;
  odl_view_pan (&view, round % 5 == 0 ? 3.3 : 0, round % 5 == 1 ? -2.6 : 0);
  odl_view_layout (&view, lies ? height : width, lies ? width : height);
  compare (&scene, &view, lies ? height : width, lies ? width : height);
}

static void
test_equals_the_plain_way (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (OdlImage) image = make_picture (kind);

  for (size_t i = 0; i < G_N_ELEMENTS (looks); i++)
    for (int round = 0; round < 3; round++)
      compare_look (kind, &looks[i], image, round + (int) i);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_strdup_printf ("/display-plain/%s", kinds[i].name);
    g_test_add_data_func (path, &kinds[i], test_equals_the_plain_way);
  }
  return g_test_run ();
}
