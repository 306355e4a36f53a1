// SPDX-License-Identifier: MIT
// The transform in three dimensions, and sums in time: every slot that a plan leaves
// behind, against the reference.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../helpers/plans.h"
#include "base/parallel.h"
#include "engine/gl/compute/compute.h"
#include "engine/sections.h"
#include "fixture.h"
#include "plan/flow.h"
#include "plan/numbers.h"

// width × height × depth. Longer than what an invocation makes, odd, and shorter than
// what a step reaches.
static const int sizes[][3]
    = { { 33, 20, 75 }, { 9, 6, 5 }, { 5, 3, 2 }, { 3, 1, 40 }, { 20, 18, 1 } };

// Sides of small kernels that are no cubes.
static const char *const unlike[] = { "1x3x5", "7x1x3" };

// Whether what needs programs of its own falls to the context that is open: desktop and
// ES take turns, for the text of shaders is the same, and each would compile them anew.
// The proof has every filter of volumes on both.
static bool
is_taken (size_t turn)
{
  return turn % 2 == (odl_gl_test_api () == ODL_GL_API_ES);
}

static OdlImage *
make_volume (const int size[3], int channels, OdlSampleType type)
{
  g_autoptr (OdlImage) tall
      = odl_gl_test_noise (size[0], size[1] * size[2], channels, type, 11);
  OdlImageInfo info = *odl_image_info (tall);
  g_autoptr (GError) error = NULL;

  info.extent = (OdlExtent){ size[0], size[1], size[2], 1 };
  for (int c = 0; c < channels; c++)
    info.planes[c].slice_stride_bytes = info.planes[c].row_stride_bytes * size[1];
  OdlImage *volume = odl_image_wrap (&info, (GDestroyNotify) odl_image_unref,
                                     odl_image_ref (tall), &error);
  g_assert_no_error (error);
  return volume;
}

// THRESHOLD leaves the approximation undefined.
static bool
is_undefined (const OdlStep *step, const OdlSlot *slot, int x, int y, int z)
{
  return step->kind == ODL_STEP_THRESHOLD && x < odl_low_count (slot->width)
         && y < odl_low_count (slot->height)
         && (slot->kind != ODL_SLOT_OCTANTS || z < odl_low_count (slot->depth));
}

static float
sample_of (const OdlImage *image, int c, int x, int y, int z)
{
  const OdlPlane *plane = &odl_image_info (image)->planes[c];

  return *(const float *) ((const char *) plane->data + z * plane->slice_stride_bytes
                           + y * plane->row_stride_bytes
                           + x * plane->sample_stride_bytes);
}

static double
slot_distance (OdlEngine *engine, OdlEngine *reference, const OdlPlan *plan, int s)
{
  const OdlStep *step = &plan->steps[s];
  const OdlSlot *slot = &plan->slots[step->writes];
  g_autoptr (GError) error = NULL;
  double largest = 0;

  g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, step->writes, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) wanted
      = odl_engine_read_back (reference, plan, step->writes, &error);
  g_assert_no_error (error);
  for (int z = 0; z < slot->depth; z++)
    for (int y = 0; y < slot->height; y++)
      for (int x = 0; x < slot->width; x++)
        for (int c = 0; c < slot->channels && !is_undefined (step, slot, x, y, z); c++) {
          const double d = fabs ((double) sample_of (got, c, x, y, z)
                                 - sample_of (wanted, c, x, y, z));
          largest = d <= largest ? largest : isfinite (d) ? d : (double) INFINITY;
        }
  if (largest > 0.01)
    g_test_message ("step %d %s level %d axis %d: %g", s, odl_step_row (step->kind)->name,
                    step->level, step->axis, largest);
  return largest;
}

static bool
is_last_writer (const OdlPlan *plan, int s)
{
  for (int later = s + 1; later < plan->n_steps; later++)
    if (plan->steps[later].writes == plan->steps[s].writes)
      return false;
  return true;
}

// A kernel named by its sides; its coefficients add up to less than 1.
static void
add_kernel (OdlOperands *operands, const char *name)
{
  OdlImageInfo info = { .channels = 1, .type = ODL_SAMPLE_F32, .stored_max = 1 };
  g_autoptr (GError) error = NULL;
  float *samples;

  g_assert_cmpint (
      sscanf (name, "%dx%dx%d", &info.extent.x, &info.extent.y, &info.extent.z), ==, 3);
  info.extent.t = 1;
  const int n = info.extent.x * info.extent.y * info.extent.z;
  g_autoptr (OdlImage) kernel = odl_image_alloc (&info, (void **) &samples, &error);
  g_assert_no_error (error);
  for (int i = 0; i < n; i++)
    samples[i] = (float) (i * 7919 % 101 - 40) / (60.0f * (float) n);
  g_assert_true (odl_operands_add (operands, name, kernel, &error));
}

// `neighbours`: NULL for a volume by itself.
static OdlPlan *
plan_of (const char *text, const OdlImage *volume, OdlNeighbours *neighbours)
{
  const OdlRecipe recipe = odl_test_recipe (text);
  OdlGeometry geometry = odl_geometry_of (volume);

  geometry.depth = odl_image_info (volume)->extent.z;
  geometry.neighbours = neighbours;
  g_autoptr (OdlOperands) operands = geometry.operands = odl_operands_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (unlike); i++)
    add_kernel (operands, unlike[i]);
  return odl_test_plan_of (&recipe, &geometry);
}

static void
run_both (OdlEngine *a, OdlEngine *b, const OdlPlan *plan, OdlImage *volume)
{
  OdlEngine *const engines[] = { a, b };

  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    odl_test_run (engines[i], plan, volume);
  }
}

static double
distance_among (OdlEngine *engine,
                const char *text,
                OdlImage *volume,
                OdlNeighbours *neighbours)
{
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlPlan) plan = plan_of (text, volume, neighbours);
  double distance = 0;

  run_both (engine, reference, plan, volume);
  // The result first: whoever reads other slots may have all of them computed again.
  distance = slot_distance (engine, reference, plan, plan->n_steps - 1);
  for (int s = 0; s < plan->n_steps; s++)
    if (is_last_writer (plan, s))
      distance = MAX (distance, slot_distance (engine, reference, plan, s));
  return distance;
}

static double
distance_of (OdlEngine *engine, const char *text, OdlImage *volume)
{
  return distance_among (engine, text, volume, NULL);
}

// All cases (turn −1), or those that fall to the context: CDF 9/7 on one, other wavelets
// on the other, which the turn 1 exchanges.
static void
check_engine (OdlEngine *engine, int channels, const char *words, double bound, int turn)
{
  static const char *const recipes[] = {
    "shrinkage:levels=3,thresholds=0.2/0.1:0.04:0.15/0.02,dimensions=3",
    "shrinkage:levels=2,thresholds=0.1,z-thresholds=0.2:0.03:0:0.1/0.05:auto:0.1:auto,"
    "dimensions=3",
    "shrinkage:wavelet=cdf53,levels=2,thresholds=0.1,dimensions=3,rule=firm",
    "shrinkage:wavelet=db4,levels=3,thresholds=0.1/0.05/0.02,dimensions=3",
    "shrinkage:levels=2,thresholds=0.1/0.05,dimensions=3 border=periodic",
    "shrinkage:wavelet=db4,levels=2,thresholds=0.1/0.05,dimensions=3 border=zero",
    "shrinkage:levels=3,thresholds=0.1,dimensions=3 view=analysis",
    "shrinkage:levels=2,thresholds=0.1/0.05,dimensions=3 view=filtered-analysis",
    "gaussian:sigma=0.7 shrinkage:levels=2,thresholds=0.05,dimensions=3 "
    "soft-threshold:threshold=0.03",
  };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
      if (turn >= 0
          && !is_taken ((strstr (recipes[r], "wavelet=") != NULL) + (size_t) turn))
        continue;
      g_autoptr (OdlImage) volume = make_volume (sizes[s], channels, ODL_SAMPLE_U8);
      g_autofree char *recipe = g_strdup_printf ("%s %s", recipes[r], words);
      const double distance = distance_of (engine, recipe, volume);
      if (!(distance <= bound))
        g_test_message ("%d × %d × %d, %d channels, %s: %g", sizes[s][0], sizes[s][1],
                        sizes[s][2], channels, recipe, distance);
      g_assert_cmpfloat (distance, <=, bound);
    }
}

static void
check_all (int channels, const char *words, double bound, int turn)
{
  check_engine (odl_gl_test_shared_engine (), channels, words, bound, turn);
}

// The processor runs steps of volumes together, slice by slice, and those that are read
// back once more one by one.
static void
processor (void)
{
  g_autoptr (GError) error = NULL;
  OdlEngine *engine = odl_engine_open (odl_engine_find ("cpu"), &error);

  g_assert_no_error (error);
  check_engine (engine, 1, "", 6e-6, -1);
  check_engine (engine, 3, "", 6e-6, -1);
  odl_engine_close (engine);
}

// Else each level is read and written once more.
static void
synthesis_shrinks_octants (void)
{
  const OdlRecipe recipe = odl_test_recipe ("shrinkage:levels=2,dimensions=3");
  const OdlGeometry geometry
      = { .width = 20, .height = 18, .depth = 16, .channels = 1, .bits = 8 };
  g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);
  int fused = 0;

  for (int s = 0; s < plan->n_steps; s++)
    fused += odl_plan_is_fused_threshold (plan, s);
  g_assert_cmpint (fused, ==, 2);
}

static void
check_slabs (OdlEngine *const engines[2], const char *text, OdlImage *volume, int threads)
{
  g_autoptr (OdlPlan) plan = plan_of (text, volume, NULL);

  odl_parallel_set_threads (threads);
  run_both (engines[0], engines[1], plan, volume);
  g_assert_cmpfloat (slot_distance (engines[0], engines[1], plan, plan->n_steps - 1), ==,
                     0);
}

// Slabs end where others begin, and at either end of a volume, and give the bits of
// single steps.
static void
slabs (void)
{
  static const char *const recipes[]
      = { "shrinkage:levels=2,thresholds=0.1/0.05,dimensions=3",
          "shrinkage:wavelet=cdf53,levels=2,thresholds=0.1,dimensions=3,rule=hard" };
  static const int deep[][3] = { { 36, 19, 131 }, { 1, 21, 96 }, { 17, 2, 64 } };
  const int threads = odl_parallel_threads ();
  OdlEngine *engines[2];

  for (int i = 0; i < 2; i++) {
    g_autoptr (GError) error = NULL;
    engines[i] = odl_engine_open (odl_engine_find ("cpu"), &error);
    g_assert_no_error (error);
  }
  engines[1]->timing = true; // one step after the other
  for (size_t s = 0; s < G_N_ELEMENTS (deep); s++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
      for (int channels = 1; channels <= 3; channels += 2) {
        g_autoptr (OdlImage) volume = make_volume (deep[s], channels, ODL_SAMPLE_U8);
        for (int n = 1; n <= 4; n++)
          check_slabs (engines, recipes[r], volume, n);
      }
  odl_parallel_set_threads (threads);
  for (int i = 0; i < 2; i++)
    odl_engine_close (engines[i]);
}

// Thresholds and noise, and how many details counted; the largest relative difference.
static double
numbers_distance (const float *got, const float *wanted, int n)
{
  static const int compared[]
      = { ODL_BAND_THRESHOLD, ODL_BAND_DEVIATION, ODL_BAND_LARGEST, ODL_BAND_NOISE };
  double largest = 0;

  for (int at = 0; at < n; at += ODL_BAND_NUMBERS) {
    for (size_t i = 0; i < G_N_ELEMENTS (compared); i++)
      largest
          = MAX (largest, fabs ((double) got[at + compared[i]] - wanted[at + compared[i]])
                              / MAX (fabs ((double) wanted[at + compared[i]]), 1e-3));
    g_assert_cmpfloat (got[at + ODL_BAND_COUNT], ==, wanted[at + ODL_BAND_COUNT]);
  }
  return largest;
}

// The thresholds of a plan's seven bands of each level.
static double
thresholds_distance (OdlEngine *engine, OdlEngine *reference, const OdlPlan *plan)
{
  double largest = 0;
  int bands = 0;

  for (int s = 0; s < plan->n_steps; s++) {
    const OdlStep *step = &plan->steps[s];
    g_autoptr (GError) error = NULL;
    if (step->kind != ODL_STEP_BAYES)
      continue;
    g_autoptr (OdlImage) got = odl_engine_read_back (engine, plan, step->writes, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) wanted
        = odl_engine_read_back (reference, plan, step->writes, &error);
    g_assert_no_error (error);
    const int n = plan->slots[step->writes].width;
    largest
        = MAX (largest, numbers_distance (odl_image_info (got)->planes[0].data,
                                          odl_image_info (wanted)->planes[0].data, n));
    bands += n / ODL_BAND_NUMBERS;
  }
  g_assert_cmpint (bands % ODL_DETAIL_OCTANTS, ==, 0);
  g_assert_cmpint (bands, >, 0);
  return largest;
}

// How far the result is off, at most; thresholds are within 1e-3 of theirs.
static double
measured_distance (OdlEngine *engine, const char *text, OdlImage *volume)
{
  g_autoptr (OdlEngine) reference = odl_engine_open (odl_engine_find ("reference"), NULL);
  g_autoptr (OdlPlan) plan = plan_of (text, volume, NULL);

  run_both (engine, reference, plan, volume);
  const double distance = slot_distance (engine, reference, plan, plan->n_steps - 1);
  // Half floats are off by more where a band is next to nothing but noise.
  if (strstr (text, "precision=16") == NULL)
    g_assert_cmpfloat (thresholds_distance (engine, reference, plan), <=, 1e-3);
  return distance;
}

// Black about a volume, which masks leave out.
static void
blacken (OdlImage *volume)
{
  const OdlImageInfo *info = odl_image_info (volume);

  for (int c = 0; c < info->channels; c++)
    for (int z = 0; z < info->extent.z; z++)
      for (int y = 0; y < info->extent.y; y++)
        for (int x = 0; x < info->extent.x; x++)
          if (z < 12 || y < 3 || x > 25)
            *((uint8_t *) info->planes[c].data + z * info->planes[c].slice_stride_bytes
              + y * info->planes[c].row_stride_bytes
              + x * info->planes[c].sample_stride_bytes)
                = 0;
}

// Seven bands of a level, each of all slices inside a mask: grey or, on ES, in colours.
static void
measured (void)
{
  static const struct {
    const char *recipe;
    double bound;
  } recipes[] = {
    { "bayes-shrink:levels=3,dimensions=3", 2e-5 },
    { "sure-shrink:wavelet=db4,levels=2,dimensions=3", 2e-5 },
    { "visu-shrink:wavelet=haar,levels=2,dimensions=3", 2e-5 },
    { "neigh-shrink:wavelet=cdf53,levels=2,window=5,dimensions=3", 2e-5 },
    { "bayes-shrink:levels=2,dimensions=3,sigma=0.1 view=filtered-analysis", 2e-5 },
    { "bayes-shrink:levels=2,dimensions=3 precision=16", 4e-3 },
  };
  static const int large[3] = { 33, 20, 75 }, flat[3] = { 9, 6, 5 };
  const int channels = is_taken (0) ? 1 : 3;

  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
    for (int black = 0; black <= 2; black++) {
      g_autoptr (OdlImage) volume
          = make_volume (black == 2 ? flat : large, channels, ODL_SAMPLE_U8);
      if (black == 1)
        blacken (volume);
      const double distance
          = measured_distance (odl_gl_test_shared_engine (), recipes[r].recipe, volume);
      g_test_message ("%s, %d channels, black %d: off by %g", recipes[r].recipe, channels,
                      black, distance);
      g_assert_cmpfloat (distance, <=, recipes[r].bound);
    }
}

// SURE counts every other row of slices as large as these, whose noise is said to be less
// than it is: else the universal threshold is taken.
static void
some_rows (void)
{
  static const int size[3] = { 520, 66, 3 };
  g_autoptr (OdlImage) volume = make_volume (size, 1, ODL_SAMPLE_U8);
  g_autoptr (OdlEngine) processor = odl_engine_open (odl_engine_find ("cpu"), NULL);
  OdlEngine *const engines[] = { odl_gl_test_shared_engine (), processor };

  g_assert_cmpint (odl_sure_step (size[0] / 2, size[1] / 2), ==, 2);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++)
    g_assert_cmpfloat (
        measured_distance (engines[i],
                           "sure-shrink:wavelet=haar,levels=1,dimensions=3,sigma=0.2",
                           volume),
        <=, 2e-5);
}

static void
grey (void)
{
  check_all (1, "", 6e-6, 0);
}

static void
colour (void)
{
  check_all (3, "", 6e-6, 1);
}

static void
half_floats (void)
{
  check_all (1, "precision=16", 4e-3, 1);
}

// Whole numbers come back bit by bit, and shrink as the reference's do.
static void
whole_numbers (void)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (OdlImage) volume = make_volume (sizes[s], 1, ODL_SAMPLE_U16);
    for (int i = 0; i < 2; i++) {
      const double distance
          = distance_of (engine,
                         i == 0 ? "shrinkage:wavelet=int53,levels=3,thresholds=0,"
                                  "dimensions=3"
                                : "shrinkage:wavelet=int53,levels=3,thresholds=0.01,"
                                  "dimensions=3",
                         volume);
      g_assert_cmpfloat (distance, <=, 2e-7);
    }
  }
}

// Small kernels go through a volume once, larger ones (size=9) a few slices at a time.
static void
kernels (void)
{
  static const char *const shapes[]
      = { "shape=quadrature,size=3,direction=30,elevation=20",
          "shape=quadrature,size=5,direction=30,elevation=20",
          "shape=quadrature,size=7,direction=30,elevation=20",
          "shape=quadrature,size=9,direction=30,elevation=20",
          "kernel=1x3x5",
          "kernel=7x1x3" };
  static const struct {
    const char *words;
    double bound;
    unsigned shapes; // bits; some of either pass
  } ways[] = { { "border=zero", 4e-6, 0x3f },
               { "border=symmetric", 4e-6, 0x29 },
               { "border=periodic", 4e-6, 0x1a },
               { "border=zero precision=16", 4e-3, 0x19 } };
  OdlEngine *engine = odl_gl_test_shared_engine ();

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (size_t r = 0; r < G_N_ELEMENTS (shapes) * G_N_ELEMENTS (ways); r++) {
      const size_t shape = r % G_N_ELEMENTS (shapes), way = r / G_N_ELEMENTS (shapes);
      if (!is_taken (shape + way) || (ways[way].shapes >> shape & 1) == 0)
        continue;
      g_autoptr (OdlImage) volume = make_volume (sizes[s], s == 1 ? 3 : 1, ODL_SAMPLE_U8);
      g_autofree char *recipe = g_strdup_printf ("convolve:%s,dimensions=3,%s",
                                                 shapes[shape], ways[way].words);
      const double distance = distance_of (engine, recipe, volume);
      if (!(distance <= ways[way].bound))
        g_test_message ("%d × %d × %d, %s: %g", sizes[s][0], sizes[s][1], sizes[s][2],
                        recipe, distance);
      g_assert_cmpfloat (distance, <=, ways[way].bound);
    }
}

// Volumes beyond one storage block: refused as a whole, and in sections as the reference
// has them.
static void
sections (void)
{
  static const char *const recipes[] = {
    "convolve:shape=quadrature,size=5,dimensions=3",
    "adaptive:dimensions=3,noise=0.1,size=3,filter-size=3,smoothing=0",
    "bilateral:dimensions=3,size=5",
    "shrinkage:levels=2,thresholds=0.1/0.05,dimensions=3",
    "shrinkage:wavelet=cdf53,levels=1,thresholds=0.1,dimensions=3,rule=firm",
  };
  const int size[3] = { 21, 14, 151 };
  g_autoptr (OdlImage) volume = make_volume (size, 1, ODL_SAMPLE_U8);
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlEngine) reference
      = odl_engine_open (odl_engine_find ("reference"), &error);
  OdlGeometry geometry = odl_geometry_of (volume);

  geometry.depth = size[2];
  odl_gl_compute_set_max_storage (engine, size[0] * size[1] * 4 * 88);
  for (size_t r = odl_gl_test_api () == ODL_GL_API_ES; r < G_N_ELEMENTS (recipes);
       r += 2) {
    const OdlRecipe recipe = odl_test_recipe (recipes[r]);
    g_autoptr (OdlPlan) plan = odl_test_plan_of (&recipe, &geometry);
    const OdlSections cut = odl_sections_of (plan, engine->memory, engine->block,
                                             engine->klass->shares_memory);
    g_assert_false (odl_engine_prepare (engine, plan, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
    g_clear_error (&error);
    g_assert_cmpint (cut.count, >, 1);
    g_autoptr (OdlImage) got
        = odl_engine_process_sections (engine, &recipe, &geometry, &cut, volume, &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) wanted = odl_engine_process (reference, plan, volume, &error);
    g_assert_no_error (error);
    double most = 0;
    for (int z = 0; z < size[2]; z++)
      for (int y = 0; y < size[1]; y++)
        for (int x = 0; x < size[0]; x++)
          most = MAX (most, fabs ((double) sample_of (got, 0, x, y, z)
                                  - sample_of (wanted, 0, x, y, z)));
    g_test_message ("%s, %d sections of %d slices: off by %g", recipes[r], cut.count,
                    cut.depth, most);
    // Where eigenvalues are nearly equal, single precision loses half of its digits.
    g_assert_cmpfloat (most, <, strstr (recipes[r], "adaptive") != NULL ? 2e-5 : 6e-6);
  }
}

// What was transformed for one frame serves the next one, whichever that is.
static void
sums_in_time (void)
{
  static const int frames[] = { 0, 1, 2, 3, 1, 1, 5, 0 };
  static const char *const recipes[][2] = {
    { "convolve:shape=quadrature,size=5,duration=5,dimensions=4,elevation=20",
      "convolve:shape=quadrature,size=5,duration=5,dimensions=4,elevation=50" },
    { "gaussian:sigma=1 convolve:shape=quadrature,size=3,duration=3,dimensions=4,tempo=9",
      "gaussian:sigma=1 convolve:shape=quadrature,size=3,duration=3,dimensions=4" },
    { "structure-tensor:dimensions=4,size=3,smoothing=0",
      "structure-tensor:dimensions=4,size=3,smoothing=0,output=energy" },
  };
  g_autoptr (OdlEngine) engine = odl_gl_test_engine ();
  OdlImage *volumes[6];

  g_assert_true (odl_gl_test_choose (engine, "fft"));
  for (size_t t = 0; t < G_N_ELEMENTS (volumes); t++) {
    volumes[t] = make_volume ((int[]){ 23, 17, 9 }, 1, ODL_SAMPLE_U8);
    uint8_t *samples = (uint8_t *) odl_image_info (volumes[t])->planes[0].data;
    samples[40 * t + 7] ^= 0x80; // no two are alike
  }
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
    for (size_t i = 0; i < G_N_ELEMENTS (frames) && is_taken (r); i++) {
      const int t = frames[i];
      const char *recipe = recipes[r][i == 5];
      g_autoptr (OdlNeighbours) neighbours
          = odl_neighbours_new (t, G_N_ELEMENTS (volumes));
      for (size_t n = 0; n < G_N_ELEMENTS (volumes); n++)
        odl_neighbours_put (neighbours, (int64_t) n, volumes[n]);
      engine->moment = (OdlMoment){ .take = 1 + i, .serial = t };
      const double distance = distance_among (engine, recipe, volumes[t], neighbours);
      g_test_message ("%s, frame %d: off by %g", recipe, t, distance);
      g_assert_cmpfloat (distance, <, 4e-6);
      g_assert_cmpstr (engine->variant, ==, "fft");
    }
  for (size_t t = 0; t < G_N_ELEMENTS (volumes); t++)
    odl_image_unref (volumes[t]);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "volumes/octants-on-the-processor-agree-with-the-reference", processor, NULL,
      true },
    { "volumes/slabs-on-the-processor-give-the-bits-of-single-steps", slabs, NULL, true },
    { "volumes/synthesis-shrinks-octants", synthesis_shrinks_octants, NULL, true },
    { "volumes/measured-thresholds-agree-with-the-reference", measured },
    { "volumes/some-rows-of-large-slices-say-what-is-shrunk", some_rows, NULL, true },
    { "volumes/grey-octants-agree-with-the-reference", grey },
    { "volumes/octants-of-colours-agree-with-the-reference", colour, NULL, true },
    { "volumes/octants-in-16-bits-agree-with-the-reference", half_floats, NULL, true },
    { "volumes/kernels-agree-with-the-reference", kernels },
    { "volumes/larger-than-a-block-go-in-sections", sections },
    { "volumes/sums-in-time-follow-their-frames", sums_in_time },
    { "volumes/octants-of-whole-numbers-agree-with-the-reference", whole_numbers },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
