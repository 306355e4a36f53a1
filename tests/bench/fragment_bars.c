// SPDX-License-Identifier: MIT
// How fast gl-fragment is beside gl-lookup and beside copies by fragment shaders: 3-level
// CDF 9/7 analysis, soft shrinkage and synthesis of a picture in 32 bits that lies on the
// GPU, grey or with every channel of a colour picture. Prints a Markdown table:
// milliseconds by the GPU's timer, how many times as fast as gl-lookup, the time divided
// by that of as many fragment copies (R32F) as the passes write texels, or single floats,
// and how many images its textures take.
#include <stdlib.h>

#include "bench/bench.h"
#include "engine/gl/platform/copies.h"
#include "engine/gl/fragment/fragment.h"
#include "engine/gl/platform/headless.h"

#define FRAMES 25
#define WARM_UP 5
#define COPY_NS 100000000
#define RECIPE "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"

static const char *const engines[]
    = { "gl-lookup", "gl-fragment:quads", "gl-fragment:mirror", "gl-fragment:packed" };

typedef struct {
  double ms;
  OdlGlTexels written; // 0 where unknown, as
  double images; // of its textures
  char variant[32];
} Result;

static int
compare (const void *a, const void *b)
{
  const int64_t left = *(const int64_t *) a, right = *(const int64_t *) b;

  return left < right ? -1 : left > right;
}

// The steps of the last measured frame but LOAD.
static int64_t
frame_ns (const OdlEngine *engine, const OdlPlan *plan)
{
  int64_t sum = 0;

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind != ODL_STEP_LOAD)
      sum += engine->step_ns[i];
  return sum;
}

static bool
measure (const char *name, int side, int channels, Result *result, GError **error)
{
  g_autoptr (OdlImage) image = odl_bench_texture (side, side, channels, error);
  OdlEngineChoice choice;
  OdlRecipe recipe;
  int64_t ns[FRAMES];

  odl_recipe_init (&recipe);
  if (image == NULL || !odl_engine_choice_parse (name, &choice, error)
      || !odl_recipe_parse (&recipe, RECIPE, error))
    return false;
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  g_autoptr (OdlEngine) engine
      = plan != NULL ? odl_engine_open_choice (choice, error) : NULL;
  if (engine == NULL || !odl_engine_prepare (engine, plan, error))
    return false;
  engine->timing = true;
  for (int i = -WARM_UP; i < FRAMES; i++) {
    if (!odl_engine_run (engine, plan, image, error))
      return false;
    if (i >= 0) // results arrive some frames late
      ns[i] = frame_ns (engine, plan);
  }
  qsort (ns, FRAMES, sizeof ns[0], compare);
  result->ms = (double) ns[FRAMES / 2] / 1e6;
  result->written = odl_gl_fragment_texels (engine);
  result->images = (double) odl_gl_fragment_texture_bytes (engine)
                   / ((double) side * side * channels * sizeof (float));
  g_strlcpy (result->variant, engine->variant, sizeof result->variant);
  return true;
}

static bool
measure_side (int side, int channels, GError **error)
{
  OdlGlTimes copies;
  double lookup_ms = 0;

  if (!odl_gl_copy_time (ODL_GL_COPY_FRAGMENT, side, side, COPY_NS, &copies, error))
    return false;
  qsort (copies.ns, (size_t) copies.n, sizeof copies.ns[0], compare);
  const double copy_ms = (double) copies.ns[copies.n / 2] / 1e6;
  g_print ("| %d | copy, R32F | %.3f | | | | |\n", side, copy_ms);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    Result r;
    if (!measure (engines[i], side, channels, &r, error))
      return false;
    if (i == 0)
      lookup_ms = r.ms;
    const double texel_ms = copy_ms / side / side;
    g_print ("| %d | %s (%s) | %.3f | %.2f |", side, engines[i], r.variant, r.ms,
             lookup_ms / r.ms);
    if (r.written.texels > 0)
      g_print (" %.2f | %.2f | %.2f |\n", r.ms / (r.written.texels * texel_ms),
               r.ms / (r.written.floats * texel_ms), r.images);
    else
      g_print (" | | |\n");
  }
  return true;
}

// Channels (1, 3) and sides as arguments; 1 and 512 1024 2048 4096 without.
int
main (int argc, char **argv)
{
  static const char *const defaults[] = { "512", "1024", "2048", "4096" };
  const int n = argc > 2 ? argc - 2 : (int) G_N_ELEMENTS (defaults);
  const int channels = argc > 1 && atoi (argv[1]) == 3 ? 3 : 1;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, &error);
  bool ok = headless != NULL;

  if (ok)
    g_print ("%s, %d channels\n\n| size | engine | ms | times gl-lookup | of copies of "
             "texels | of copies of floats | images |\n"
             "| --- | --- | --: | --: | --: | --: | --: |\n",
             odl_gl_headless_renderer (headless), channels);
  for (int i = 0; i < n && ok; i++)
    ok = measure_side (atoi (argc > 2 ? argv[i + 2] : defaults[i]), channels, &error);
  if (ok)
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
