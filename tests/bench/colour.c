// SPDX-License-Identifier: MIT
// Times what a colour frame costs on its way through an engine: a picture of noise and
// shapes as I420 (BT.709, limited range), as NV12 and as interleaved RGB, through 3-level
// CDF 9/7 shrinkage of luma and of every channel, then drawn into a canvas of 1280 × 720
// on the CPU. Prints milliseconds per frame, the median of some rounds.
// Arguments: width height [engine …].
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/headless.h"
#include "image/display/display.h"

#define ROUNDS 15
#define CANVAS_WIDTH 1280
#define CANVAS_HEIGHT 720

typedef struct {
  const char *name;
  int pixel_step; // samples from one colour difference to the next; 0: RGB
} Format;

static const Format formats[] = { { "I420", 1 }, { "NV12", 2 }, { "RGB", 0 } };
static const char *const recipes[] = {
  "shrinkage:wavelet=cdf97,levels=3 colour=luma",
  "shrinkage:wavelet=cdf97,levels=3 colour=channels",
};

static uint8_t
texture (int x, int y)
{
  return (uint8_t) (((x * x + y * y) >> 9) + (x * 7919 ^ y * 104729) % 13);
}

static OdlImage *
make_rgb (int width, int height, GError **error)
{
  const OdlImageInfo info = { .extent = { width, height, 1, 1 }, .channels = 3 };
  void *samples;
  OdlImage *image = odl_image_alloc (&info, &samples, error);

  for (int i = 0; image != NULL && i < 3 * width * height; i++)
    ((uint8_t *) samples)[i] = texture (i / 3 % width, i / 3 / width + i % 3);
  return image;
}

static OdlImage *
make_ycbcr (const Format *format, int width, int height, GError **error)
{
  const int across = (width + 1) / 2, down = (height + 1) / 2, step = format->pixel_step;
  const size_t luma = (size_t) width * height, chroma = (size_t) across * down;
  uint8_t *samples = g_malloc (luma + 2 * chroma);
  uint8_t *blue = samples + luma, *red = step == 2 ? blue + 1 : blue + chroma;
  OdlImageInfo info = {
    .extent = { width, height, 1, 1 },
    .channels = 3,
    .ycbcr = { .used = true, .shift_x = 1, .shift_y = 1, .kr = 0.2126, .kb = 0.0722 },
    .planes = { { samples, 1, (size_t) width, 0, 0 },
                { blue, (size_t) step, (size_t) across * step, 0, 0 },
                { red, (size_t) step, (size_t) across * step, 0, 0 } },
  };

  odl_ycbcr_set_range (&info.ycbcr, 8, false);
  for (size_t i = 0; i < luma + 2 * chroma; i++)
    samples[i] = texture ((int) (i % width), (int) (i / width));
  return odl_image_wrap (&info, g_free, samples, error);
}

static double
median (double *times, int n)
{
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
      const double swapped = times[k];
      times[k] = times[k - 1];
      times[k - 1] = swapped;
    }
  return times[n / 2];
}

static double
now_ms (void)
{
  return (double) g_get_monotonic_time () / 1000;
}

// On a busy machine the time of all threads says more than that of the clock.
static double
busy_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * (double) time.tv_sec + 1e-6 * (double) time.tv_nsec;
}

typedef struct {
  double run[ROUNDS], fetch[ROUNDS], draw[ROUNDS], busy[ROUNDS];
} Times;

// One frame to the CPU's canvas; false and an error when the engine fails.
static bool
show (OdlEngine *engine,
      const OdlPlan *plan,
      OdlImage *image,
      uint8_t *canvas,
      Times *times,
      int round,
      GError **error)
{
  const OdlWindow window = { .mode = ODL_WINDOW_FULL };
  const double begin = now_ms ();
  if (!odl_engine_run (engine, plan, image, error))
    return false;
  const double ran = now_ms ();
  g_autoptr (OdlImage) result
      = engine->klass->show != NULL
            ? engine->klass->show (engine, plan, error)
            : odl_engine_read_back (engine, plan, plan->result, error);
  if (result == NULL)
    return false;
  const double fetched = now_ms ();
  const OdlImageInfo *info = odl_image_info (result);
  const OdlDisplayScene scene = {
    .scaled = result,
    .display = odl_display_make (info, &window, ODL_NO_DETAILS),
  };
  OdlView view = odl_view_make (info->extent.x, info->extent.y, 1);
  odl_view_layout (&view, CANVAS_WIDTH, CANVAS_HEIGHT);
  odl_display_render_view (&scene, &view, CANVAS_WIDTH, CANVAS_HEIGHT, canvas);
  times->run[round] = ran - begin;
  times->fetch[round] = fetched - ran;
  times->draw[round] = now_ms () - fetched;
  return true;
}

// The same picture over and over, for engines that draw it themselves: until it is done.
static bool
run_in_gl (OdlEngine *engine,
           const OdlPlan *plan,
           OdlImage *image,
           OdlGlHeadless *headless,
           Times *times,
           int round,
           GError **error)
{
  const double begin = now_ms ();

  if (!odl_engine_run (engine, plan, image, error))
    return false;
  odl_gl_engine_picture (engine, plan, plan->result);
  times->run[round] = now_ms () - begin;
  odl_gl_headless_finish (headless);
  times->fetch[round] = now_ms () - begin - times->run[round];
  times->draw[round] = 0;
  return true;
}

static bool
measure (OdlEngineChoice choice,
         OdlGlHeadless *headless,
         OdlImage *image,
         const char *format,
         const char *recipe_text,
         GError **error)
{
  g_autofree uint8_t *canvas = g_malloc (4 * CANVAS_WIDTH * CANVAS_HEIGHT);
  const OdlGeometry geometry = odl_geometry_of (image);
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (choice, error);
  OdlRecipe recipe;
  Times times;

  odl_recipe_init (&recipe);
  if (engine == NULL || !odl_recipe_parse (&recipe, recipe_text, error))
    return false;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_prepare (engine, plan, error))
    return false;
  for (int round = -2; round < ROUNDS; round++) {
    const double busy = busy_ms ();
    const bool ok
        = choice.klass->needs_gl
              ? run_in_gl (engine, plan, image, headless, &times, MAX (round, 0), error)
              : show (engine, plan, image, canvas, &times, MAX (round, 0), error);
    if (!ok)
      return false;
    times.busy[MAX (round, 0)] = busy_ms () - busy;
  }
  const double run = median (times.run, ROUNDS), fetch = median (times.fetch, ROUNDS);
  const double draw = median (times.draw, ROUNDS);
  g_print ("%-12s %-24s %-5s %-6s %8.2f %8.2f %8.2f %8.2f %8.2f\n", choice.klass->name,
           engine->variant, format, strstr (recipe_text, "luma") != NULL ? "luma" : "rgb",
           run, fetch, draw, run + fetch + draw, median (times.busy, ROUNDS));
  return true;
}

static bool
measure_engine (const char *name, int width, int height, GError **error)
{
  OdlEngineChoice choice;

  if (!odl_engine_choice_parse (name, &choice, error))
    return false;
  g_autoptr (OdlGlHeadless) headless
      = choice.klass->needs_gl ? odl_gl_headless_new (error) : NULL;
  if (choice.klass->needs_gl && headless == NULL)
    return false;
  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (OdlImage) image = formats[f].pixel_step == 0
                                     ? make_rgb (width, height, error)
                                     : make_ycbcr (&formats[f], width, height, error);
    if (image == NULL)
      return false;
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
      if (!measure (choice, headless, image, formats[f].name, recipes[r], error))
        return false;
  }
  return true;
}

int
main (int argc, char **argv)
{
  const int width = argc > 1 ? atoi (argv[1]) : 1920;
  const int height = argc > 2 ? atoi (argv[2]) : 1080;
  static const char *const usual[] = { "cpu" };
  const char *const *engines = argc > 3 ? (const char *const *) argv + 3 : usual;
  const int n = argc > 3 ? argc - 3 : 1;
  int failures = 0;

  if (width < 1 || height < 1)
    return 2;
  g_print ("%d x %d, ms per frame (GL: run, then until it is done)\n"
           "%-12s %-24s %-5s %-6s %8s %8s %8s %8s %8s\n",
           width, height, "engine", "variant", "input", "colour", "run", "fetch", "draw",
           "sum", "threads");
  for (int i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;
    if (measure_engine (engines[i], width, height, &error))
      continue;
    g_printerr ("%s: %s\n", engines[i], error->message);
    failures++;
  }
  return failures > 0;
}
