// SPDX-License-Identifier: MIT
// Volumes in sections: how they are cut, and that they give what the whole volume gives.
#include "base/error.h"
#include "engine/sections.h"

#include <math.h>

#include "engine/registry.h"

#define WIDTH 13
#define HEIGHT 11
#define DEPTH 29
#define TIMES 4

static OdlImage *
make_volume (guint32 seed)
{
  const OdlImageInfo info = { .extent = { WIDTH, HEIGHT, DEPTH, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_F32,
                              .stored_max = 1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  void *samples;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);

  g_assert_nonnull (volume);
  for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
    ((float *) samples)[i] = (float) g_rand_double (rand);
  return volume;
}

static OdlGeometry
geometry_of (OdlImage *const volumes[TIMES], int time)
{
  OdlGeometry geometry = odl_geometry_of (volumes[time]);

  geometry.neighbours = odl_neighbours_new (time, TIMES);
  for (int t = 0; t < TIMES; t++)
    odl_neighbours_put (geometry.neighbours, t, volumes[t]);
  return geometry;
}

static float
sample_at (const OdlImage *image, int x, int y, int z)
{
  const OdlPlane *plane = &odl_image_info (image)->planes[0];

  return *(const float *) (const void *) ((const char *) plane->data
                                          + z * plane->slice_stride_bytes
                                          + y * plane->row_stride_bytes
                                          + x * plane->sample_stride_bytes);
}

static double
distance (const OdlImage *a, const OdlImage *b)
{
  double most = 0;

  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        most = MAX (most, fabs ((double) sample_at (a, x, y, z)
                                - (double) sample_at (b, x, y, z)));
  return most;
}

// In sections of any size, on `engine`.
static void
check_recipe (const char *engine_name, const char *text, int more)
{
  g_autoptr (GError) error = NULL;
  OdlImage *volumes[TIMES];
  OdlRecipe recipe;

  for (int t = 0; t < TIMES; t++)
    volumes[t] = make_volume ((guint32) t + 1);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, text, &error));
  OdlGeometry geometry = geometry_of (volumes, 1);
  g_autoptr (OdlNeighbours) neighbours = geometry.neighbours;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  OdlEngine *engine = odl_engine_open (odl_engine_find (engine_name), &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) whole = odl_engine_process (engine, plan, volumes[1], &error);
  g_assert_no_error (error);

  const OdlSections one = odl_sections_of (plan, 0, 0, false);
  g_assert_cmpint (one.count, ==, 1);
  for (double bytes = 1e4; bytes < 2e6; bytes *= 1.7) {
    const OdlSections cut = odl_sections_of (plan, bytes, 0, false);
    if (cut.count == 1)
      continue;
    g_assert_cmpint (cut.more, ==, more);
    g_autoptr (OdlImage) parts = odl_engine_process_sections (engine, &recipe, &geometry,
                                                              &cut, volumes[1], &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (distance (parts, whole), ==, 0);
  }
  const OdlSections least = odl_sections_of (plan, 1, 0, false);
  g_assert_cmpint (least.count, >, 1);
  odl_engine_close (engine);
  for (int t = 0; t < TIMES; t++)
    odl_image_unref (volumes[t]);
}

static void
equal_the_whole (void)
{
  check_recipe ("cpu", "convolve:shape=quadrature,size=5,dimensions=3", 2);
  check_recipe ("cpu", "convolve:shape=gaussian,size=7,dimensions=3,border=symmetric", 3);
  check_recipe ("cpu",
                "median:size=3 convolve:shape=gaussian,size=5,dimensions=3 gaussian", 2);
  check_recipe ("cpu", "bilateral:size=3,dimensions=3", 1);
  check_recipe ("cpu", "structure-tensor:dimensions=3,size=3,smoothing=0.5,output=energy",
                3);
  check_recipe ("cpu", "bilateral:dimensions=3", 4);
  check_recipe ("cpu", "shrinkage:levels=1,thresholds=0.2,dimensions=3", 8);
  check_recipe ("cpu", "adaptive:dimensions=4,noise=0.1,size=3,filter-size=5,smoothing=0",
                2);
}

// Every slice is of one section, which has what it depends on.
static void
cover_the_volume (void)
{
  OdlRecipe recipe;
  g_autoptr (OdlImage) volume = make_volume (9);

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe,
                                   "adaptive:dimensions=3,noise=0.1,size=3,"
                                   "filter-size=5,smoothing=0",
                                   NULL));
  OdlGeometry geometry = odl_geometry_of (volume);
  for (int depth = 8; depth < 200; depth++) {
    geometry.depth = depth;
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
    for (double bytes = 1e3; bytes < 4e6; bytes *= 1.3) {
      const OdlSections cut = odl_sections_of (plan, bytes, 0, false);
      int next = 0;
      for (int i = 0; i < cut.count; i++) {
        const OdlSection section = odl_sections_at (&cut, i);
        g_assert_cmpint (section.first, ==, next);
        g_assert_cmpint (section.end, >, section.first);
        g_assert_cmpint (section.from, >=, 0);
        g_assert_cmpint (section.from + cut.depth, <=, depth);
        g_assert_true (section.from == 0 || section.first - section.from >= cut.more);
        g_assert_true (section.from + cut.depth == depth
                       || section.from + cut.depth - section.end >= cut.more);
        next = section.end;
      }
      g_assert_cmpint (next, ==, depth);
    }
  }
}

// What looks at all slices, or goes round, is not cut.
static void
are_not_for_all (void)
{
  static const char *const texts[]
      = { "convolve:shape=gaussian,dimensions=3,border=periodic",
          "shrinkage:levels=2,dimensions=3", "trough-threshold:dimensions=3" };
  g_autoptr (OdlImage) volume = make_volume (9);
  const OdlGeometry geometry = odl_geometry_of (volume);

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    g_assert_true (odl_recipe_parse (&recipe, texts[i], NULL));
    g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, NULL);
    const OdlSections one = odl_sections_of (plan, 1, 0, false);
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (one.count, ==, 1);
    g_assert_true (odl_sections_fit (&one, 0, NULL));
    g_assert_false (odl_sections_fit (&one, 1, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  }
}

int
main (int argc, char **argv)
{
  // By Fourier transforms parts have other roundings than the whole, and from what size
  // on these are taken depends on how long the processor's vectors are.
  g_setenv ("ODL_CPU", "direct", FALSE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sections/equal the whole", equal_the_whole);
  g_test_add_func ("/sections/cover the volume", cover_the_volume);
  g_test_add_func ("/sections/are not for all", are_not_for_all);
  return g_test_run ();
}
