// SPDX-License-Identifier: MIT
// How long the engine gl-compute keeps a thread while the driver compiles a filter, on a
// picture of 1920 × 1080: waiting for it, and asking again every 8 ms as the window does.
// One process measures one way, since programs are kept; so does a driver's cache, which
// is to be off (NVIDIA: __GL_SHADER_DISK_CACHE=0). Prints a row of a Markdown table:
// calls of prepare, the longest and all of them in ms, the time until the filter is
// prepared, and what the first frame then takes. Arguments: wait or ask, a recipe.
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/bench.h"
#include "engine/gl/platform/headless.h"

#define ASK_US 8000

static double
ms_since (int64_t start)
{
  return (double) (g_get_monotonic_time () - start) / 1000;
}

static bool
measure (OdlEngine *engine, const char *how, const char *text, GError **error)
{
  g_autoptr (OdlImage) image = odl_bench_texture (1920, 1080, 1, error);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  if (image == NULL || !odl_recipe_parse (&recipe, text, error))
    return false;
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL)
    return false;
  engine->patient = g_str_equal (how, "ask");
  const int64_t start = g_get_monotonic_time ();
  double longest = 0, all = 0;
  int calls = 0;
  for (bool ready = false; !ready; calls++) {
    g_autoptr (GError) pending = NULL;
    const int64_t call = g_get_monotonic_time ();
    ready = odl_engine_prepare (engine, plan, &pending);
    longest = MAX (longest, ms_since (call));
    all += ms_since (call);
    if (!ready && !g_error_matches (pending, ODL_ERROR, ODL_ERROR_PENDING)) {
      g_propagate_error (error, g_steal_pointer (&pending));
      return false;
    }
    if (!ready)
      g_usleep (ASK_US);
  }
  const double until = ms_since (start);
  const int64_t first = g_get_monotonic_time ();
  if (!odl_engine_run (engine, plan, image, error))
    return false;
  const double queued = ms_since (first);
  glFinish ();
  g_print ("| %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f |\n", text, how, calls,
           longest, all, until, queued, ms_since (first));
  return true;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc != 3)
    g_error ("usage: gpu-compiling wait|ask RECIPE");
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, &error);
  OdlEngine *engine = headless != NULL
                          ? odl_engine_open (odl_engine_find ("gl-compute"), &error)
                          : NULL;
  const bool ok = engine != NULL && measure (engine, argv[1], argv[2], &error);
  if (!ok)
    g_printerr ("%s\n", error->message);
  odl_engine_close (engine);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
