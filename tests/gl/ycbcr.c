// SPDX-License-Identifier: MIT
// Frames of videos on the GPU against the reference: every layout, matrix, range, and odd
// sizes; as loaded, with luma filtered, with every channel filtered, and on the canvas.
#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

#include "../helpers/ycbcr.h"
#include "engine/gl/canvas/canvas.h"
#include "../helpers/plans.h"
#include "fixture.h"

// Noise makes colours of −1 … 2.
#define BOUND 2e-5
#define HALF_BOUND 8e-3

static const int sizes[][2]
    = { { 64, 48 }, { 37, 23 }, { 1, 9 }, { 9, 1 }, { 2, 2 }, { 5, 67 }, { 131, 18 } };

static char *
name_of (size_t layout, size_t matrix, bool full, const int size[2])
{
  return g_strdup_printf ("%s, %s, %s, %d × %d", odl_test_layouts[layout].name,
                          odl_test_matrices[matrix].name, full ? "full" : "limited",
                          size[0], size[1]);
}

typedef double (*Distance) (OdlEngine *engine, OdlImage *image);

static void
check_all (Distance distance, double bound)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (size_t l = 0; l < G_N_ELEMENTS (odl_test_layouts); l++)
    for (size_t m = 0; m < G_N_ELEMENTS (odl_test_matrices); m++)
      for (int full = 0; full < 2; full++) {
        const int *size = sizes[(3 * l + 2 * m + (size_t) full) % G_N_ELEMENTS (sizes)];
        g_autoptr (OdlImage) image
            = odl_test_ycbcr (&odl_test_layouts[l], &odl_test_matrices[m], full == 1,
                              size[0], size[1], (guint32) (10 * l + m));
        g_autofree char *name = name_of (l, m, full == 1, size);
        const double apart = distance (engine, image);
        if (apart > bound)
          g_test_message ("%s: %g", name, apart);
        g_assert_cmpfloat (apart, <=, bound);
      }
}

// What is loaded, against the rows that the CPU makes.
static double
loaded_distance (OdlEngine *engine, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan ("", image);
  g_autoptr (OdlImage) right = odl_image_to_scaled (image, NULL);
  g_autoptr (GError) error = NULL;

  odl_test_run (engine, plan, image);
  g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, plan->source, &error);
  g_assert_no_error (error);
  return odl_gl_test_difference (right, got, 0, 0).max;
}

static void
loads (void)
{
  check_all (loaded_distance, 2e-6);
}

static double
luma_distance (OdlEngine *engine, OdlImage *image)
{
  return odl_gl_test_distance (
      engine, "soft-threshold:wavelet=cdf97,levels=2,threshold=0.05 colour=luma", image,
      false);
}

static void
filters_luma (void)
{
  check_all (luma_distance, BOUND);
}

// Also where a level has a sample more than pairs, and differences more than halves.
static void
filters_luma_of_every_size (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const bool all = odl_gl_test_api () == ODL_GL_API_DESKTOP; // shaders have one text

  for (int n = 1; n <= 67; n += all ? 1 : 6)
    for (int k = 0; k < 2; k++) {
      const int height = k == 0 ? n : 68 - n;
      g_autoptr (OdlImage) image
          = odl_test_ycbcr (&odl_test_layouts[(n + k) % 3], &odl_test_matrices[1], false,
                            n, height, (guint32) n);
      const double apart = odl_gl_test_distance (
          engine, "soft-threshold:wavelet=cdf97,levels=16,threshold=0.05 colour=luma",
          image, false);
      if (apart > BOUND)
        g_test_message ("%d × %d: %g", n, height, apart);
      g_assert_cmpfloat (apart, <=, BOUND);
    }
}

static double
channels_distance (OdlEngine *engine, OdlImage *image)
{
  return odl_gl_test_distance (
      engine, "soft-threshold:wavelet=cdf97,levels=2,threshold=0.05 colour=channels",
      image, false);
}

static void
filters_channels (void)
{
  check_all (channels_distance, BOUND);
}

static double
half_distance (OdlEngine *engine, OdlImage *image)
{
  return odl_gl_test_distance (
      engine,
      "soft-threshold:wavelet=cdf97,levels=2,threshold=0.05 colour=luma precision=16",
      image, false);
}

static void
filters_luma_in_half_floats (void)
{
  check_all (half_distance, HALF_BOUND);
}

static double
spatial_distance (OdlEngine *engine, OdlImage *image)
{
  return odl_gl_test_distance (engine, "gaussian:sigma=1 sharpen:amount=0.5 colour=luma",
                               image, false);
}

static void
filters_in_space (void)
{
  check_all (spatial_distance, BOUND);
}

// Formats, sizes and kinds of pictures that follow each other in one engine.
static void
changes_of_format (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) grey = odl_gl_test_noise (40, 30, 1, ODL_SAMPLE_U8, 1);
  g_autoptr (OdlImage) rgb = odl_gl_test_noise (40, 30, 3, ODL_SAMPLE_U8, 2);

  for (size_t l = 0; l < G_N_ELEMENTS (odl_test_layouts); l++) {
    g_autoptr (OdlImage) image = odl_test_ycbcr (
        &odl_test_layouts[l], &odl_test_matrices[l % 3], l % 2 == 0, 40, 30, 3);
    g_assert_cmpfloat (luma_distance (engine, image), <=, BOUND);
    g_assert_cmpfloat (luma_distance (engine, l % 2 == 0 ? grey : rgb), <=, BOUND);
  }
}

// An uploaded picture as the canvas finds it.
static double
uploaded_distance (OdlGlCanvas *canvas, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const int width = info->extent.x, height = info->extent.y;
  g_autoptr (OdlImage) right = odl_image_to_scaled (image, NULL);
  g_autofree float *texels = g_new (float, 4 * (gsize) width * height);
  g_autoptr (GError) error = NULL;
  OdlGlPicture picture;
  GLuint framebuffer;
  double apart = 0;

  odl_gl_canvas_upload (canvas, 0, image, &picture, &error);
  g_assert_no_error (error);
  glGenFramebuffers (1, &framebuffer);
  glBindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          picture.texture, 0);
  glReadPixels (0, 0, width, height, GL_RGBA, GL_FLOAT, texels);
  glBindFramebuffer (GL_FRAMEBUFFER, 0);
  glDeleteFramebuffers (1, &framebuffer);
  odl_gl_test_no_gl_error ();
  const float *samples = odl_image_info (right)->planes[0].data;
  for (int i = 0; i < width * height; i++)
    for (int c = 0; c < 3; c++)
      apart = fmax (
          apart, fabs (texels[4 * i + c] + picture.bias - (double) samples[3 * i + c]));
  return apart;
}

// Frames for the original view, and what the CPU engine filtered beside their colours.
static void
canvas_shows (void)
{
  g_autoptr (GError) error = NULL;
  OdlGlCanvas *canvas = odl_gl_canvas_new (&error);
  g_assert_no_error (error);
  g_autoptr (OdlEngine) cpu = odl_engine_open (odl_engine_find ("cpu"), &error);

  for (size_t l = 0; l < G_N_ELEMENTS (odl_test_layouts); l++) {
    g_autoptr (OdlImage) image = odl_test_ycbcr (
        &odl_test_layouts[l], &odl_test_matrices[l % 3], l % 2 == 0, 45, 31, 3);
    g_autoptr (OdlPlan) plan
        = odl_gl_test_plan ("shrinkage:wavelet=cdf97,levels=2 colour=luma", image);
    g_autoptr (OdlPlan) whole
        = odl_gl_test_plan ("shrinkage:wavelet=cdf97,levels=2 colour=channels", image);
    g_autoptr (OdlImage) beside = odl_engine_show (cpu, plan, image, &error);
    g_autoptr (OdlImage) planes = odl_engine_show (cpu, whole, image, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (uploaded_distance (canvas, image), <=, 2e-6);
    g_assert_cmpfloat (uploaded_distance (canvas, beside), <=, 2e-6);
    g_assert_cmpfloat (uploaded_distance (canvas, planes), <=, 2e-6);
  }
  odl_gl_canvas_free (canvas);
}

// Frames of one format cost nothing but their samples.
static void
nothing_is_made_per_frame (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  OdlEngineCounters before = { 0 };

  for (guint32 i = 0; i < 8; i++) {
    g_autoptr (OdlImage) image
        = odl_test_ycbcr (&odl_test_layouts[0], &odl_test_matrices[1], false, 64, 48, i);
    g_assert_cmpfloat (luma_distance (engine, image), <=, BOUND);
    if (i < 4)
      before = engine->counters;
  }
  g_assert_cmpuint (engine->counters.allocations, ==, before.allocations);
  g_assert_cmpuint (engine->counters.programs, ==, before.programs);
  g_assert_cmpuint (engine->counters.textures, ==, before.textures);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "frames-are-loaded-as-the-cpu-reads-them", loads, NULL },
    { "luma-is-filtered-as-in-the-reference", filters_luma, NULL },
    { "luma-of-every-size-is-filtered", filters_luma_of_every_size, NULL, true },
    { "channels-are-filtered-as-in-the-reference", filters_channels, NULL },
    { "half-floats-suffice-for-luma", filters_luma_in_half_floats, NULL, true },
    { "filters-in-space-agree", filters_in_space, NULL },
    { "formats-change-from-frame-to-frame", changes_of_format, NULL },
    { "nothing-is-made-per-frame", nothing_is_made_per_frame, NULL },
    { "the-canvas-shows-frames", canvas_shows, "gl-fragment" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
