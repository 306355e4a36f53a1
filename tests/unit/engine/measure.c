// SPDX-License-Identifier: MIT
// Measuring steps: what a picture's surroundings do not change, and that engines agree.
#include <float.h>
#include <math.h>

#include "../../helpers/disc.h"
#include "../../helpers/plans.h"
#include "engine/engine.h"
#include "plan/flow.h"
#include "plan/numbers.h"

#define RECIPE "bayes-shrink:levels=3"

// The observed numbers of `image`, and what became of it (`result` may be NULL).
static float *
measure (const char *engine_name, const OdlPlan *plan, OdlImage *image, OdlImage **result)
{
  g_autoptr (GError) error = NULL;
  OdlEngineChoice choice;
  g_assert_true (odl_engine_choice_parse (engine_name, &choice, &error));
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (choice, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) done = odl_engine_process (engine, plan, image, &error);
  g_assert_no_error (error);
  float *numbers = g_new (float, odl_plan_count_observed (plan));
  for (int i = 0; i < plan->n_slots; i++) {
    if (!plan->slots[i].observed)
      continue;
    g_autoptr (OdlImage) slot = odl_engine_read_back (engine, plan, i, &error);
    g_assert_no_error (error);
    odl_image_scaled_row (slot, 0, 0, 0, 0, numbers + odl_plan_observed_at (plan, i));
  }
  if (engine->klass->observe != NULL) {
    g_autofree float *seen = g_new0 (float, odl_plan_count_observed (plan));
    g_assert_true (odl_engine_observe (engine, plan, seen));
    for (int i = 0; i < odl_plan_count_observed (plan); i++)
      g_assert_cmpfloat (seen[i], ==, numbers[i]);
  }
  if (result != NULL)
    *result = g_steal_pointer (&done);
  return numbers;
}

static double
sigma_of (const char *engine, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_test_plan (RECIPE, image);
  g_autofree float *numbers = measure (engine, plan, image, NULL);

  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_NOISE)
      return (double)
          numbers[odl_plan_observed_at (plan, plan->steps[i].writes) + ODL_NOISE_SIGMA];
  g_assert_not_reached ();
}

static void
test_surroundings (void)
{
  static const char *const engines[] = { "reference", "cpu" };

  for (size_t e = 0; e < G_N_ELEMENTS (engines); e++)
    for (int outside = 0; outside <= 700; outside += 700) {
      g_autoptr (OdlImage) disc = odl_test_disc (40, 90, outside);
      g_autoptr (OdlImage) whole = odl_test_disc (40, 1000, outside);
      g_assert_cmpfloat_with_epsilon (sigma_of (engines[e], disc), 40.0 / 4095,
                                      0.05 * 40 / 4095);
      g_assert_cmpfloat_with_epsilon (sigma_of (engines[e], whole), 40.0 / 4095,
                                      0.03 * 40 / 4095);
    }
}

// Coefficients of samples below 1 in single precision are off by so much, several
// roundings; all bounds follow from that.
#define COEFFICIENT_ERROR (4 * (double) FLT_EPSILON)

// How far number `kind` of a band may be off, from what the reference has for it;
// `error`: of σ_b.
static double
bound_of_band (OdlFoundThreshold rule, const float *want, int kind, double error)
{
  const double noise = (double) want[ODL_BAND_NOISE];
  const double deviation = (double) want[ODL_BAND_DEVIATION];
  const double signal = deviation * deviation - noise * noise;

  if (kind == ODL_BAND_COUNT)
    return 0;
  if (kind == ODL_BAND_NOISE)
    return error;
  if (kind == ODL_BAND_DEVIATION || kind == ODL_BAND_LARGEST)
    return COEFFICIENT_ERROR;
  if (kind == ODL_BAND_THRESHOLD && rule != ODL_FIND_BAYES) {
    // Details whose share rounds the other way move the parabola of SURE by less than a
    // fortieth of the distance of two points: seen, half of it, not derived.
    const double share = rule == ODL_FIND_SURE ? noise / ODL_SURE_SCALE / 40 : 0;
    return (double) want[kind] * (error / noise + (double) FLT_EPSILON) + share;
  }
  if (kind == ODL_BAND_THRESHOLD) {
    // σ_b² / √(σ_y² − σ_b²), a quotient by a small difference in a band of little but
    // noise, which its rounding can turn into none.
    const double slope = signal > 0 ? noise * noise / (signal * sqrt (signal)) : 0;
    if (fabs (signal) <= 2 * (deviation * COEFFICIENT_ERROR + noise * error))
      return INFINITY;
    return (signal > 0 ? 2 * noise * error / sqrt (signal) : 0)
           + slope * (deviation * COEFFICIENT_ERROR + noise * error) + COEFFICIENT_ERROR;
  }
  // Of the details about either edge of a bin, each octave of which has four, some may
  // lie beyond it: of so many at random as many, and seldom four deviations more.
  const int from_noise = kind - ODL_BAND_HISTOGRAM - ODL_BAND_BINS / 2;
  const double octave = exp2 (floor (from_noise / 4.0));
  const double near = COEFFICIENT_ERROR + 2 * octave * error;
  double details = 0;
  for (int k = MAX (kind - 1, ODL_BAND_HISTOGRAM);
       k <= MIN (kind + 1, ODL_BAND_NUMBERS - 1); k++)
    details += (double) want[k];
  const double moved = noise > 0 ? 2 * details * near / (noise * octave / 4) : 0;
  return ceil (moved + 4 * sqrt (moved));
}

// How far observed number `index` may be off.
static double
bound_of (const OdlPlan *plan, const float *want, int index)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int width = plan->slots[step->writes].width;
    const int at = plan->slots[step->writes].observed
                       ? odl_plan_observed_at (plan, step->writes)
                       : G_MAXINT;
    if (index < at || index - at >= width)
      continue;
    if (step->kind == ODL_STEP_NOISE)
      return index - at == ODL_NOISE_COUNT
                 ? 0
                 : COEFFICIENT_ERROR
                       / (ODL_MEDIAN_OF_NORMAL * step->parameters.gains[ODL_BAND_HH]);
    const int kind = (index - at) % ODL_BAND_NUMBERS,
              band = (index - at) / ODL_BAND_NUMBERS;
    const int which = step->band > 0 ? step->band - 1 : band;
    // That of σ, which the first level's HH gives: see NOISE.
    double error = COEFFICIENT_ERROR;
    for (int k = 0; k < i; k++)
      if (plan->steps[k].kind == ODL_STEP_NOISE)
        error = COEFFICIENT_ERROR * step->parameters.gains[which]
                / (ODL_MEDIAN_OF_NORMAL * plan->steps[k].parameters.gains[ODL_BAND_HH]);
    return bound_of_band ((OdlFoundThreshold) step->rule, want + index - kind, kind,
                          error);
  }
  g_assert_not_reached ();
}

static void
test_engines_agree (void)
{
  static const char *const recipes[] = {
    "bayes-shrink:levels=4",
    "bayes-shrink:wavelet=sym8,levels=2 border=periodic",
    "bayes-shrink:wavelet=int53,levels=3",
    "bayes-shrink:levels=2,sigma=0.02",
    "sure-shrink:levels=3",
    "sure-shrink:levels=3,sigma=0.005",
    "sure-shrink:levels=2,transform=stationary,sigma=0.02",
    "visu-shrink:levels=2,transform=dual-tree",
    "neigh-shrink:levels=2,window=5",
    "sharpen bayes-shrink:levels=1 median bayes-shrink:levels=2",
  };

  // A disc, whose median is counted digit by digit, and a picture without surroundings.
  for (size_t r = 0; r < 2 * G_N_ELEMENTS (recipes); r++) {
    g_autoptr (OdlImage) image = odl_test_disc (40, r % 2 == 0 ? 90 : 1000, 0);
    g_autoptr (OdlPlan) plan = odl_test_plan (recipes[r / 2], image);
    g_autofree float *cpu = measure ("cpu", plan, image, NULL);
    g_autofree float *reference = measure ("reference", plan, image, NULL);
    for (int i = 0; i < odl_plan_count_observed (plan); i++)
      if (!(fabs ((double) cpu[i] - (double) reference[i])
            <= bound_of (plan, reference, i)))
        g_error ("%s, number %d: %g, the reference has %g", recipes[r / 2], i,
                 (double) cpu[i], (double) reference[i]);
  }
}

// Whatever the bins, all details are counted, each of them once.
static void
check_counts (const OdlPlan *plan, const float *a, const float *b)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlSlot *slot = &plan->slots[plan->steps[i].writes];
    if (plan->steps[i].kind != ODL_STEP_BAYES || !slot->observed)
      continue;
    const int at = odl_plan_observed_at (plan, plan->steps[i].writes);
    for (int k = at; k < at + slot->width; k += ODL_BAND_NUMBERS) {
      float counts[2] = { 0 };
      for (int bin = ODL_BAND_HISTOGRAM; bin < ODL_BAND_NUMBERS; bin++) {
        counts[0] += a[k + bin];
        counts[1] += b[k + bin];
      }
      g_assert_cmpfloat (counts[0], ==, a[k + ODL_BAND_COUNT]);
      g_assert_cmpfloat (counts[0], ==, counts[1]);
    }
  }
}

// Passes measure as steps do, whether histograms are made with the frame or when they are
// asked for; and nothing is left of the frame before, which had surroundings. Likewise
// where a wavelet without a mirrored border runs level by level.
static void
check_passes (const char *recipe, const char *variant)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) disc = odl_test_disc (40, 90, 0),
                       whole = odl_test_disc (40, 1000, 0);
  g_autoptr (OdlPlan) plan = odl_test_plan (recipe, whole);
  const int n = odl_plan_count_observed (plan);
  g_autofree float *numbers = g_new (float, n);

  for (int turn = 0; turn < 4; turn++) {
    OdlImage *image = turn < 2 ? whole : disc;
    g_autoptr (OdlEngine) engine = odl_engine_open (odl_engine_find ("cpu"), &error);
    g_assert_no_error (error);
    g_autofree float *steps = NULL;
    g_assert_true (odl_engine_prepare (engine, plan, &error));
    engine->observing = turn % 2 == 1;
    g_assert_true (odl_engine_run (engine, plan, image == disc ? whole : disc, &error));
    g_assert_true (odl_engine_run (engine, plan, image, &error));
    g_assert_true (g_str_has_prefix (engine->variant, variant));
    g_assert_true (odl_engine_observe (engine, plan, numbers));
    steps = measure ("cpu:per-level", plan, image, NULL);
    check_counts (plan, numbers, steps);
    for (int i = 0; i < n; i++) {
      const double off = fabs ((double) numbers[i] - (double) steps[i]);
      // What shrinkage has left is so little noise that rounding is a share of a bin.
      const bool is_count = floorf (numbers[i]) == numbers[i];
      if (off > MAX (2e-4 * fabs ((double) steps[i]), 1e-6)
          && !(is_count && off <= 2 * bound_of (plan, steps, i)))
        g_error ("turn %d, number %d: %g, step by step %g", turn, i, (double) numbers[i],
                 (double) steps[i]);
    }
  }
}

static void
test_passes_measure (void)
{
  check_passes ("bayes-shrink:wavelet=cdf53,levels=2 sharpen sure-shrink:levels=3",
                "streamed");
  check_passes ("bayes-shrink:wavelet=sym8,levels=2 sharpen sure-shrink:wavelet=db4",
                "filtering");
}

// No noise, no threshold: not a sample changes.
static void
test_calm_pictures_stay (void)
{
  g_autoptr (OdlImage) image = odl_test_disc (0, 90, 0);
  g_autoptr (OdlPlan) plan = odl_test_plan ("bayes-shrink:levels=3,sigma=0", image);
  g_autoptr (OdlImage) result = NULL;
  g_autofree float *numbers = measure ("cpu", plan, image, &result);
  float before[ODL_TEST_DISC_SIDE], after[ODL_TEST_DISC_SIDE];

  for (int y = 0; y < ODL_TEST_DISC_SIDE; y++) {
    odl_image_scaled_row (image, 0, y, 0, 0, before);
    odl_image_scaled_row (result, 0, y, 0, 0, after);
    for (int x = 0; x < ODL_TEST_DISC_SIDE; x++)
      g_assert_cmpfloat_with_epsilon (before[x], after[x], 2e-6);
  }
  g_autoptr (OdlImage) black = odl_test_disc (0, 0, 0);
  g_assert_cmpfloat (sigma_of ("cpu", black), ==, 0);
}

static void
test_places (void)
{
  g_assert_cmpfloat (odl_band_place (1), ==, 16);
  g_assert_cmpfloat (odl_band_place (1.25), ==, 17);
  g_assert_cmpfloat (odl_band_place (2), ==, 20);
  g_assert_cmpfloat (odl_band_place (0.0625), ==, 0);
  g_assert_cmpfloat (odl_band_place (0), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/surroundings-do-not-count", test_surroundings);
  g_test_add_func ("/measure/engines-agree", test_engines_agree);
  g_test_add_func ("/measure/passes-measure-as-steps-do", test_passes_measure);
  g_test_add_func ("/measure/calm-pictures-stay", test_calm_pictures_stay);
  g_test_add_func ("/measure/places-in-the-histogram", test_places);
  return g_test_run ();
}
