// SPDX-License-Identifier: MIT
// Rendered views of volumes: the GL canvas against what the processor draws.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/offscreen.h"
#include "fixture.h"

#define WIDTH 150
#define HEIGHT 110

// A hollow ball with noise of which no two voxels are the same, brighter by `gain`.
static OdlBody *
make_body (float gain)
{
  OdlImageInfo info = { .extent = { 31, 27, 19, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .spacing_mm = { 1, 1, 1.5 } };
  void *samples;
  g_autoptr (OdlImage) volume = odl_image_alloc (&info, &samples, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (int z = 0, i = 0; z < 19; z++)
    for (int y = 0; y < 27; y++)
      for (int x = 0; x < 31; x++, i++) {
        const float dx = (float) x - 15, dy = (float) y - 13, dz = 1.5f * ((float) z - 9);
        const float r = sqrtf (dx * dx + dy * dy + dz * dz);
        const float wall = expf (-(r - 10) * (r - 10) / 6);
        ((float *) samples)[i] = gain * wall + 0.05f * (float) g_rand_double (rand);
      }
  return odl_body_new (volume, NULL);
}

// RGBA from the top.
static guint8 *
drawn_by_gl (OdlGlCanvas *canvas, const OdlRenderScene *render, OdlGlRays rays)
{
  const gsize row = (gsize) 4 * WIDTH;
  const OdlGlScene scene = { .render = render, .rays = rays };
  const OdlView view = odl_view_make (WIDTH, HEIGHT, 1);
  g_autofree guint8 *pixels = g_malloc (row * HEIGHT);
  guint8 *flipped = g_malloc (row * HEIGHT);

  g_assert_true (odl_gl_canvas_draw (canvas, &scene, &view, WIDTH, HEIGHT, NULL));
  odl_gl_test_no_gl_error ();
  glReadPixels (0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  for (int y = 0; y < HEIGHT; y++)
    memcpy (flipped + row * (gsize) y, pixels + row * (gsize) (HEIGHT - 1 - y), row);
  return flipped;
}

// Compute shaders pass by bricks, but sample rays where fragment shaders do.
static void
compare_shaders (const guint8 *compute, const guint8 *fragments, const char *what)
{
  int most = 0;

  for (int i = 0; i < 4 * WIDTH * HEIGHT; i++)
    most = MAX (most, ABS (compute[i] - fragments[i]));
  g_test_message ("%s: compute and fragment shaders differ by %d", what, most);
  g_assert_cmpint (most, <=, 1);
}

// Rays that just touch an edge may miss it; interpolation on the GPU is coarser.
static void
compare (const guint8 *gl, const guint8 *soft, const char *what)
{
  int differing = 0, covered = 0, most = 0;
  double sum = 0;

  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    int difference = 0;
    for (int c = 0; c < 3; c++)
      difference = MAX (difference, ABS (gl[4 * i + c] - soft[4 * i + c]));
    covered += soft[4 * i] != ODL_CANVAS_LEVEL;
    differing += difference > 4;
    most = MAX (most, difference);
    sum += difference;
  }
  g_test_message ("%s: %d of %d pixels differ by more than 4, the most by %d, mean %.3f",
                  what, differing, covered, most, sum / MAX (covered, 1));
  g_assert_cmpint (covered, >, WIDTH * HEIGHT / 20);
  g_assert_cmpint (differing, <=, covered / 50);
  g_assert_cmpfloat (sum / covered, <, 0.7);
}

#define some_box \
  { \
    .shown = true, .low = { 0.1, 0.22, 0.05 }, .high = { 0.71, 0.93, 0.8 } \
  }

static void
gl_draws_as_the_processor (void)
{
  static const struct {
    const char *name, *preset;
    OdlLook look;
    int wipe;
    OdlRenderCut cut;
    bool invert;
    OdlBox box;
  } cases[] = {
    { "front", "maximum", { 0, 0, 0 }, 0, ODL_RENDER_WHOLE, false },
    { "inverted", "maximum", { 30, 20, 0 }, 0, ODL_RENDER_WHOLE, true },
    { "bone", "ct-bone", { 50, 30, 1.7 }, 0, ODL_RENDER_WHOLE, false },
    { "soft, cut", "ct-soft", { 170, -20, 0.8 }, 0, ODL_RENDER_CUT_TOP, false },
    { "MR, corner", "mr", { 20, 60, 1 }, 0, ODL_RENDER_CUT_CORNER, false },
    { "ultrasound, wipe", "ultrasound", { 20, 60, 1 }, 70, ODL_RENDER_CUT_FRONT, false },
    { "maximum, wipe", "maximum", { 90, 0, 1 }, 70, ODL_RENDER_CUT_SIDE, false },
    { "bone, box", "ct-bone", { 40, 25, 1.3 }, 0, ODL_RENDER_WHOLE, false, some_box },
    { "maximum, box",
      "maximum",
      { 40, 25, 1.3 },
      70,
      ODL_RENDER_CUT_FRONT,
      false,
      some_box },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlBody) body = make_body (0.9f), original = make_body (0.4f);
  g_autofree guint8 *soft = g_malloc ((gsize) 4 * WIDTH * HEIGHT);
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);

  g_assert_no_error (error);
  g_autoptr (OdlGlOffscreen) offscreen = odl_gl_offscreen_new (WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OdlRenderScene scene = { .body = body,
                                   .original = original,
                                   .wipe_x = cases[i].wipe,
                                   .preset = odl_render_preset_find (cases[i].preset),
                                   .points = { 0.1, 0.8 },
                                   .invert = cases[i].invert,
                                   .look = cases[i].look,
                                   .cut = cases[i].cut,
                                   .box = cases[i].box,
                                   .voxel = { { 15, 13, 9 } },
                                   .place = { 20, 5, 120, 100 } };
    g_autofree guint8 *gl = drawn_by_gl (canvas, &scene, ODL_GL_RAYS_COMPUTE);
    g_autofree guint8 *fragments = drawn_by_gl (canvas, &scene, ODL_GL_RAYS_FRAGMENTS);
    memset (soft, ODL_CANVAS_LEVEL, (gsize) 4 * WIDTH * HEIGHT);
    odl_render_draw (&scene, WIDTH, HEIGHT, false, soft);
    compare (gl, soft, cases[i].name);
    compare (fragments, soft, cases[i].name);
    compare_shaders (gl, fragments, cases[i].name);
  }
  odl_gl_canvas_free (canvas);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "render/gl-draws-as-the-processor", gl_draws_as_the_processor },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
