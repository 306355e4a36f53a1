// SPDX-License-Identifier: MIT
// BM3D of gl-compute: against the engine cpu, in bands, and again and again.
#include <math.h>
#include <string.h>

#include "engine/gl/compute/compute.h"
#include "fixture.h"

#define SIGMA 0.06
#define RUNS 50
#define SPECTRUM \
  "2:1.4:0.8:0.3:0.2:0.1:0.05:0.02/1.8:1.3:0.7:0.3:0.2:0.1:0.05:0.02/" \
  "1.5:1:0.6:0.3:0.2:0.1:0.05:0.02/1:0.7:0.4:0.2:0.1:0.1:0.05:0.02/0.5"

// Squares of several levels, and noise.
static OdlImage *
squares_of (int width, int height, int channels, OdlSampleType type, guint32 seed)
{
  const double scale = type == ODL_SAMPLE_F32 ? 1 : 255;
  const OdlImageInfo info
      = { .extent = { width, height, 1 }, .channels = channels, .type = type };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
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
squares (int width, int height, int channels, OdlSampleType type)
{
  return squares_of (width, height, channels, type, 5);
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
    { 77, 61, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,profile=" SPECTRUM },
    { 40, 33, 3, ODL_SAMPLE_U8, "bm3d:sigma=0.06,effort=fast,profile=" SPECTRUM },
    { 7, 50, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,effort=quality,profile=" SPECTRUM },
    { 45, 29, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,profile=" SPECTRUM " bm3d:sigma=0.01" },
    { 30, 30, 1, ODL_SAMPLE_F32, "bm3d:sigma=0" },
    { 30, 31, 1, ODL_SAMPLE_F32, "bm3d:sigma=1" },
    { 45, 29, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06 gaussian:sigma=1 bm3d:sigma=0.01" },
  };
  OdlEngine *engine = odl_gl_test_shared_engine ();
  OdlEngine *cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OdlImage) image
        = squares (cases[i].width, cases[i].height, cases[i].channels, cases[i].type);
    g_autoptr (OdlPlan) plan = odl_gl_test_plan (cases[i].recipe, image);
    if (!odl_gl_test_is_run (engine, plan, i))
      continue;
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
  g_autoptr (OdlImage) coloured
      = filtered (engine, "bm3d:sigma=0.06,profile=" SPECTRUM, image);
  g_autoptr (OdlImage) banded_too
      = filtered (banded, "bm3d:sigma=0.06,profile=" SPECTRUM, image);
  g_assert_cmpmem (odl_image_info (banded_too)->planes[0].data, 90 * 230 * sizeof (float),
                   odl_image_info (coloured)->planes[0].data, 90 * 230 * sizeof (float));
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

// ---- several frames ------------------------------------------------------------------

#define SEQUENCE 12

// Frames of a sequence whose squares move.
static void
make_sequence (OdlImage *images[SEQUENCE],
               int width,
               int height,
               int channels,
               OdlSampleType type)
{
  for (int k = 0; k < SEQUENCE; k++) {
    g_autoptr (OdlImage) wide
        = squares_of (width + SEQUENCE, height, channels, type, (guint32) k + 5);
    const OdlImageInfo *from = odl_image_info (wide);
    OdlImageInfo info
        = { .extent = { width, height, 1 }, .channels = channels, .type = type };
    const size_t size = type == ODL_SAMPLE_F32 ? sizeof (float) : 1;
    char *to;
    images[k] = odl_image_alloc (&info, (void **) &to, NULL);
    for (int y = 0; y < height; y++)
      memcpy (to + (size_t) y * width * channels * size,
              (const char *) from->planes[0].data
                  + ((size_t) y * (width + SEQUENCE) + (size_t) k) * channels * size,
              (size_t) width * channels * size);
  }
}

static void
free_sequence (OdlImage *images[SEQUENCE])
{
  for (int k = 0; k < SEQUENCE; k++)
    odl_image_unref (images[k]);
}

static OdlPlan *
plan_at (const char *text, OdlImage *images[SEQUENCE], int at)
{
  OdlGeometry geometry = odl_geometry_of (images[at]);
  g_autoptr (OdlNeighbours) about = odl_neighbours_new (at, SEQUENCE);
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  const OdlTimeReach reach = odl_plan_time_reach (&recipe, &geometry);
  for (int i = MAX (at - reach.past, 0); i <= MIN (at + reach.ahead, SEQUENCE - 1); i++)
    odl_neighbours_put (about, i, images[i]);
  geometry.neighbours = about;
  OdlPlan *plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  return plan;
}

static OdlImage *
filtered_at (OdlEngine *engine, const char *text, OdlImage *images[SEQUENCE], int at)
{
  g_autoptr (OdlPlan) plan = plan_at (text, images, at);
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_process (engine, plan, images[at], &error);

  g_assert_no_error (error);
  return result;
}

static void
frames_equal_the_engine_cpu (void)
{
  static const struct {
    int width, height, channels;
    OdlSampleType type;
    const char *recipe;
    int at[3]; // frames, one after the other
  } cases[] = {
    { 45, 33, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,frames=3", { 0, 1, 6 } },
    { 37, 25, 3, ODL_SAMPLE_U8, "bm3d:sigma=0.06,frames=3,effort=fast", { 6, 10, 11 } },
    { 36, 28, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,frames=7,effort=fast", { 0, 8, 9 } },
    { 30, 24, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,frames=9", { 4, 5, 5 } },
    { 7, 30, 1, ODL_SAMPLE_F32, "bm3d:sigma=0.06,frames=3", { 3, 4, 5 } },
    { 30, 3, 3, ODL_SAMPLE_F32, "bm3d:sigma=0.06,frames=3,effort=fast", { 3, 4, 5 } },
    { 29,
      29,
      1,
      ODL_SAMPLE_F32,
      "gaussian:sigma=0.5 bm3d:sigma=0.03,frames=3,effort=fast",
      { 4, 5, 8 } },
    { 30, 30, 1, ODL_SAMPLE_F32, "bm3d:sigma=0,frames=3", { 4, 5, 8 } },
    { 45,
      33,
      1,
      ODL_SAMPLE_F32,
      "bm3d:sigma=0.06,frames=3,profile=" SPECTRUM,
      { 0, 1, 6 } },
    { 37,
      25,
      3,
      ODL_SAMPLE_U8,
      "bm3d:sigma=0.06,frames=5,effort=fast,profile=" SPECTRUM,
      { 6, 7, 11 } },
    { 30,
      24,
      1,
      ODL_SAMPLE_F32,
      "bm3d:sigma=0.06,frames=9,profile=" SPECTRUM,
      { 4, 5, 5 } },
    { 7,
      30,
      1,
      ODL_SAMPLE_F32,
      "bm3d:sigma=0.06,frames=3,effort=fast,profile=" SPECTRUM,
      { 3, 4, 5 } },
    { 30,
      3,
      3,
      ODL_SAMPLE_F32,
      "bm3d:sigma=0.06,frames=3,profile=" SPECTRUM,
      { 3, 4, 5 } },
  };
  OdlEngine *engine = odl_gl_test_shared_engine ();
  OdlEngine *cpu = odl_engine_open (odl_engine_find ("cpu"), NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlImage *images[SEQUENCE];
    make_sequence (images, cases[i].width, cases[i].height, cases[i].channels,
                   cases[i].type);
    for (size_t k = 0; k < G_N_ELEMENTS (cases[i].at); k++) {
      g_autoptr (OdlPlan) plan = plan_at (cases[i].recipe, images, cases[i].at[k]);
      if (!odl_gl_test_is_run (engine, plan, i))
        continue;
      g_autoptr (OdlImage) got
          = filtered_at (engine, cases[i].recipe, images, cases[i].at[k]);
      g_autoptr (OdlImage) wanted
          = filtered_at (cpu, cases[i].recipe, images, cases[i].at[k]);
      assert_alike (got, wanted, cases[i].recipe);
    }
    free_sequence (images);
  }
  odl_engine_close (cpu);
}

static void
assert_same (const OdlImage *got, const OdlImage *wanted)
{
  const OdlImageInfo *info = odl_image_info (got);
  const size_t bytes
      = (size_t) info->extent.x * info->extent.y * info->channels * sizeof (float);

  g_assert_cmpmem (info->planes[0].data, bytes, odl_image_info (wanted)->planes[0].data,
                   bytes);
}

// Whether frames before were filtered, whether a band has all rows, and whether the noise
// was another one before: a result is the same, bit by bit.
static void
frames_are_the_same_by (const char *recipe, const char *another)
{
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (OdlEngine) banded = odl_gl_test_engine ();
  OdlImage *images[SEQUENCE];

  make_sequence (images, 44, 64, 1, ODL_SAMPLE_F32);
  odl_gl_compute_set_max_storage (banded, 2 << 20);
  g_autoptr (OdlImage) before = filtered_at (engine, recipe, images, 5);
  g_autoptr (OdlImage) followed = filtered_at (engine, recipe, images, 6);
  g_autoptr (OdlImage) in_bands = filtered_at (banded, recipe, images, 6);
  assert_same (in_bands, followed);
  g_autoptr (OdlImage) other = filtered_at (engine, another, images, 6);
  g_autoptr (OdlImage) back = filtered_at (engine, recipe, images, 6);
  assert_same (back, followed);
  g_assert_cmpint (memcmp (odl_image_info (other)->planes[0].data,
                           odl_image_info (back)->planes[0].data,
                           44 * 64 * sizeof (float)),
                   !=, 0);
  free_sequence (images);
}

static void
frames_are_the_same_however_they_come (void)
{
  frames_are_the_same_by ("bm3d:sigma=0.06,frames=3,effort=fast",
                          "bm3d:sigma=0.04,frames=3,effort=fast");
  frames_are_the_same_by ("bm3d:sigma=0.06,frames=3,effort=fast,profile=" SPECTRUM,
                          "bm3d:sigma=0.06,frames=3,effort=fast,profile=3/" SPECTRUM);
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
    { "frames-equal-the-engine-cpu", frames_equal_the_engine_cpu },
    // The processor decides what of the frames before is kept.
    { "frames-are-the-same-however-they-come", frames_are_the_same_however_they_come,
      NULL, true },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
