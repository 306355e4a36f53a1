// SPDX-License-Identifier: MIT
// Times filters over time: milliseconds per frame, the median of some dozen frames in
// sequence, each waited for; beside them a spatial filter and a recipe that only copies.
// Arguments: [engine …]; cpu without.
#include <stdlib.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/gl/platform/headless.h"

#define FRAMES 31
#define WARM 8 // until windows are full

static const char *const recipes[] = {
  "pass-through",
  "gaussian:sigma=1",
  "recursive-average",
  "sliding-mean:frames=3",
  "sliding-mean:frames=7",
  "sliding-median:frames=3",
  "sliding-median:frames=5",
  "sliding-median:frames=7",
  "persistence",
  "persistence:neighbourhood=5",
  "shrinkage",
  "shrinkage recursive-average",
  "recursive-average shrinkage",
};

typedef struct {
  int width, height, channels;
  const char *more; // words of the recipe
} Case;

static const Case cases[] = {
  { 512, 512, 1, "" },
  { 1920, 1080, 1, "" },
  { 1920, 1080, 3, "colour=luma" },
  { 1920, 1080, 3, "colour=channels" },
};

static OdlImage *
make_frame (const Case *c, int index)
{
  const OdlImageInfo info
      = { .extent = { c->width, c->height }, .channels = c->channels };
  guint32 seed = (guint32) index;
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, NULL);

  for (size_t i = 0; i < (size_t) c->width * c->height * c->channels; i++) {
    seed = seed * 1664525u + 1013904223u;
    ((guint8 *) samples)[i] = (guint8) (100 + (seed >> 27));
  }
  return image;
}

static int
compare (const void *a, const void *b)
{
  const int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

  return (x > y) - (x < y);
}

static bool
time_recipe (OdlEngine *engine,
             OdlGlHeadless *headless,
             const Case *c,
             const char *text,
             GError **error)
{
  g_autofree char *words = g_strjoin (" ", text, c->more, NULL);
  OdlImage *images[2] = { make_frame (c, 1), make_frame (c, 2) };
  const OdlGeometry geometry = odl_geometry_of (images[0]);
  OdlRecipe recipe;
  int64_t times_ns[FRAMES];

  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, words, error))
    return false;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  bool ok = plan != NULL && odl_engine_prepare (engine, plan, error);
  for (int i = 0; i < WARM + FRAMES && ok; i++) {
    const int64_t begin_ns = odl_clock_now_ns ();
    engine->moment = (OdlMoment){ 1, 1 + (uint64_t) i };
    ok = odl_engine_run (engine, plan, images[i % 2], error);
    if (headless != NULL)
      odl_gl_headless_finish (headless);
    if (i >= WARM)
      times_ns[i - WARM] = odl_clock_now_ns () - begin_ns;
  }
  odl_image_unref (images[0]);
  odl_image_unref (images[1]);
  if (!ok)
    return false;
  qsort (times_ns, FRAMES, sizeof *times_ns, compare);
  g_print ("%-12s %4d × %4d × %d %-16s %-28s %8.3f ms\n", engine->klass->name, c->width,
           c->height, c->channels, c->more, text, 1e-6 * (double) times_ns[FRAMES / 2]);
  return true;
}

static bool
time_engine (const char *name, GError **error)
{
  OdlEngineChoice choice;
  bool ok = true;

  if (!odl_engine_choice_parse (name, &choice, error))
    return false;
  OdlGlHeadless *headless = choice.klass->needs_gl ? odl_gl_headless_new (error) : NULL;
  if (choice.klass->needs_gl && headless == NULL)
    return false;
  OdlEngine *engine = odl_engine_open_choice (choice, error);
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes) && engine != NULL && ok; r++)
      ok = time_recipe (engine, headless, &cases[c], recipes[r], error);
  ok = ok && engine != NULL;
  odl_engine_close (engine);
  g_clear_pointer (&headless, odl_gl_headless_free);
  return ok;
}

int
main (int argc, char **argv)
{
  static const char *const usual[] = { "cpu" };
  const char *const *names = argc > 1 ? (const char *const *) argv + 1 : usual;
  const int n = argc > 1 ? argc - 1 : 1;
  int failed = 0;

  for (int i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;
    if (!time_engine (names[i], &error)) {
      g_printerr ("%s: %s\n", names[i], error->message);
      failed++;
    }
  }
  return failed > 0;
}
