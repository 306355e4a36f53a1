// SPDX-License-Identifier: MIT
// The dual-tree transform against another implementation (the Python package dtcwt), one
// coefficient after the other, and by property.
#include <complex.h>
#include <glib.h>
#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "engine/gl/platform/headless.h"
#include "filter/measure.h"

#include "../../helpers/plans.h"
#include "../../helpers/test_data.h"

#define MOST_LEVELS 4

static const char *const engines[] = { "reference", "cpu", "gl-compute" };

// Real or complex numbers of a file, row by row.
static double *
read_npy (const char *name, int rows, int columns, int depth, bool is_complex)
{
  g_autofree char *within = g_build_filename ("derived", "dtcwt", name, NULL);
  g_autofree char *path = odl_test_data (within);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  const size_t count = (size_t) rows * columns * depth * (is_complex ? 2 : 1);
  const size_t header = 10 + (uint8_t) bytes[8] + 256 * (size_t) (uint8_t) bytes[9];
  g_assert_cmpint (size, ==, header + count * sizeof (double));
  bytes[header - 1] = '\0';
  double *numbers = g_memdup2 (bytes + header, count * sizeof (double));
  if (strstr (bytes + 10, "'fortran_order': True") == NULL)
    return numbers;
  const double *columnwise = (const double *) (void *) (bytes + header);
  for (int y = 0; y < rows && depth == 1; y++)
    for (int x = 0; x < columns; x++)
      memcpy (&numbers[y * columns + x], &columnwise[x * rows + y], sizeof (double));
  return numbers;
}

static OdlImage *
make_image (int width, int height, float **samples)
{
  const OdlImageInfo info
      = { .extent = { width, height, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_F32 };

  return odl_image_alloc (&info, (void **) samples, NULL);
}

static int
add_step (OdlPlan *plan, const OdlStep *step, int width, int height)
{
  const int slot = plan->n_slots++;

  plan->slots[slot] = (OdlSlot){
    .level = step->level,
    .width = width,
    .height = height,
    .channels = 1,
    .depth = 1,
    .precision = 32,
  };
  memcpy (&plan->steps[plan->n_steps], step, sizeof *step);
  plan->steps[plan->n_steps++].writes = slot;
  return slot;
}

// Analysis alone, every result in a slot of its own; bands[l] are those of level l.
static OdlPlan *
make_analysis (const OdlImage *image, int levels, int bands[][4])
{
  OdlPlan *plan = g_new0 (OdlPlan, 1);

  plan->ref_count = 1;
  plan->geometry = odl_geometry_of (image);
  plan->geometry.depth = 1;
  plan->precision = 32;
  plan->slots = g_new0 (OdlSlot, 1 + 6 * levels);
  plan->steps = g_new0 (OdlStep, 1 + 6 * levels);
  const int width = plan->geometry.width, height = plan->geometry.height;
  OdlStep step = { .kind = ODL_STEP_LOAD, .group = -1 };
  for (int r = 0; r < ODL_STEP_MOST_READS; r++)
    step.reads[r] = ODL_PLAN_NO_SLOT;
  int approximation = add_step (plan, &step, width, height);
  step.kind = ODL_STEP_DUAL_FORWARD;
  for (step.level = 1; step.level <= levels; step.level++) {
    for (int right = 0; right < 2; right++) {
      step.axis = ODL_AXIS_X;
      step.band = right;
      step.reads[0] = approximation;
      step.reads[0] = add_step (plan, &step, odl_dual_size (width, step.level),
                                odl_dual_size (height, step.level - 1));
      step.axis = ODL_AXIS_Y;
      for (step.band = 0; step.band < 2; step.band++)
        bands[step.level][right + 2 * step.band]
            = add_step (plan, &step, odl_dual_size (width, step.level),
                        odl_dual_size (height, step.level));
    }
    approximation = bands[step.level][0];
  }
  plan->result = approximation;
  return plan;
}

typedef struct {
  OdlEngine *engine;
  OdlPlan *plan;
  int bands[MOST_LEVELS + 1][4];
} Analysis;

static Analysis
analyse (const char *engine, OdlImage *image, int levels)
{
  g_autoptr (GError) error = NULL;
  Analysis analysis = { .engine = odl_engine_open (odl_engine_find (engine), &error) };

  g_assert_no_error (error);
  analysis.plan = make_analysis (image, levels, analysis.bands);
  odl_test_run (analysis.engine, analysis.plan, image);
  return analysis;
}

static void
analysis_clear (Analysis *analysis)
{
  odl_engine_close (analysis->engine);
  odl_plan_unref (analysis->plan);
}

// The samples of a band, row by row.
static double *
read_band (const Analysis *analysis, int level, int band)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_engine_read_back (
      analysis->engine, analysis->plan, analysis->bands[level][band], &error);
  g_assert_no_error (error);
  const OdlExtent extent = odl_image_info (image)->extent;
  double *samples = g_new (double, (size_t) extent.x *extent.y);
  g_autofree float *row = g_new (float, extent.x);

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, row);
    for (int x = 0; x < extent.x; x++)
      samples[y * extent.x + x] = row[x];
  }
  return samples;
}

// ---- another implementation ----------------------------------------------------------

// The package's six directions, from 15 to 165 degrees, by our band and which of its two.
static const int directions[4][2] = { { 0 }, { 2, 3 }, { 0, 5 }, { 1, 4 } };

static void
check_band (const Analysis *analysis, const double *theirs, int level, int band)
{
  const int width = odl_dual_size (analysis->plan->geometry.width, level);
  const int height = odl_dual_size (analysis->plan->geometry.height, level);
  const double gain = ldexp (1, (band == 3 ? 3 : 2) - level);
  g_autofree double *ours = read_band (analysis, level, band);

  for (int y = 0; y < height / 2; y++)
    for (int x = 0; x < width / 2; x++) {
      const double *above = ours + 2 * y * width + 2 * x, *below = above + width;
      const double complex z[2]
          = { (above[0] - below[1] + I * (above[1] + below[0])) * M_SQRT1_2,
              (above[0] + below[1] + I * (above[1] - below[0])) * M_SQRT1_2 };
      for (int i = 0; i < 2; i++) {
        const int at = 2 * (6 * (y * width / 2 + x) + directions[band][i]);
        const double complex want = gain * (theirs[at] + I * theirs[at + 1]);
        if (!(cabs (z[i] - want) < 1e-6))
          g_error (
              "%s, level %d, band %d, orientation %d at (%d, %d): %g + %g j, not %g + "
              "%g j",
              analysis->engine->klass->name, level, band, i, x, y, creal (z[i]),
              cimag (z[i]), creal (want), cimag (want));
      }
    }
}

static void
check_coefficients (const char *engine, int width, int height, int levels)
{
  char name[64];
  float *samples;
  g_autoptr (OdlImage) image = make_image (width, height, &samples);

  g_snprintf (name, sizeof name, "input_%dx%d.npy", height, width);
  g_autofree double *input = read_npy (name, height, width, 1, false);
  for (int i = 0; i < width * height; i++)
    samples[i] = (float) input[i];
  Analysis analysis = analyse (engine, image, levels);
  for (int level = 1; level <= levels; level++) {
    g_snprintf (name, sizeof name, "highpass_%dx%d_level%d.npy", height, width, level);
    g_autofree double *theirs = read_npy (name, odl_dual_size (height, level) / 2,
                                          odl_dual_size (width, level) / 2, 6, true);
    for (int band = 1; band < 4; band++)
      check_band (&analysis, theirs, level, band);
  }
  const int across = odl_dual_size (width, levels), down = odl_dual_size (height, levels);
  g_snprintf (name, sizeof name, "lowpass_%dx%d_L%d.npy", height, width, levels);
  g_autofree double *theirs = read_npy (name, down, across, 1, false);
  g_autofree double *ours = read_band (&analysis, levels, 0);
  for (int i = 0; i < across * down; i++)
    g_assert_cmpfloat_with_epsilon (ours[i], ldexp (theirs[i], 1 - levels), 1e-6);
  analysis_clear (&analysis);
}

static void
test_coefficients (gconstpointer engine)
{
  g_autofree char *folder = odl_test_data ("derived/dtcwt");
  if (folder == NULL)
    return;
  check_coefficients (engine, 96, 64, 4);
  check_coefficients (engine, 45, 61, 3);
}

// ---- properties ----------------------------------------------------------------------

static float
noise (GRand *random)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += g_rand_double (random);
  return (float) sum; // σ = 1
}

static double
largest_difference (OdlImage *a, OdlImage *b)
{
  const OdlExtent extent = odl_image_info (a)->extent;
  g_autofree float *first = g_new (float, extent.x), *second = g_new (float, extent.x);
  double largest = 0;

  for (int y = 0; y < extent.y; y++) {
    odl_image_scaled_row (a, 0, y, 0, 0, first);
    odl_image_scaled_row (b, 0, y, 0, 0, second);
    for (int x = 0; x < extent.x; x++)
      largest = MAX (largest, fabs ((double) first[x] - second[x]));
  }
  return largest;
}

static void
check_reconstruction (OdlEngine *engine, int width, int height, GRand *random)
{
  float *samples;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = make_image (width, height, &samples);
  for (int i = 0; i < width * height; i++)
    samples[i] = (float) g_rand_double (random);
  g_autoptr (OdlPlan) plan
      = odl_test_plan ("soft-threshold:threshold=0,levels=16,transform=dual-tree", image);
  g_autoptr (OdlImage) result = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  const double distance = largest_difference (image, result);
  if (!(distance < 2e-6))
    g_error ("%s, %d × %d: %g", engine->klass->name, width, height, distance);
}

static void
test_reconstructs (gconstpointer name)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find (name), NULL);

  // Of sizes, the GPU's proof has more.
  for (int n = 1; n <= 67; n += engine->klass->needs_gl ? 9 : 1) {
    check_reconstruction (engine, n, n, random);
    check_reconstruction (engine, n, 68 - n, random);
    check_reconstruction (engine, n, 1, random);
    check_reconstruction (engine, 1, n, random);
  }
}

// Constants have no details, and are their own approximation.
static void
test_constants (gconstpointer name)
{
  float *samples;
  g_autoptr (OdlImage) image = make_image (45, 22, &samples);
  for (int i = 0; i < 45 * 22; i++)
    samples[i] = 0.7f;
  Analysis analysis = analyse (name, image, MOST_LEVELS);

  for (int level = 1; level <= MOST_LEVELS; level++)
    for (int band = 0; band < 4; band++) {
      g_autofree double *own = read_band (&analysis, level, band);
      const int count = odl_dual_size (45, level) * odl_dual_size (22, level);
      for (int i = 0; i < count; i++)
        g_assert_cmpfloat_with_epsilon (own[i], band == 0 ? 0.7 : 0, 3e-6);
    }
  analysis_clear (&analysis);
}

// White noise has the deviation in each band that odl_noise_gain_of_dual_band says.
static void
test_noise (void)
{
  enum { SIDE = 512 };
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  float *samples;
  g_autoptr (OdlImage) image = make_image (SIDE, SIDE, &samples);
  for (int i = 0; i < SIDE * SIDE; i++)
    samples[i] = noise (random);
  Analysis analysis = analyse ("cpu", image, MOST_LEVELS);

  for (int level = 1; level <= MOST_LEVELS; level++)
    for (int band = 1; band < 4; band++) {
      g_autofree double *own = read_band (&analysis, level, band);
      const int count = odl_dual_size (SIDE, level) * odl_dual_size (SIDE, level);
      double squares = 0;
      for (int i = 0; i < count; i++)
        squares += own[i] * own[i];
      const double want = odl_noise_gain_of_dual_band (level, band - 1);
      g_test_message ("level %d, band %d: %g, %g", level, band, sqrt (squares / count),
                      want);
      g_assert_cmpfloat_with_epsilon (sqrt (squares / count), want,
                                      0.015 * level * want); // fewer, the coarser
    }
  analysis_clear (&analysis);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (&error);
  g_assert_no_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    const struct {
      const char *name;
      void (*run) (gconstpointer engine);
    } tests[] = { { "coefficients-are-those-of-dtcwt", test_coefficients },
                  { "every-size-is-reconstructed", test_reconstructs },
                  { "constants-have-no-details", test_constants } };
    for (size_t t = 0; t < G_N_ELEMENTS (tests); t++) {
      g_autofree char *path
          = g_strdup_printf ("/dual-tree/%s/%s", engines[i], tests[t].name);
      g_test_add_data_func (path, engines[i], tests[t].run);
    }
  }
  g_test_add_func ("/dual-tree/noise-is-what-its-gains-say", test_noise);
  return g_test_run ();
}
