// SPDX-License-Identifier: MIT
// Times the rendered view of a volume on the GPU, which has it already: a hollow ball
// with noise, seen from aside, whose place is the whole picture. Prints a Markdown table
// of milliseconds, by compute and by fragment shaders. Arguments: voxels of a side (256),
// width and height (1920, 1080).
#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>

#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/headless.h"
#include "engine/gl/platform/offscreen.h"

#define FRAMES 60
#define WARM_UP_US 400000

static OdlBody *
make_body (int side)
{
  OdlImageInfo info = { .extent = { side, side, side, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .spacing_mm = { 1, 1, 1 } };
  void *samples;
  g_autoptr (OdlImage) volume = odl_image_alloc (&info, &samples, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  const float middle = (float) (side - 1) / 2;
  float *to = samples;

  g_assert_nonnull (volume);
  for (int z = 0; z < side; z++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++) {
        const float dx = (float) x - middle, dy = (float) y - middle;
        const float dz = (float) z - middle;
        const float r = sqrtf (dx * dx + dy * dy + dz * dz) / (0.7f * middle) - 1;
        *to++ = 0.9f * expf (-60 * r * r) + 0.05f * (float) g_rand_double (rand);
      }
  return odl_body_new (volume, NULL);
}

// Milliseconds of a frame, each turned a little further than the last.
static double
measure (OdlGlCanvas *canvas,
         OdlRenderScene *render,
         OdlGlRays rays,
         int width,
         int height)
{
  const OdlGlScene scene = { .render = render, .rays = rays };
  const OdlView view = odl_view_make (width, height, 1);

  const int64_t end = g_get_monotonic_time () + WARM_UP_US;
  do {
    g_assert_true (odl_gl_canvas_draw (canvas, &scene, &view, width, height, NULL));
    glFinish ();
  } while (g_get_monotonic_time () < end);
  const int64_t start = g_get_monotonic_time ();
  for (int i = 0; i < FRAMES; i++) {
    render->look.yaw = 30 + i;
    g_assert_true (odl_gl_canvas_draw (canvas, &scene, &view, width, height, NULL));
  }
  glFinish ();
  const double ms = (double) (g_get_monotonic_time () - start) / 1e3 / FRAMES;
  g_assert_cmpint (glGetError (), ==, GL_NO_ERROR);
  return ms;
}

int
main (int argc, char **argv)
{
  static const char *const presets[]
      = { "maximum", "ct-bone", "ct-soft", "mr", "ultrasound" };
  const int side = argc > 1 ? atoi (argv[1]) : 256;
  const int width = argc > 2 ? atoi (argv[2]) : 1920;
  const int height = argc > 3 ? atoi (argv[3]) : 1080;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);
  g_assert_no_error (error);
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);
  g_assert_no_error (error);
  g_autoptr (OdlGlOffscreen) offscreen = odl_gl_offscreen_new (width, height, &error);
  g_assert_no_error (error);
  g_autoptr (OdlBody) body = make_body (side);

  g_print (
      "%s: %d³ to %d × %d, ms\n\n| preset | compute | a second | fragments | a second |\n"
      "| --- | --: | --: | --: | --: |\n",
      (const char *) glGetString (GL_RENDERER), side, width, height);
  for (gsize i = 0; i < G_N_ELEMENTS (presets); i++) {
    OdlRenderScene render = { .body = body,
                              .preset = odl_render_preset_find (presets[i]),
                              .points = { 0.1, 0.8 },
                              .look = { 30, 20, 0 },
                              .place = { 0, 0, width, height } };
    const double compute = measure (canvas, &render, ODL_GL_RAYS_COMPUTE, width, height);
    const double fragments
        = measure (canvas, &render, ODL_GL_RAYS_FRAGMENTS, width, height);
    g_print ("| %s | %.2f | %.0f | %.2f | %.0f |\n", presets[i], compute, 1000 / compute,
             fragments, 1000 / fragments);
  }
  odl_gl_canvas_free (canvas);
  return 0;
}
