// SPDX-License-Identifier: MIT
// Times the transform of video coders (helpers/coder/coder.h). Every line of output is a
// JSON object; coder.py makes tables of them. usage:
//   odl-coder costs                      operations and memory of a level of 1920 × 1080
//   odl-coder table WIDTH HEIGHT LEVELS PADDED THREADS MS   every scheme, colour,
//   periodic
//                                        where it can be; levels 0: all; MS: how long
//                                        each is measured about
//   odl-coder psnr                       of reconstruction, by distance from the border
//   odl-coder engine NAME WIDTH HEIGHT LEVELS PADDED MS   the same of an engine, without
//   a
//                                        number of threads
//   odl-coder frames WAY NUMBER THREADS PACE_MS PADDED   both directions, 1920 × 1080, 3
//                                        levels, or all that the padded square has;
//                                        WAY is a scheme with lifting, filtering (by rows
//                                        and columns), or an engine
// Three warm-up runs come first, pictures change from run to run, and the coefficients'
// sum of each is the same every time, or the program fails.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/order.h"
#include "base/parallel.h"
#include "coder/coder.h"
#include "coder_engine.h"

#define WARM_UP 3
#define LEAST_RUNS 3
#define MOST_RUNS 1000
#define PICTURES 2
#define FRAMES 24 // different ones that are held in memory

static double
since_ms (int64_t start_ns)
{
  return 1e-6 * (double) (odl_clock_now_ns () - start_ns);
}

static double
median_of (double *ms, int n)
{
  qsort (ms, n, sizeof ms[0], odl_order_doubles);
  return ms[n / 2];
}

// A texture that moves with `index`.
static OdlImage *
make_picture (int width, int height, int index)
{
  const OdlImageInfo info = { .extent = { width, height }, .channels = 3 };
  void *samples;
  g_autoptr (GError) error = NULL;
  OdlImage *image = odl_image_alloc (&info, &samples, &error);

  g_assert_no_error (error);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < 3 * width; x++) {
      const unsigned noise = ((unsigned) (y * 3 * width + x + index) * 2654435761u) >> 27;
      const int wave = (x + 7 * index) * (y + 3 * index) >> 9;
      ((uint8_t *) samples)[(size_t) y * 3 * width + x] = (uint8_t) (wave + (int) noise);
    }
  return image;
}

static void
print_name (const OdlCoderParams *params)
{
  g_print ("{\"scheme\": \"%s\", \"method\": \"%s\", \"border\": \"%s\"",
           odl_coder_schemes[params->scheme], odl_coder_methods[params->method],
           params->border == ODL_BORDER_PERIODIC ? "periodic" : "symmetric");
}

// Calls `use` with every scheme that there is of these sizes.
static void
for_every_scheme (OdlCoderParams params,
                  bool both_borders,
                  void (*use) (const OdlCoderParams *, void *),
                  void *data)
{
  static const OdlBorder borders[] = { ODL_BORDER_PERIODIC, ODL_BORDER_WHOLE_SAMPLE };

  for (int scheme = 0; scheme < ODL_CODER_N_SCHEMES; scheme++)
    for (int method = 0; method < ODL_CODER_N_METHODS; method++)
      for (int border = 0; border < 2; border++) {
        params.scheme = scheme;
        params.method = method;
        params.border = borders[border];
        if (border > 0 && !both_borders && scheme != ODL_CODER_STREAM)
          continue;
        // The stream is the same along rows.
        if (odl_coder_suits (&params)
            && (scheme != ODL_CODER_STREAM || method == ODL_CODER_LIFTING))
          use (&params, data);
      }
}

// ---- costs, table, psnr
// ----------------------------------------------------------------

static void
print_costs (const OdlCoderParams *params, void *data)
{
  g_autoptr (OdlCoder) coder = odl_coder_new (params);
  const OdlCoderCosts costs = odl_coder_costs (coder);

  print_name (params);
  g_print (", \"operations\": %.0f, \"picture_bytes\": %.0f, \"work_bytes\": %.0f}\n",
           costs.operations, costs.picture_bytes, costs.work_bytes);
}

typedef struct {
  OdlImage *images[PICTURES];
  double budget_ms;
  uint8_t *pixels;
} Table;

typedef enum { LOAD, FORWARD, INVERSE, STORE, N_PARTS } Part;

static const char *const parts[N_PARTS] = { "load", "forward", "inverse", "store" };

static void
time_scheme (const OdlCoderParams *params, void *data)
{
  const Table *table = data;
  static double ms[N_PARTS][MOST_RUNS];
  double sums[PICTURES] = { 0 };
  int picture = 0;
  g_autoptr (OdlCoder) coder = odl_coder_new (params);
  const int64_t begin_ns = odl_clock_now_ns ();
  int n = -WARM_UP;

  g_assert_nonnull (coder);
  for (; n < MOST_RUNS && (n < LEAST_RUNS || since_ms (begin_ns) < table->budget_ms);
       n++) {
    // What takes many times as long as it may is warm after its first run.
    if (n < 0 && since_ms (begin_ns) > 8 * table->budget_ms)
      n = 0;
    picture = 1 - picture;
    int64_t start_ns = odl_clock_now_ns ();
    double now[N_PARTS];
    odl_coder_load (coder, table->images[picture]);
    now[LOAD] = since_ms (start_ns);
    start_ns = odl_clock_now_ns ();
    odl_coder_forward (coder);
    now[FORWARD] = since_ms (start_ns);
    const double sum = odl_coder_checksum (coder);
    if (sums[picture] != 0 && sum != sums[picture])
      g_error ("the sum of the coefficients varies: %.17g, %.17g", sum, sums[picture]);
    sums[picture] = sum;
    start_ns = odl_clock_now_ns ();
    odl_coder_inverse (coder);
    now[INVERSE] = since_ms (start_ns);
    start_ns = odl_clock_now_ns ();
    odl_coder_store (coder, table->pixels);
    now[STORE] = since_ms (start_ns);
    for (int p = 0; p < N_PARTS && n >= 0; p++)
      ms[p][n] = now[p];
  }
  print_name (params);
  g_print (", \"width\": %d, \"height\": %d, \"levels\": %d, \"padded\": %s, "
           "\"threads\": %d, \"runs\": %d, \"psnr\": %.1f",
           params->width, params->height, odl_coder_levels (params),
           params->padded ? "true" : "false", odl_parallel_threads (), n,
           odl_coder_psnr (coder, table->images[picture], 0, G_MAXINT));
  for (int p = 0; p < N_PARTS; p++)
    g_print (", \"%s\": %.4f", parts[p], median_of (ms[p], n));
  g_print ("}\n");
}

static int
run_table (char **argv)
{
  const OdlCoderParams params = { .width = atoi (argv[0]),
                                  .height = atoi (argv[1]),
                                  .channels = 3,
                                  .levels = atoi (argv[2]),
                                  .padded = atoi (argv[3]) != 0 };
  Table table = { .budget_ms = atof (argv[5]) };

  if (params.width < 1 || params.height < 1)
    return 2;
  odl_parallel_set_threads (MAX (atoi (argv[4]), 1));
  for (int i = 0; i < PICTURES; i++)
    table.images[i] = make_picture (params.width, params.height, i);
  table.pixels = g_malloc ((size_t) 3 * params.width * params.height);
  for_every_scheme (params, false, time_scheme, &table);
  for (int i = 0; i < PICTURES; i++)
    odl_image_unref (table.images[i]);
  g_free (table.pixels);
  return 0;
}

typedef struct {
  double both[MOST_RUNS], floats[MOST_RUNS], bytes[MOST_RUNS], again[MOST_RUNS],
      inverse[MOST_RUNS];
} EngineRuns;

// Returns the number of runs, 0 on errors.
static int
time_engine (CoderEngine *engine,
             const Table *table,
             EngineRuns *runs,
             double *psnr,
             GError **error)
{
  const int64_t begin_ns = odl_clock_now_ns ();
  double sums[PICTURES] = { 0 };
  int n = -WARM_UP, picture = 0;

  for (; n < MOST_RUNS && (n < LEAST_RUNS || since_ms (begin_ns) < table->budget_ms);
       n++) {
    CoderEngineMs ms;
    picture = 1 - picture;
    if (!coder_engine_run (engine, table->images[picture], true, &ms, error))
      return 0;
    const double sum = coder_engine_sum (engine);
    if (sums[picture] != 0 && sum != sums[picture])
      g_error ("the sum of the samples varies: %.17g, %.17g", sum, sums[picture]);
    sums[picture] = sum;
    if (n < 0)
      continue;
    runs->both[n] = ms.both;
    runs->floats[n] = ms.floats;
    runs->bytes[n] = ms.bytes;
    runs->again[n] = ms.again;
    runs->inverse[n] = ms.inverse;
  }
  *psnr = coder_engine_psnr (engine, table->images[picture]);
  return n;
}

static int
run_engine_table (char **argv)
{
  const OdlCoderParams params = { .width = atoi (argv[1]),
                                  .height = atoi (argv[2]),
                                  .channels = 3,
                                  .levels = atoi (argv[3]),
                                  .padded = atoi (argv[4]) != 0 };
  Table table = { .budget_ms = atof (argv[5]) };
  static EngineRuns runs;
  g_autoptr (GError) error = NULL;
  double psnr = 0;

  if (params.width < 1 || params.height < 1)
    return 2;
  for (int i = 0; i < PICTURES; i++)
    table.images[i] = make_picture (params.width, params.height, i);
  CoderEngine *engine = coder_engine_new (argv[0], &params, &error);
  const int n = engine != NULL ? time_engine (engine, &table, &runs, &psnr, &error) : 0;
  if (n > 0)
    g_print ("{\"engine\": \"%s\", \"width\": %d, \"height\": %d, \"levels\": %d, "
             "\"padded\": %s, \"runs\": %d, \"psnr\": %.1f, \"both\": %.4f, "
             "\"floats\": %.4f, \"bytes\": %.4f, \"again\": %.4f, \"inverse\": %.4f}\n",
             argv[0], params.width, params.height, odl_coder_levels (&params),
             params.padded ? "true" : "false", n, psnr, median_of (runs.both, n),
             median_of (runs.floats, n), median_of (runs.bytes, n),
             median_of (runs.again, n), median_of (runs.inverse, n));
  else
    g_printerr ("%s\n", error->message);
  g_clear_pointer (&engine, coder_engine_free);
  for (int i = 0; i < PICTURES; i++)
    odl_image_unref (table.images[i]);
  return n > 0 ? 0 : 1;
}

// As in the source's listing 5.9: of what is left when a border of that width is cut off;
// and the worst of the lines at one distance.
static void
print_psnr (const OdlCoderParams *params, void *data)
{
  static const int cuts[] = { 0, 5, 10, 15, 20 };
  OdlImage *image = data;
  g_autoptr (OdlCoder) coder = odl_coder_new (params);
  double worst = INFINITY;

  odl_coder_load (coder, image);
  odl_coder_forward (coder);
  odl_coder_inverse (coder);
  print_name (params);
  for (size_t i = 0; i < G_N_ELEMENTS (cuts); i++)
    g_print (", \"%d\": %.2f", cuts[i], odl_coder_psnr (coder, image, cuts[i], G_MAXINT));
  for (int distance = 0; distance < 24; distance++)
    worst = fmin (worst, odl_coder_psnr (coder, image, distance, distance + 1));
  g_print (", \"worst\": %.2f}\n", worst);
}

// ---- frames
// ----------------------------------------------------------------------------

typedef struct {
  OdlImage *images[FRAMES];
  double sums[FRAMES];
  int number;
  double pace_ms; // 0: as fast as they go
} Frames;

static void
wait_for_turn (const Frames *frames, int64_t begin_ns, int i)
{
  const double left_ms = i * frames->pace_ms - since_ms (begin_ns);

  if (left_ms > 0)
    g_usleep ((gulong) (1000 * left_ms));
}

// The sums of the second time and later must be those of the first.
static void
check_sum (Frames *frames, int i, double sum)
{
  if (frames->sums[i % FRAMES] != 0 && frames->sums[i % FRAMES] != sum)
    g_error ("the sum of frame %d varies", i % FRAMES);
  frames->sums[i % FRAMES] = sum;
}

static int
run_coder (OdlCoderParams params, Frames *frames)
{
  g_autoptr (OdlCoder) coder = odl_coder_new (&params);
  g_autofree uint8_t *pixels = g_malloc ((size_t) 3 * params.width * params.height);
  const int64_t begin_ns = odl_clock_now_ns ();

  for (int i = -WARM_UP; i < frames->number; i++) {
    OdlImage *image = frames->images[(i + WARM_UP) % FRAMES];
    wait_for_turn (frames, begin_ns, i);
    const int64_t start_ns = odl_clock_now_ns ();
    odl_coder_load (coder, image);
    odl_coder_forward (coder);
    const double forward_ms = since_ms (start_ns);
    // Checked now and then: reading all of them puts other things into the caches.
    if (i % 16 == 0)
      check_sum (frames, i + WARM_UP, odl_coder_checksum (coder));
    const int64_t back_ns = odl_clock_now_ns ();
    odl_coder_inverse (coder);
    const double inverse_ms = since_ms (back_ns);
    const int64_t store_ns = odl_clock_now_ns ();
    odl_coder_store (coder, pixels);
    if (i >= 0)
      g_print ("{\"forward\": %.4f, \"inverse\": %.4f, \"store\": %.4f}\n", forward_ms,
               inverse_ms, since_ms (store_ns));
  }
  return 0;
}

static int
run_engine (const char *name, OdlCoderParams params, Frames *frames)
{
  g_autoptr (GError) error = NULL;
  CoderEngine *engine = coder_engine_new (name, &params, &error);
  CoderEngineMs ms;
  const int64_t begin_ns = odl_clock_now_ns ();

  for (int i = -WARM_UP; i < frames->number && engine != NULL && error == NULL; i++) {
    OdlImage *image = frames->images[(i + WARM_UP) % FRAMES];
    wait_for_turn (frames, begin_ns, i);
    if (!coder_engine_run (engine, image, false, &ms, &error))
      break;
    if (i % 16 == 0)
      check_sum (frames, i + WARM_UP, coder_engine_sum (engine));
    if (i >= 0)
      g_print ("{\"both\": %.4f, \"floats\": %.4f, \"bytes\": %.4f}\n", ms.both,
               ms.floats, ms.bytes);
  }
  g_clear_pointer (&engine, coder_engine_free);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return error == NULL ? 0 : 1;
}

static int
run_frames (char **argv)
{
  Frames frames = { .number = atoi (argv[1]), .pace_ms = atof (argv[3]) };
  OdlCoderParams params = {
    .method = ODL_CODER_LIFTING, .width = 1920, .height = 1080, .channels = 3, .levels = 3
  };
  int scheme = 0, status;

  odl_parallel_set_threads (MAX (atoi (argv[2]), 1));
  for (int i = 0; i < FRAMES; i++)
    frames.images[i] = make_picture (params.width, params.height, i);
  while (scheme < ODL_CODER_N_SCHEMES
         && !g_str_equal (argv[0], odl_coder_schemes[scheme]))
    scheme++;
  if (g_str_equal (argv[0], odl_coder_methods[ODL_CODER_FILTERING])) {
    params.method = ODL_CODER_FILTERING;
    scheme = ODL_CODER_ROW_COLUMN;
  }
  params.scheme = scheme;
  if (scheme == ODL_CODER_BLOCK)
    params.method = ODL_CODER_FILTERING;
  params.padded = atoi (argv[4]) != 0;
  if (params.padded)
    params.levels = 0;
  status = scheme == ODL_CODER_N_SCHEMES ? run_engine (argv[0], params, &frames)
                                         : run_coder (params, &frames);
  for (int i = 0; i < FRAMES; i++)
    odl_image_unref (frames.images[i]);
  return status;
}

int
main (int argc, char **argv)
{
  OdlCoderParams params = { .width = 1920, .height = 1080, .channels = 3, .levels = 1 };

  if (argc == 2 && g_str_equal (argv[1], "costs")) {
    for_every_scheme (params, false, print_costs, NULL);
    return 0;
  }
  if (argc == 2 && g_str_equal (argv[1], "psnr")) {
    g_autoptr (OdlImage) image = make_picture (params.width, params.height, 0);
    params.levels = 3;
    for_every_scheme (params, true, print_psnr, image);
    return 0;
  }
  if (argc == 8 && g_str_equal (argv[1], "table"))
    return run_table (argv + 2);
  if (argc == 8 && g_str_equal (argv[1], "engine"))
    return run_engine_table (argv + 2);
  if (argc == 7 && g_str_equal (argv[1], "frames"))
    return run_frames (argv + 2);
  return 2;
}
