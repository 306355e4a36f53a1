// SPDX-License-Identifier: MIT
#include <time.h>

#include "base/debug.h"
#include "engine/gl/platform/headless.h"
#include "engine/gl/platform/meter.h"
#include "engine/prices.h"

#define MOST_ATTEMPTS 2

// The first case whose products take so long counts, else the last: smaller ones measure
// what starts and ends them.
#define LONG_ENOUGH_NS 2000000
#define ROUNDS 5
// Products need the clock of the processors, transforms that of the memory: a card that
// rested reaches its clocks in this time. An H200 found 0.61 in its first rounds, 0.85
// later.
#define CARD_WAKES_US 300000
#define METER_NS 2000000
static const int cases[2][3][2] = { { { 512, 11 }, { 1024, 13 }, { 2048, 17 } },
                                    { { 48, 5 }, { 96, 7 }, { 192, 9 } } };

typedef struct {
  OdlEngine *ways[2]; // products, transforms
  OdlGlHeadless *headless;
  bool (*stopped) (void *data);
  void *data;
} Measurement;

static bool
is_stopped (const Measurement *m)
{
  return m->stopped != NULL && m->stopped (m->data);
}

static OdlPlan *
plan_case (bool deep, const int *sizes, const OdlImage *image)
{
  g_autofree char *text
      = g_strdup_printf ("convolve:shape=quadrature,direction=30,size=%d%s", sizes[1],
                         deep ? ",elevation=20,dimensions=3" : "");
  const OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  return odl_recipe_parse (&recipe, text, NULL) ? odl_plan_new (&recipe, &geometry, NULL)
                                                : NULL;
}

static void
repeat (void *data)
{
  OdlEngine *engine = data;

  engine->klass->repeat (engine, false);
}

// What the processor draws is measured by the time that all threads were given: other
// programs count little.
static double
time_software (const Measurement *m, OdlEngine *engine)
{
  struct timespec from, to;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &from);
  repeat (engine);
  odl_gl_headless_finish (m->headless);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &to);
  return 1e9 * (double) (to.tv_sec - from.tv_sec) + (double) (to.tv_nsec - from.tv_nsec);
}

static double
time_way (const Measurement *m, OdlEngine *engine)
{
  OdlGlTimes times;
  double least = G_MAXDOUBLE;

  if (odl_gl_headless_is_software (m->headless))
    return time_software (m, engine);
  odl_gl_meter (repeat, engine, METER_NS, &times);
  for (int i = 0; i < times.n; i++)
    least = MIN (least, (double) times.ns[i]);
  return least;
}

// Times as dear as shipped, and the time of products in `ns`. False: it failed.
static bool
measure_case (const Measurement *m,
              bool deep,
              const int *sizes,
              double *ns,
              double *price)
{
  const OdlImageInfo info = { .extent = { sizes[0], sizes[0], deep ? sizes[0] : 1, 1 },
                              .channels = 1,
                              .type = ODL_SAMPLE_F32 };
  void *samples;
  g_autoptr (OdlImage) image = odl_image_alloc (&info, &samples, NULL);
  g_autoptr (OdlPlan) plan = image != NULL ? plan_case (deep, sizes, image) : NULL;
  double least[2] = { G_MAXDOUBLE, G_MAXDOUBLE };

  if (plan == NULL)
    return false;
  for (int w = 0; w < 2; w++)
    if (is_stopped (m) || !odl_engine_prepare (m->ways[w], plan, NULL) || is_stopped (m)
        || !odl_engine_run (m->ways[w], plan, image, NULL))
      return false;
  const int64_t awake = odl_gl_headless_is_software (m->headless)
                            ? 0
                            : g_get_monotonic_time () + CARD_WAKES_US;
  for (int round = 0; round < ROUNDS || g_get_monotonic_time () < awake; round++)
    for (int w = 0; w < 2; w++) {
      if (is_stopped (m))
        return false;
      least[w] = MIN (least[w], time_way (m, m->ways[w]));
    }
  *ns = least[0];
  *price = CLAMP (m->ways[1]->gain * least[1] / MAX (least[0], 1), 1 / ODL_PRICES_MOST,
                  ODL_PRICES_MOST);
  return least[0] > 0 && least[1] > 0;
}

static bool
measure_all (const Measurement *m, OdlPrices *prices)
{
  double *const found[2] = { &prices->pictures, &prices->volumes };

  for (int deep = 0; deep < 2; deep++) {
    double ns = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (cases[0]) && ns < LONG_ENOUGH_NS; i++)
      if (!measure_case (m, deep, cases[deep][i], &ns, found[deep]))
        return false;
  }
  return true;
}

static bool
is_known (const char *device)
{
  g_autofree char *path = odl_prices_path ();
  OdlPrices kept;

  return !odl_prices_are_asked ("again") && odl_prices_load (path, device, &kept);
}

static void
measure_and_keep (const Measurement *m)
{
  const char *device = m->ways[0]->device;
  g_autofree char *path = odl_prices_path ();
  OdlPrices prices = { .is_measured = true };
  g_autoptr (GError) error = NULL;

  if (is_known (device))
    return;
  const bool begun = odl_prices_begin (path, device, MOST_ATTEMPTS, &error);
  const bool measured = begun && measure_all (m, &prices);
  if (begun && !measured && is_stopped (m))
    odl_prices_withdraw (path, device, &error);
  if (measured && odl_prices_save (path, device, &prices, &error))
    odl_debug (ODL_DEBUG_PLAN,
               "transforms are %.2f times as dear as shipped for pictures, %.2f for "
               "volumes (%s)",
               prices.pictures, prices.volumes, device);
  if (error != NULL)
    odl_debug (ODL_DEBUG_PLAN, "%s", error->message);
}

void
odl_prices_measure (const char *gpu, bool (*stopped) (void *data), void *data)
{
  g_autofree char *device = odl_prices_device (gpu != NULL ? gpu : "");
  OdlEngineChoice way;
  Measurement m = { .stopped = stopped, .data = data };

  if (odl_prices_are_asked ("shipped") || is_known (device))
    return;
  OdlGlHeadless *headless = odl_gl_headless_new_on (gpu, NULL);
  for (int w = 0; w < 2 && headless != NULL; w++)
    if (odl_engine_choice_parse (w == 0 ? "gl-compute:direct" : "gl-compute:fft", &way,
                                 NULL))
      m.ways[w] = odl_engine_open_choice (way, NULL);
  if (m.ways[0] != NULL && m.ways[1] != NULL) {
    m.headless = headless;
    measure_and_keep (&m);
  }
  odl_engine_close (m.ways[0]);
  odl_engine_close (m.ways[1]);
  odl_gl_headless_free (headless);
}
