// SPDX-License-Identifier: MIT
// A filter that finds no memory while it runs is an error, not a picture that looks
// filtered.
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "engine/registry.h"

#include "../../helpers/images.h"

#define SIDE 1024

typedef struct {
  const char *engine, *recipe;
} Case;

static void
test_bm3d (const void *data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  void *samples;
  struct rlimit before, least;
  g_autoptr (OdlImage) image = odl_test_image (SIDE, SIDE, 1, ODL_SAMPLE_U8, &samples);

  for (int i = 0; i < SIDE * SIDE; i++)
    ((guint8 *) samples)[i] = (guint8) (i * 7 % 251);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, c->recipe, &error));
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  OdlEngine *engine = odl_engine_open (odl_engine_find (c->engine), &error);
  g_assert_true (odl_engine_prepare (engine, plan, &error));
  // What the engine itself needs is there; the filter looks for its own each time.
  g_assert_true (odl_engine_run (engine, plan, image, &error));
  g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
  least = (struct rlimit){ 1 << 20, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_AS, &least), ==, 0);
  const bool done = odl_engine_run (engine, plan, image, &error);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
  g_assert_false (done);
  g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "for this filter"));
  odl_engine_close (engine);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  mallopt (M_MMAP_THRESHOLD, 1 << 16); // what is freed goes back to the system
  g_test_add_data_func ("/short-of-memory/reference",
                        &(Case){ "reference", "bm3d:sigma=0.05" }, test_bm3d);
  g_test_add_data_func ("/short-of-memory/cpu", &(Case){ "cpu", "bm3d:sigma=0.05" },
                        test_bm3d);
  // The filter before it runs as one pass, which has its memory already.
  g_test_add_data_func ("/short-of-memory/cpu-after-a-pass",
                        &(Case){ "cpu", "soft-threshold bm3d:sigma=0.05" }, test_bm3d);
  return g_test_run ();
}
