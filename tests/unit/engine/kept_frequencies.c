// SPDX-License-Identifier: MIT
// Frames of a volume over time whose frequencies are kept from one to the next are those
// that engines make which know nothing of each other.
#include <math.h>

#include "../../helpers/plans.h"
#include "engine/cpu/steps/fourier/spectra.h"
#include "engine/engine.h"
#include "image/volume/volume.h"
#include "plan/flow.h"

#define WIDTH 23
#define HEIGHT 19
#define DEPTH 14
#define TIMES 6
#define OWN 1 // of those times
#define PLENTY 1e9
#define FLOATS 64

static OdlImage *
make_volume (guint32 seed, double least)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  OdlImageInfo info = { .extent = { WIDTH, HEIGHT, DEPTH, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .stored_min = least,
                        .stored_max = 1,
                        .value_map = { .slope = 1 } };
  void *samples = NULL;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);

  for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
    ((float *) samples)[i] = (float) g_rand_double (random);
  return volume;
}

// Recipes of the first frames and of the last, and of the volumes what is black: below 0,
// samples are raised before a border of zeros.
typedef struct {
  const char *const *texts;
  double least;
} Frames;

static OdlGeometry
geometry_at (OdlImage *const *volumes, int at)
{
  OdlGeometry geometry = odl_geometry_of (volumes[at]);

  geometry.in_time = true;
  geometry.neighbours = odl_neighbours_new (at, TIMES);
  for (int t = 0; t < TIMES; t++)
    odl_neighbours_put (geometry.neighbours, t, volumes[t]);
  return geometry;
}

static OdlPlan *
plan_of (const char *text, OdlImage *const *volumes, int at)
{
  const OdlGeometry geometry = geometry_at (volumes, at);
  g_autoptr (OdlNeighbours) neighbours = geometry.neighbours;
  const OdlRecipe recipe = odl_test_recipe (text);

  return odl_test_plan_of (&recipe, &geometry);
}

static OdlImage *
run (OdlEngine *engine, const char *text, OdlImage *const *volumes, int at)
{
  g_autoptr (OdlPlan) plan = plan_of (text, volumes, at);
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_process (engine, plan, volumes[at], &error);
  g_assert_no_error (error);
  return result;
}

static OdlEngine *
open_with (const char *name, double memory)
{
  OdlEngineChoice choice;

  g_assert_true (odl_engine_choice_parse (name, &choice, NULL));
  OdlEngine *engine = odl_engine_open_choice (choice, NULL);
  engine->memory = memory;
  return engine;
}

static double
distance (const OdlImage *a, const OdlImage *b)
{
  double most = 0;

  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++) {
      float rows[2][WIDTH];
      odl_image_scaled_row (a, 0, y, z, 0, rows[0]);
      odl_image_scaled_row (b, 0, y, z, 0, rows[1]);
      for (int x = 0; x < WIDTH; x++)
        most = fmax (most, fabs ((double) rows[0][x] - (double) rows[1][x]));
    }
  return most;
}

static void
check_alone (const char *name,
             double memory,
             double most,
             const char *text,
             OdlImage *const *volumes,
             int at,
             const OdlImage *got)
{
  OdlEngine *engine = open_with (name, memory);
  g_autoptr (OdlImage) alone = run (engine, text, volumes, at);

  g_assert_cmpfloat (distance (got, alone), <=, most);
  odl_engine_close (engine);
}

// Forwards, a jump back, and forwards again, the last frames with another kernel.
static void
test_frames (const void *data)
{
  static const int order[] = { 1, 2, 3, 0, 1, 4, 5 };
  const Frames *frames = data;
  OdlImage *volumes[TIMES];
  OdlEngine *engine = open_with ("cpu:fft", PLENTY);

  for (int t = 0; t < TIMES; t++)
    volumes[t] = make_volume ((guint32) t + 1, frames->least);
  for (size_t i = 0; i < G_N_ELEMENTS (order); i++) {
    const char *text = frames->texts[i < 5 ? 0 : 1];
    g_autoptr (OdlImage) got = run (engine, text, volumes, order[i]);
    check_alone ("cpu:fft", PLENTY, 0, text, volumes, order[i], got);
    check_alone ("cpu:fft", 0, 1e-5, text, volumes, order[i], got); // nothing is kept
    check_alone ("reference", 0, 2e-4, text, volumes, order[i], got);
  }
  odl_engine_close (engine);
  for (int t = 0; t < TIMES; t++)
    odl_image_unref (volumes[t]);
}

// The sum is found whatever is black, and each of its terms is the volume of that time.
static void
check_terms (double least)
{
  OdlImage *volumes[TIMES];
  int first = 0;

  for (int t = 0; t < TIMES; t++)
    volumes[t] = make_volume ((guint32) t + 1, least);
  g_autoptr (OdlPlan) plan = plan_of (
      "convolve:dimensions=4,shape=quadrature,size=5,duration=3,tempo=30", volumes, OWN);
  while (plan->steps[first].kind != ODL_STEP_CONVOLVE)
    first++;
  const OdlBankSum sum = odl_plan_bank_sum_at (plan, first);
  g_assert_cmpint (sum.terms, ==, 3);
  for (int t = 0; t < sum.terms; t++) {
    const OdlLoaded loaded = odl_plan_loaded_at (plan, plan->steps[sum.at[t]].reads[0],
                                                 sum.at[t], volumes[OWN]);
    g_assert_true (loaded.image == volumes[OWN + 1 - t]);
    g_assert_cmpfloat (loaded.level, ==, least / (1 - least));
  }
  for (int t = 0; t < TIMES; t++)
    odl_image_unref (volumes[t]);
}

static void
test_terms (void)
{
  check_terms (0);
  check_terms (-1);
}

// Whether there is memory for frequencies of that kernel, and whether they are there.
static void
check_take (OdlCpuSpectra *spectra, float kernel, bool has_room, bool is_known)
{
  const OdlCpuSpectrumKey key = { .kernel = &kernel, .count = 1 };
  bool known;

  g_assert_cmpint (odl_cpu_spectra_take (spectra, &key, FLOATS, &known) != NULL, ==,
                   has_room);
  g_assert_cmpint (known, ==, is_known);
}

// What each frame asks for stays; what one did not ask for makes room.
static void
test_table (void)
{
  OdlCpuSpectra *spectra = odl_cpu_spectra_new (2 * FLOATS * sizeof (float));

  for (int frame = 0; frame < 4; frame++) {
    odl_cpu_spectra_begin (spectra);
    check_take (spectra, 1, true, frame > 0);
    if (frame > 1)
      continue;
    check_take (spectra, 2, true, frame > 0);
    check_take (spectra, 3, false, false);
  }
  check_take (spectra, 3, true, false);
  check_take (spectra, 2, false, false);
  odl_cpu_spectra_free (spectra);
}

int
main (int argc, char **argv)
{
  static const char *const kernels[] = {
    "convolve:dimensions=4,shape=quadrature,size=5,duration=3,elevation=20,tempo=30",
    "convolve:dimensions=4,shape=quadrature,size=5,duration=3,elevation=50,tempo=30"
  };
  static const char *const banks[] = {
    "adaptive:dimensions=4,noise=0.1,size=3,filter-size=5,smoothing=0",
    "adaptive:dimensions=4,noise=0.1,size=3,filter-size=5,smoothing=0,frequency=1.2"
  };
  static const char *const still[]
      = { "structure-tensor:dimensions=3,size=5,smoothing=0.5,output=energy",
          "structure-tensor:dimensions=3,size=7,smoothing=0.5,output=energy" };
  static const Frames of_kernel = { kernels, 0 }, of_signed = { kernels, -1 },
                      of_banks = { banks, 0 }, of_volumes = { still, 0 };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/kept-frequencies/of-a-kernel-in-time", &of_kernel, test_frames);
  g_test_add_data_func ("/kept-frequencies/of-banks-in-time", &of_banks, test_frames);
  g_test_add_data_func ("/kept-frequencies/of-banks-of-volumes", &of_volumes,
                        test_frames);
  g_test_add_data_func ("/kept-frequencies/of-signed-volumes", &of_signed, test_frames);
  g_test_add_func ("/kept-frequencies/terms-of-a-sum", test_terms);
  g_test_add_func ("/kept-frequencies/as-long-as-frames-ask", test_table);
  return g_test_run ();
}
