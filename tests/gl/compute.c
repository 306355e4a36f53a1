// SPDX-License-Identifier: MIT
// What only gl-compute has: lifting and filter banks side by side, and edges of tiles and
// strips.
#include <math.h>
#include <string.h>

#include <epoxy/gl.h>

#include "engine/gl/compute/compute.h"
#include "../helpers/plans.h"
#include "fixture.h"
#include "../helpers/images.h"

#define MOST 67

// Samples of a picture, how deep it is taken apart, and whether every slot is compared.
typedef struct {
  int width, height, levels;
  bool stepwise;
} Case;

static const Case cases[] = {
  { 64, 40, 3, true }, { 67, 45, 16, false }, { 130, 33, 2, true },
  { 5, 3, 16, true },  { 1, 9, 16, false },   { 2, 2, 16, false },
};

static bool
allows (OdlEngine *engine, const OdlPlan *plan)
{
  return odl_engine_can_run (engine->klass, plan, NULL);
}

static void
check (OdlEngine *engine,
       const Case *c,
       const char *wavelet,
       const char *words,
       double bound)
{
  g_autoptr (OdlImage) image
      = odl_gl_test_noise (c->width, c->height, 1, ODL_SAMPLE_U8, c->width + 7);
  g_autofree char *recipe = g_strdup_printf (
      "soft-threshold:wavelet=%s,levels=%d,threshold=0.05 %s", wavelet, c->levels, words);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);

  if (!allows (engine, plan))
    return;
  const double distance = odl_gl_test_distance (engine, recipe, image, c->stepwise);
  if (!(distance <= bound))
    g_test_message ("%d x %d, %s: %g", c->width, c->height, recipe, distance);
  g_assert_cmpfloat (distance, <=, bound);
}

static void
check_wavelets (const char *variant)
{
  static const char *const borders[] = { "symmetric", "periodic", "zero" };
  OdlEngine *engine = odl_gl_test_shared_engine ();

  g_assert_true (odl_gl_test_choose (engine, variant));
  for (size_t w = 0; w < odl_wavelet_count (); w++) {
    const OdlWavelet *wavelet = odl_wavelet_at (w);
    if (wavelet->lifting.count == 0)
      continue; // one way only; gl-wavelets walks them all
    for (int border = 0; border < ODL_N_BORDERS; border++) {
      if ((wavelet->borders & 1u << border) == 0)
        continue;
      g_autofree char *words = g_strdup_printf ("border=%s", borders[border]);
      g_autofree char *half = g_strdup_printf ("border=%s precision=16", borders[border]);
      for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        check (engine, &cases[i], wavelet->name, words, 1e-5);
      if (!wavelet->reversible)
        check (engine, &cases[0], wavelet->name, half, 4e-3);
    }
  }
}

static void
lifting (void)
{
  check_wavelets ("lifting");
}

static void
convolution (void)
{
  check_wavelets ("convolution");
}

// One wavelet of each kind on every size.
static void
all_sizes (void)
{
  static const char *const kinds[][2] = { { "haar", "border=periodic" },
                                          { "haar", "border=zero" },
                                          { "db2", "border=periodic" },
                                          { "cdf97", "border=periodic" },
                                          { "int53", "" } };
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const int step = odl_gl_test_api () == ODL_GL_API_DESKTOP ? 1 : 6;

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (int n = 1; n <= MOST; n += step) {
      const Case sizes[] = {
        { n, n, 16, false },
        { n, MOST + 1 - n, 16, false },
        { 1, n, 16, false },
        { n, 1, 16, false },
      };
      for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
        if (odl_wavelet_find (kinds[k][0]) != NULL)
          check (engine, &sizes[i], kinds[k][0], kinds[k][1], 1e-5);
    }
}

static double
stored_at (const OdlImage *image, int x, int y)
{
  const OdlImageInfo *info = odl_image_info (image);
  const char *row
      = (const char *) info->planes[0].data + y * info->planes[0].row_stride_bytes;

  return info->type == ODL_SAMPLE_U8    ? ((const guint8 *) row)[x]
         : info->type == ODL_SAMPLE_U16 ? ((const guint16 *) row)[x]
                                        : (double) ((const float *) row)[x];
}

static void
reconstructs (OdlEngine *engine, int width, int height, OdlSampleType type)
{
  const double most = type == ODL_SAMPLE_U8 ? 255 : 65535;
  g_autoptr (OdlImage) image = odl_gl_test_noise (width, height, 1, type, 3);
  g_autoptr (OdlPlan) plan
      = odl_gl_test_plan ("soft-threshold:wavelet=int53,levels=16,threshold=0", image);
  g_autoptr (GError) error = NULL;

  if (!allows (engine, plan))
    return;
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const double wanted = stored_at (image, x, y);
      const double got = stored_at (result, x, y) * most;
      // As a whole number, and well within the half that separates it from the next.
      if (!(fabs (got - wanted) < 0.1))
        g_error ("%d x %d of %g: %g instead of %g at (%d, %d)", width, height, most, got,
                 wanted, x, y);
    }
}

static void
integers_reconstruct (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const int step = odl_gl_test_api () == ODL_GL_API_DESKTOP ? 1 : 6;

  for (OdlSampleType type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_U16; type++) {
    for (int n = 1; n <= MOST; n += step) {
      reconstructs (engine, n, n, type);
      reconstructs (engine, n, MOST + 1 - n, type);
      reconstructs (engine, 1, n, type);
      reconstructs (engine, n, 1, type);
    }
    reconstructs (engine, 512, 384, type);
    reconstructs (engine, 511, 333, type);
  }
}

static bool
has_program (OdlEngine *engine, OdlGlPassId pass, const char *define)
{
  const OdlGlPrograms *programs = odl_gl_test_programs (engine);

  for (size_t i = 0; i < odl_gl_programs_count (programs); i++) {
    const OdlGlProgram *program = odl_gl_programs_at (programs, i);
    if (program->pass == &odl_gl_passes[pass] && strstr (program->defines, define))
      return true;
  }
  return false;
}

static OdlImage *
result_of (OdlEngine *engine, const OdlPlan *plan)
{
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_read_back (engine, plan, plan->result, &error);

  g_assert_no_error (error);
  return result;
}

// The first level on stored samples, then on those that LOAD has scaled.
static void
check_first_level (OdlEngine *engine, int width, int channels, OdlSampleType type)
{
  g_autoptr (OdlImage) image = odl_gl_test_noise (width, 37, channels, type, 11);
  g_autoptr (OdlPlan) plan
      = odl_gl_test_plan ("soft-threshold:levels=3,threshold=0.05", image);

  odl_test_run (engine, plan, image);
  g_autoptr (OdlImage) direct = result_of (engine, plan);
  odl_gl_compute_repeat (engine, false);
  g_autoptr (OdlImage) loaded = result_of (engine, plan);
  const double distance = odl_gl_test_difference (direct, loaded, 0, 0).max;
  g_test_message ("%d x 37, %d channels, type %d: %g", width, channels, type, distance);
  g_assert_cmpfloat (distance, <=, 1e-6);
}

static void
first_level_reads_stored_samples (void)
{
  static const struct {
    const char *variant;
    OdlGlPassId pass;
  } ways[] = { { "lifting", ODL_GL_PASS_COMPUTE_FORWARD },
               { "convolution", ODL_GL_PASS_COMPUTE_BANK_FORWARD } };
  static const int widths[] = { 64, 62, 61 }; // whole quads, whole words, neither

  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    OdlEngine *engine = odl_gl_test_shared_engine ();
    g_assert_true (odl_gl_test_choose (engine, ways[i].variant));
    for (size_t w = 0; w < G_N_ELEMENTS (widths); w++)
      for (OdlSampleType type = ODL_SAMPLE_U8; type <= ODL_SAMPLE_F32; type++)
        check_first_level (engine, widths[w], w == 1 ? 3 : 1, type);
    g_assert_true (has_program (engine, ways[i].pass, "STORED 8"));
    g_assert_true (has_program (engine, ways[i].pass, "STORED 16"));
  }
}

// What the canvas would draw.
static OdlImage *
shown (OdlEngine *engine, const OdlPlan *plan)
{
  const OdlSlot *slot = &plan->slots[plan->result];
  const OdlGlPicture picture = odl_gl_compute_picture (engine, plan->result);
  float *samples;
  OdlImage *image
      = odl_test_image (slot->width, slot->height, 1, ODL_SAMPLE_F32, &samples);

  glBindTexture (GL_TEXTURE_2D, picture.texture);
  glGetTexImage (GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, samples);
  glBindTexture (GL_TEXTURE_2D, 0);
  for (int i = 0; i < slot->width * slot->height; i++)
    samples[i] += picture.bias;
  return image;
}

static OdlImage *
show_frame (OdlEngine *engine, const OdlPlan *plan, OdlImage *image)
{
  g_autoptr (GError) error = NULL;

  odl_engine_run (engine, plan, image, &error);
  g_assert_no_error (error);
  return shown (engine, plan);
}

// The result copied into the texture, written there by the last level, and read back.
static void
check_last_level (OdlEngine *engine, int width, int precision)
{
  const double bound = precision == 16 ? 1e-3 : 1e-6;
  g_autofree char *recipe = g_strdup_printf (
      "soft-threshold:levels=3,threshold=0.05 precision=%d", precision);
  g_autoptr (OdlImage) before = odl_gl_test_noise (width, 37, 1, ODL_SAMPLE_U8, 11);
  g_autoptr (OdlImage) image = odl_gl_test_noise (width, 37, 1, ODL_SAMPLE_U8, 12);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  odl_engine_prepare (engine, plan, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) copied = show_frame (engine, plan, image);
  g_autoptr (OdlImage) other = show_frame (engine, plan, before);
  g_autoptr (OdlImage) other_stored = result_of (engine, plan);
  g_autoptr (OdlImage) written = show_frame (engine, plan, image);
  g_autoptr (OdlImage) stored = result_of (engine, plan);
  g_assert_cmpfloat (odl_gl_test_difference (other, copied, 0, 0).max, >, 0.1);
  g_assert_cmpfloat (odl_gl_test_difference (other_stored, other, 0, 0).max, <=, bound);
  g_assert_cmpfloat (odl_gl_test_difference (written, copied, 0, 0).max, <=, bound);
  g_assert_cmpfloat (odl_gl_test_difference (stored, copied, 0, 0).max, <=, bound);
}

static void
last_level_writes_what_is_shown (void)
{
  static const struct {
    const char *variant;
    OdlGlPassId pass;
  } ways[] = { { "lifting", ODL_GL_PASS_COMPUTE_INVERSE },
               { "convolution", ODL_GL_PASS_COMPUTE_BANK_INVERSE } };

  if (odl_gl_test_api () != ODL_GL_API_DESKTOP) {
    g_test_skip ("GLES reads no textures back");
    return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    OdlEngine *engine = odl_gl_test_shared_engine ();
    g_assert_true (odl_gl_test_choose (engine, ways[i].variant));
    check_last_level (engine, 64, 32);
    check_last_level (engine, 61, 32);
    check_last_level (engine, 61, 16);
    g_assert_true (has_program (engine, ways[i].pass, "TARGET_IMAGE"));
  }
}

// Engines say what ran, also where a wavelet cannot go the chosen way.
static void
variants_are_named (void)
{
  static const struct {
    const char *chosen, *wavelet, *named;
  } namings[] = {
    { "lifting", "cdf97", "lifting" },
    { "lifting", "haar", "convolution, not lifting" },
    { "convolution", "cdf97", "convolution" },
    { "convolution", "int53", "lifting, not convolution" },
    { NULL, "haar", "convolution" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (namings); i++) {
    OdlEngine *engine = odl_gl_test_shared_engine ();
    g_autoptr (OdlImage) image = odl_gl_test_noise (300, 200, 1, ODL_SAMPLE_U8, 1);
    g_autofree char *recipe
        = g_strdup_printf ("soft-threshold:wavelet=%s,levels=1", namings[i].wavelet);
    g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
    g_autoptr (GError) error = NULL;
    g_assert_true (odl_gl_test_choose (engine, namings[i].chosen));
    odl_engine_prepare (engine, plan, &error);
    g_assert_no_error (error);
    g_auto (GStrv) parts = g_strsplit (engine->variant, ", tuned", 2);
    g_assert_cmpstr (parts[0], ==, namings[i].named);
  }
}

// The spectrum of a kernel is kept while it is the same.
static void
spectra_follow_their_kernels (void)
{
  static const char *const directions[] = { "10", "70", "70", "10" };
  g_autoptr (OdlImage) image = odl_gl_test_noise (61, 83, 1, ODL_SAMPLE_U8, 5);
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  size_t allocations = 0;

  g_assert_true (odl_gl_test_choose (engine, "fft"));
  for (size_t i = 0; i < G_N_ELEMENTS (directions); i++) {
    g_autofree char *recipe = g_strdup_printf (
        "convolve:shape=quadrature,size=9,direction=%s", directions[i]);
    const double distance = odl_gl_test_distance (engine, recipe, image, false);
    g_test_message ("direction %s: off by %g", directions[i], distance);
    g_assert_cmpfloat (distance, <, 1e-5);
    g_assert_cmpstr (engine->variant, ==, "fft");
    g_assert_true (i == 0 || engine->counters.allocations == allocations);
    allocations = engine->counters.allocations;
  }
  g_assert_true (odl_gl_test_choose (engine, "direct"));
  g_assert_cmpfloat (
      odl_gl_test_distance (engine, "convolve:shape=quadrature,size=9,direction=30",
                            image, false),
      <, 1e-5);
  g_assert_cmpstr (engine->variant, ==, "direct");
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "convolve/spectra-follow-their-kernels", spectra_follow_their_kernels },
    { "compute/integers-reconstruct-bit-by-bit", integers_reconstruct },
    { "compute/each-kind-agrees-with-the-reference-on-every-size", all_sizes },
    { "compute/first-level-reads-stored-samples", first_level_reads_stored_samples },
    { "compute/last-level-writes-what-is-shown", last_level_writes_what_is_shown },
    { "compute/variants-are-named", variants_are_named },
    { "compute/lifting-agrees-with-the-reference", lifting, NULL, true },
    { "compute/filter-banks-agree-with-the-reference", convolution, NULL, true },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
