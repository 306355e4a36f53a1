// SPDX-License-Identifier: MIT
// BM3D of gl-compute: against the engine cpu, in bands, and again and again.
#include <math.h>
#include <string.h>

#include "engine/gl/compute/compute.h"
#include "fixture.h"

#define SIGMA 0.06
#define RUNS 50

// Squares of several levels, and noise.
static OdlImage *
squares (int width, int height, int channels, OdlSampleType type)
{
  const double scale = type == ODL_SAMPLE_F32 ? 1 : 255;
  const OdlImageInfo info
      = { .extent = { width, height, 1 }, .channels = channels, .type = type };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (int i = 0; i < width * height * channels; i++) {
    const int x = i / channels % width, y = i / channels / width, c = i % channels;
    double value = 0.15 + 0.1 * ((x / 9 * 5 + y / 7 * 3 + c * 2) % 7);
    for (int k = 0; k < 12; k++)
      value += SIGMA * (g_rand_double (random) - 0.5);
    if (type == ODL_SAMPLE_F32)
      ((float *) samples)[i] = (float) value;
    else
      ((guint8 *) samples)[i] = (guint8) CLAMP (lrint (value * scale), 0, 255);
  }
  return image;
}

static OdlImage *
filtered (OdlEngine *engine, const char *recipe, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_process (engine, plan, image, &error);

  g_assert_no_error (error);
  return result;
}

// A match that flips moves a block; that is rare, and little is moved.
static void
assert_alike (const OdlImage *got, const OdlImage *wanted, const char *what)
{
  const OdlImageInfo *info = odl_image_info (got);
  const size_t n = (size_t) info->extent.x * info->extent.y * info->channels;
  const float *a = odl_image_info (got)->planes[0].data,
              *b = odl_image_info (wanted)->planes[0].data;
  size_t off = 0, moved = 0;

  for (size_t i = 0; i < n; i++) {
    const bool same = isnan (b[i]) ? isnan (a[i]) : fabsf (a[i] - b[i]) <= 2e-6F;
    moved += !same;
    off += !same && !(fabsf (a[i] - b[i]) <= SIGMA / 10);
  }
  g_test_message ("%s: %zu of %zu moved, %zu far", what, moved, n, off);
  g_assert_cmpuint (100 * off, <=, n);
  g_assert_cmpuint (20 * moved, <=, n);
}

static void
equals_the_engine_cpu (void)
{
  static const struct {
    int width, height, channels;
    OdlSampleType type;
    const char *recipe;
  } cases[] = {
    { 77, 61, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06" },
    { 40, 33, 3, ODL_SAMPLE_U8, "bm3d:sigma=0.06" },
    { 7, 50, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06" },
    { 50, 3, 3, ODL_SAMPLE_F32, "bm3d:sigma=0.06" },
    { 77, 61, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,effort=fast" },
    { 53, 46, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,effort=quality" },
    { 7, 50, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,effort=fast" },
    { 30, 30, 1, ODL_SAMPLE_F32, "bm3d:sigma=0" },
    { 30, 31, 1, ODL_SAMPLE_F32, "bm3d:sigma=1" },
    { 45, 29, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06 gaussian:sigma=1 bm3d:sigma=0.01" },
  };
  OdlEngine *engine = odl_gl_test_shared_engine ();
  OdlEngine *cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) image
        = squares (cases[i].width, cases[i].height, cases[i].channels, cases[i].type);
    g_autoptr (OdlImage) got = filtered (engine, cases[i].recipe, image);
    g_autoptr (OdlImage) wanted = filtered (cpu, cases[i].recipe, image);
    assert_alike (got, wanted, cases[i].recipe);
  }
  odl_engine_close (cpu);
}

// All blocks of a constant are equal, and the first ones are taken. Step two weights
// their one coefficient, of 32 blocks, by g² / (g² + σ²).
static void
constants_stay (void)
{
  g_autoptr (OdlImage) image = squares (60, 50, 1, ODL_SAMPLE_U8);
  memset ((void *) odl_image_info (image)->planes[0].data, 77, 60 * 50);
  g_autoptr (OdlImage) got
      = filtered (odl_gl_test_shared_engine (), "bm3d:sigma=0.1", image);
  const float *samples = odl_image_info (got)->planes[0].data;
  const double value = 77 / 255.0, g = value * 8 * sqrt (32);

  for (int i = 0; i < 60 * 50; i++)
    g_assert_cmpfloat_with_epsilon (samples[i], value * g * g / (g * g + 0.01), 1e-6);
}

// A stripe of one value in noise: few columns of places are like a block of the stripe,
// and more than a group takes. All have the same distance, and the stripe stays.
static void
stripes_stay (void)
{
  g_autoptr (OdlImage) image = squares (64, 60, 1, ODL_SAMPLE_F32);
  float *samples = (void *) odl_image_info (image)->planes[0].data;
  g_autoptr (GRand) random = g_rand_new_with_seed (9);

  for (int y = 0; y < 60; y++)
    for (int x = 0; x < 64; x++)
      samples[y * 64 + x]
          = x >= 24 && x < 24 + 11 ? 0.5F : (float) g_rand_double_range (random, 0, 1);
  g_autoptr (OdlImage) got
      = filtered (odl_gl_test_shared_engine (), "bm3d:sigma=0.01", image);
  const float *result = odl_image_info (got)->planes[0].data;
  for (int y = 0; y < 60; y++)
    g_assert_cmpfloat_with_epsilon (result[y * 64 + 29], 0.5, 1e-4);
}

// Sums of tiles of one band are those of the next one, too.
static void
bands_make_the_same (void)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlImage) image = squares (90, 230, 1, ODL_SAMPLE_F32);
  g_autoptr (OdlImage) whole = filtered (engine, "bm3d:sigma=0.06", image);
  g_autoptr (OdlEngine) banded = odl_gl_test_engine ();

  odl_gl_compute_set_max_storage (banded, 5 << 20);
  g_autoptr (OdlImage) got = filtered (banded, "bm3d:sigma=0.06", image);
  g_assert_cmpmem (odl_image_info (got)->planes[0].data, 90 * 230 * sizeof (float),
                   odl_image_info (whole)->planes[0].data, 90 * 230 * sizeof (float));
}

static void
runs_are_equal (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  g_autoptr (OdlImage) image = squares (48, 40, 1, ODL_SAMPLE_F32);
  g_autoptr (OdlImage) first = filtered (engine, "bm3d:sigma=0.06", image);

  for (int i = 1; i < RUNS; i++) {
    g_autoptr (OdlImage) again = filtered (engine, "bm3d:sigma=0.06", image);
    g_assert_cmpmem (odl_image_info (again)->planes[0].data, 48 * 40 * sizeof (float),
                     odl_image_info (first)->planes[0].data, 48 * 40 * sizeof (float));
  }
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "equals-the-engine-cpu", equals_the_engine_cpu },
    { "constants-stay", constants_stay },
    { "stripes-stay", stripes_stay },
    { "bands-make-the-same", bands_make_the_same },
    { "runs-are-equal", runs_are_equal },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
