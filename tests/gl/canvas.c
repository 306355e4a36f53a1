// SPDX-License-Identifier: MIT
// The GL canvas against odl_display_render_view, byte by byte.
#include "engine/gl/canvas/canvas.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fixture.h"

#define WIDTH 150
#define HEIGHT 110

// A framebuffer to draw into, like GtkGLArea's.
typedef struct {
  GLuint texture, framebuffer;
} Target;

static Target
target_new (void)
{
  Target target;

  glGenTextures (1, &target.texture);
  glBindTexture (GL_TEXTURE_2D, target.texture);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                NULL);
  glBindTexture (GL_TEXTURE_2D, 0);
  glGenFramebuffers (1, &target.framebuffer);
  glBindFramebuffer (GL_FRAMEBUFFER, target.framebuffer);
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          target.texture, 0);
  return target;
}

static void
target_clear (Target *target)
{
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers (1, &target->framebuffer);
  glDeleteTextures (1, &target->texture);
}

static guint8 *
drawn (OdlGlCanvas *canvas, const OdlGlScene *scene, const OdlView *view)
{
  guint8 *pixels = g_malloc ((gsize) 4 * WIDTH * HEIGHT);
  guint8 *flipped = g_malloc ((gsize) 4 * WIDTH * HEIGHT);

  glClearColor (1, 0, 1, 0);
  glClear (GL_COLOR_BUFFER_BIT);
  g_assert_true (odl_gl_canvas_draw (canvas, scene, view, WIDTH, HEIGHT, NULL));
  odl_gl_test_no_gl_error ();
  glReadPixels (0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  for (int y = 0; y < HEIGHT; y++)
    memcpy (flipped + 4 * WIDTH * y, pixels + 4 * WIDTH * (HEIGHT - 1 - y), 4 * WIDTH);
  g_free (pixels);
  return flipped;
}

// Pixels that differ by more than one level. Where a pixel's centre falls on the border
// between two samples, rounding decides; so a few may.
static int
differing (const guint8 *a, const guint8 *b)
{
  int n = 0;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    for (int c = 0; c < 4; c++)
      if (ABS (a[4 * i + c] - b[4 * i + c]) > 1) {
        n++;
        break;
      }
  return n;
}

typedef struct {
  const char *name;
  double zoom; // 0: fit
  double aspect;
  int turns;
  bool flip;
  bool smooth;
  OdlDisplay display;
  int wipe;
  bool curve, graphics; // a table of levels; samples drawn over
  bool shutter; // samples covered
} Setting;

#define LUMA \
  { \
    0.3f, 0.5f, 0.2f \
  }

static const Setting settings[] = {
  { "fit", 0, 1, 0, false, false, { .gain = 1 }, 0 },
  { "fit smooth", 0, 1, 0, false, true, { .gain = 1 }, 0 },
  { "double", 2, 1, 0, false, false, { .gain = 1 }, 0 },
  { "odd zoom, smooth, window",
    3.37,
    1,
    0,
    false,
    true,
    { .gain = 2.5f, .offset = -0.6f },
    0 },
  { "inverted, turned",
    1.7,
    1,
    1,
    false,
    false,
    { .gain = 1, .invert = true, .luma = LUMA },
    0 },
  { "turned thrice, flipped, smooth",
    2.3,
    1,
    3,
    true,
    true,
    { .gain = 1.2f, .offset = 0.1f, .invert = true, .luma = LUMA },
    0 },
  { "minified", 0.4, 1, 0, false, true, { .gain = 1 }, 0 },
  { "far away, turned twice", 0.11, 1, 2, false, false, { .gain = 3, .offset = -1 }, 0 },
  { "wide pixels", 1.3, 1.6, 0, false, false, { .gain = 1 }, 0 },
  { "analysis",
    2,
    1,
    0,
    false,
    false,
    { 1, 0, true, { 2, 16, 12 }, { 6, 3, 2 }, LUMA },
    0 },
  { "wipe", 1.9, 1, 0, false, false, { .gain = 1 }, 70 },
  { "curve", 1, 1, 0, false, false, { .gain = 1 }, 0, true, false },
  { "curve, inverted, turned, smooth",
    2.3,
    1,
    1,
    false,
    true,
    { .gain = 1.3f, .offset = -0.1f, .invert = true, .luma = LUMA },
    0,
    true,
    false },
  { "graphics", 1, 1, 0, false, false, { .gain = 1 }, 0, false, true },
  { "graphics, turned, flipped, smooth",
    1.9,
    1,
    3,
    true,
    true,
    { .gain = 1, .invert = true, .luma = LUMA },
    0,
    false,
    true },
  { "both, minified, wipe",
    0.6,
    1,
    0,
    false,
    false,
    { .gain = 0.8f, .offset = 0.1f },
    60,
    true,
    true },
  { "shutter",
    1,
    1,
    0,
    false,
    false,
    { .gain = 1, .invert = true, .luma = LUMA },
    0,
    false,
    false,
    true },
  { "all three, turned, smooth",
    2.3,
    1,
    1,
    false,
    true,
    { .gain = 1.3f, .offset = -0.1f },
    0,
    true,
    true,
    true },
};

// 700 levels that bend, with a step in them.
static OdlCurve *
make_curve (void)
{
  float levels[700];

  for (int i = 0; i < 700; i++)
    levels[i] = i < 400 ? sqrtf ((float) i / 400) : 0.2f + 0.8f * (float) (i - 400) / 300;
  return odl_curve_new (levels, 700);
}

static OdlOverlay *
make_graphics (int width, int height, int pattern)
{
  const gsize size = odl_overlay_stride ((gsize) width) * (gsize) height;
  g_autofree guint8 *bits = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bits[i] = (guint8) (i * 37 % 251 & pattern);
  return odl_overlay_new (width, height, bits);
}

static OdlView
view_of (const Setting *setting, int width, int height)
{
  OdlView view = odl_view_make (width, height, setting->aspect);

  odl_view_layout (&view, WIDTH, HEIGHT);
  if (setting->zoom > 0) {
    view.fit = false;
    view.zoom = setting->zoom;
    view.centre = (OdlPoint){ width * 0.43, height * 0.56 };
  }
  view.quarter_turns = setting->turns;
  view.flip_horizontal = setting->flip;
  odl_view_layout (&view, WIDTH, HEIGHT);
  return view;
}

static void
check_setting (OdlGlCanvas *canvas,
               const Setting *setting,
               int channels,
               const OdlColourMap *map)
{
  const int width = 61, height = 47;
  const OdlDisplay plain = { .gain = 0.7f, .offset = 0.1f };
  g_autoptr (OdlImage) image
      = odl_gl_test_noise (width, height, channels, ODL_SAMPLE_F32, 11);
  g_autoptr (OdlImage) original
      = odl_gl_test_noise (width, height, channels, ODL_SAMPLE_F32, 12);
  const OdlView view = view_of (setting, width, height);
  OdlCurve *curve = setting->curve && channels == 1 ? make_curve () : NULL;
  OdlOverlay *graphics = setting->graphics ? make_graphics (width, height, 0x91) : NULL;
  OdlOverlay *shutter = setting->shutter ? make_graphics (width, height, 0x5a) : NULL;
  OdlDisplay display = setting->display;
  g_autofree guint8 *wanted = g_malloc ((gsize) 4 * WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;
  display.curve = curve;
  display.overlay = graphics;
  display.map = map;
  display.overlay_level = display.invert ? 0.1f : 1;
  display.shutter = shutter;
  display.shutter_level = 0.3f;
  OdlGlScene scene = {
    .display = display,
    .original_display = plain,
    .wipe_x = setting->wipe,
    .again = { setting->wipe + 10, setting->wipe + 33 },
    .smooth = setting->smooth,
  };

  g_assert_true (odl_gl_canvas_upload (canvas, 0, image, &scene.picture, &error));
  g_assert_true (odl_gl_canvas_upload (canvas, 1, original, &scene.original, &error));
  odl_display_render_view (
      &(OdlDisplayScene){ .scaled = image,
                          .display = display,
                          .original = original,
                          .original_display = plain,
                          .wipe_x = setting->wipe,
                          .again = { setting->wipe + 10, setting->wipe + 33 },
                          .smooth = setting->smooth },
      &view, WIDTH, HEIGHT, wanted);
  g_autofree guint8 *got = drawn (canvas, &scene, &view);
  const int n = differing (got, wanted);
  if (n > 0)
    g_test_message ("%s, %d channels: %d pixels differ", setting->name, channels, n);
  g_assert_cmpint (n, <=, WIDTH * HEIGHT / 2000);
  odl_curve_unref (curve);
  odl_overlay_unref (graphics);
  odl_overlay_unref (shutter);
}

static void
shows_what_the_cpu_shows (void)
{
  static const int channels[] = { 1, 3, 4 };
  Target target = target_new ();
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);

  g_assert_no_error (error);
  for (size_t s = 0; s < G_N_ELEMENTS (settings); s++)
    for (size_t c = 0; c < G_N_ELEMENTS (channels); c++)
      check_setting (canvas, &settings[s], channels[c], NULL);
  for (size_t s = 0; s < G_N_ELEMENTS (settings); s++)
    check_setting (canvas, &settings[s], 1, odl_colour_map_at (1 + s % 2));
  odl_gl_canvas_free (canvas);
  target_clear (&target);
}

// What the engine holds, on the canvas, against its own read-back on the CPU canvas.
static void
check_engine (OdlGlCanvas *canvas, const char *recipe, int channels)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = odl_gl_test_noise (75, 55, channels, ODL_SAMPLE_U8, 3);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  const OdlWindow window = { .mode = ODL_WINDOW_FULL };
  const OdlDisplay display
      = odl_display_make (odl_image_info (image), &window, plan->details);
  OdlView view = odl_view_make (75, 55, 1);
  g_autofree guint8 *wanted = g_malloc ((gsize) 4 * WIDTH * HEIGHT);

  g_assert_no_error (error);
  odl_view_layout (&view, WIDTH, HEIGHT);
  const OdlGlScene scene = {
    .picture = odl_gl_engine_picture (engine, plan, plan->result),
    .display = display,
  };
  g_assert_cmpuint (scene.picture.texture, !=, 0);
  odl_display_render_view (&(OdlDisplayScene){ .scaled = result, .display = display },
                           &view, WIDTH, HEIGHT, wanted);
  g_autofree guint8 *got = drawn (canvas, &scene, &view);
  const int n = differing (got, wanted);
  if (n > 0)
    g_test_message ("%s, %d channels: %d pixels differ", recipe, channels, n);
  g_assert_cmpint (n, ==, 0);
}

static void
shows_what_the_engine_made (void)
{
  static const char *const recipes[] = {
    "pass-through",
    "soft-threshold:levels=2,threshold=0.05",
    "soft-threshold:levels=2,threshold=0.05 precision=16",
    "soft-threshold:levels=2 view=analysis",
    "soft-threshold:levels=2 view=analysis precision=16",
    "soft-threshold:levels=4 view=analysis",
    "soft-threshold:levels=2,threshold=0.05 view=residual",
    "soft-threshold:levels=2,threshold=0.05 view=residual precision=16",
  };
  Target target = target_new ();
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);

  g_assert_no_error (error);
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    check_engine (canvas, recipes[r], 1);
    check_engine (canvas, recipes[r], 3);
    check_engine (canvas, recipes[r], 4);
  }
  odl_gl_canvas_free (canvas);
  target_clear (&target);
}

static void
overlay_lies_where_it_should (void)
{
  // Two rows of three, and a fourth column that the stride skips.
  static const guint8 badge[] = {
    255, 0, 0, 255, 0,  255, 0,  255, 0,   0,   255, 255, 9, 9, 9, 9, //
    0,   0, 0, 0,   60, 60,  60, 128, 255, 255, 255, 255, 9, 9, 9, 9,
  };
  Target target = target_new ();
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);
  const OdlView view = odl_view_make (10, 10, 1);
  // Under the first column of it, and a pixel farther down.
  static const guint8 white[]
      = { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 };
  const OdlGlScene scene = { .overlays = { { true, 20, 30 }, { true, 20, 30 } } };

  g_assert_no_error (error);
  odl_gl_canvas_set_overlay (canvas, 0, white, 1, 3, 4);
  odl_gl_canvas_set_overlay (canvas, 1, badge, 3, 2, 16);
  g_autofree guint8 *got = drawn (canvas, &scene, &view);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const bool inside = x >= 20 && x < 23 && y >= 30 && y < 32;
      const guint8 *over = inside ? badge + 16 * (y - 30) + 4 * (x - 20) : NULL;
      for (int c = 0; c < 3; c++) {
        const double under = x == 20 && y >= 30 && y < 33 ? 255 : ODL_CANVAS_LEVEL;
        const double expected = inside ? over[c] + under * (255 - over[3]) / 255 : under;
        g_assert_cmpfloat (fabs (got[4 * (y * WIDTH + x) + c] - expected), <=, 1);
      }
    }
  odl_gl_canvas_free (canvas);
  target_clear (&target);
}

static void
uploads_every_type (void)
{
  Target target = target_new ();
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);
  OdlGlPicture first = { 0 }, picture = { 0 };

  g_assert_no_error (error);
  g_assert_cmpint (odl_gl_canvas_max_side (canvas), >=, 2048);
  g_assert_nonnull (strstr (odl_gl_canvas_renderer (canvas), "OpenGL"));
  for (int type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_F32; type++) {
    g_autoptr (OdlImage) image = odl_gl_test_noise (30, 20, 1, (OdlSampleType) type, 1);
    g_assert_true (odl_gl_canvas_upload (canvas, 0, image, &picture, &error));
    if (type == ODL_SAMPLE_U8)
      first = picture;
    // The geometry is the same: so is the texture.
    g_assert_cmpuint (picture.texture, ==, first.texture);
  }
  odl_gl_canvas_free (canvas);
  target_clear (&target);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "canvas/shows-what-the-cpu-shows", shows_what_the_cpu_shows, "gl-fragment" },
    { "canvas/shows-what-the-engine-made", shows_what_the_engine_made },
    { "canvas/overlay-lies-where-it-should", overlay_lies_where_it_should,
      "gl-fragment" },
    { "canvas/uploads-every-type", uploads_every_type, "gl-fragment" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
