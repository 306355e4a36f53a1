// SPDX-License-Identifier: MIT
// The CPU engine against the reference engine, step by step.
#include <math.h>

#include "fixtures.h"
#include "wavelet/transform.h"
#include "../helpers/images.h"

#define BOUND 1e-5

typedef struct {
  OdlEngine *cpu;
  OdlEngine *reference;
} Engines;

typedef struct {
  const char *text;
  int channels;
} Recipe;

// The same steps on slots of their own: a plan lets later steps overwrite slots that
// nobody reads any more, which would hide what the steps wrote.
static OdlPlan *
give_own_slots (OdlPlan *plan)
{
  g_autofree int *place = g_new0 (int, plan->n_slots);
  OdlSlot *slots = g_new0 (OdlSlot, plan->n_steps);
  int n_slots = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    OdlStep *step = &plan->steps[i];
    bool continues = i > 0 && step->kind == ODL_STEP_LAYOUT
                     && plan->steps[i - 1].kind == ODL_STEP_LAYOUT;

    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        step->reads[r] = place[step->reads[r]];
    if (!continues) {
      slots[n_slots] = plan->slots[step->writes];
      place[step->writes] = n_slots++;
    }
    step->writes = place[step->writes];
  }
  plan->source = place[plan->source];
  plan->result = place[plan->result];
  g_free (plan->slots);
  plan->slots = slots;
  plan->n_slots = n_slots;
  return plan;
}

// What a step leaves undefined, or where a hard threshold may fall to either side.
static bool
is_open (const OdlStep *step,
         const OdlSlot *slot,
         const OdlImage *input,
         int c,
         int x,
         int y)
{
  if (step->kind != ODL_STEP_THRESHOLD)
    return false;
  if (x < odl_low_count (slot->width) && y < odl_low_count (slot->height))
    return true;
  const double *thresholds = step->parameters.thresholds; // alike in all bands
  return step->parameters.hard
         && fabs (fabs (sample_of (input, c, x, y)) - thresholds[0]) < BOUND;
}

static void
check_step (const Engines *engines, const OdlPlan *plan, int index)
{
  const OdlStep *step = &plan->steps[index];
  const OdlSlot *slot = &plan->slots[step->writes];
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) cpu
      = odl_engine_read_back (engines->cpu, plan, step->writes, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) truth
      = odl_engine_read_back (engines->reference, plan, step->writes, &error);
  g_assert_no_error (error);
  g_autoptr (OdlImage) input
      = step->kind != ODL_STEP_THRESHOLD
            ? NULL
            : odl_engine_read_back (engines->reference, plan, step->reads[0], &error);

  g_assert_cmpint (odl_image_info (cpu)->channels, ==, slot->channels);
  g_assert_cmpint (odl_image_info (cpu)->extent.x, ==, slot->width);
  g_assert_cmpint (odl_image_info (cpu)->extent.y, ==, slot->height);
  for (int c = 0; c < slot->channels; c++)
    for (int y = 0; y < slot->height; y++)
      for (int x = 0; x < slot->width; x++) {
        float a = sample_of (cpu, c, x, y), b = sample_of (truth, c, x, y);

        if (fabsf (a - b) <= BOUND || is_open (step, slot, input, c, x, y))
          continue;
        g_autofree char *text = odl_plan_to_text (plan);
        g_printerr ("step %d (%s, level %d, axis %d), channel %d, (%d, %d): %.9g is not "
                    "%.9g\n%s\n",
                    index, odl_step_row (step->kind)->name, step->level, step->axis, c, x,
                    y, a, b, text);
        g_assert_not_reached ();
      }
}

// Layouts of hard-thresholded bands are left out: the flips at the threshold come along.
static void
check_plan (const Engines *engines, const char *text, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = give_own_slots (odl_test_plan (text, image));
  g_autoptr (GError) error = NULL;
  bool hard = false;

  odl_engine_prepare (engines->cpu, plan, &error);
  g_assert_no_error (error);
  odl_engine_prepare (engines->reference, plan, &error);
  g_assert_no_error (error);
  g_assert_true (odl_engine_run (engines->cpu, plan, image, &error));
  g_assert_true (odl_engine_run (engines->reference, plan, image, &error));
  for (int i = 0; i < plan->n_steps; i++) {
    hard = hard || plan->steps[i].parameters.hard;
    if (!hard || plan->steps[i].kind == ODL_STEP_THRESHOLD)
      check_step (engines, plan, i);
  }
}

// Every kind of step in few recipes; levels beyond what a size allows are reduced.
static const Recipe recipes[] = {
  { "gaussian:sigma=1 sharpen:amount=1,neighbours=4 "
    "soft-threshold:wavelet=cdf97,levels=7,threshold=0.04",
    1 },
  { "gaussian:sigma=2.6 sharpen:amount=0.5,neighbours=8 "
    "shrinkage:wavelet=cdf53,levels=7,thresholds=0.1:0.03:0.06/0.05/0.01",
    1 },
  { "soft-threshold:wavelet=cdf53,levels=3,threshold=0.03 gaussian:sigma=0.6", 3 },
  { "soft-threshold:wavelet=cdf97,levels=3,threshold=0.03 colour=luma", 3 },
  { "soft-threshold:wavelet=cdf97,levels=4,threshold=0.03 view=filtered-analysis", 1 },
  { "hard-threshold:wavelet=cdf97,levels=2,threshold=0.05 view=filtered-analysis", 1 },
  { "shrinkage:wavelet=cdf53,levels=4,thresholds=0.1/0.05 view=analysis colour=luma", 3 },
  { "shrinkage:levels=4,thresholds=0.1:0.03:0.06/0.05,transform=dual-tree", 3 },
  { "bivariate:levels=4,sigma=0.05,window=5", 3 },
};

static Engines
open_both (void)
{
  return (Engines){ open_engine ("cpu"), open_engine ("reference") };
}

static void
close_both (Engines *engines)
{
  odl_engine_close (engines->cpu);
  odl_engine_close (engines->reference);
}

static void
check_size (const Engines *engines, int width, int height)
{
  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
    g_autoptr (OdlImage) image
        = make_noise (width, height, recipes[r].channels, 67 * width + height, 0, 1);

    check_plan (engines, recipes[r].text, image);
  }
}

static void
test_small_sizes (void)
{
  Engines engines = open_both ();

  for (int n = 1; n <= 67; n++) {
    check_size (&engines, n, n);
    check_size (&engines, n, 68 - n);
    check_size (&engines, 1, n);
    check_size (&engines, n, 1);
  }
  close_both (&engines);
}

static void
test_large_sizes (void)
{
  Engines engines = open_both ();

  check_size (&engines, 256, 256);
  check_size (&engines, 511, 333);
  // Longer than one pass of the kernels, in both directions, even and odd.
  check_size (&engines, 2051, 3);
  check_size (&engines, 2, 1030);

  g_autoptr (OdlImage) image = make_noise (1955, 1841, 1, 5, 0, 1);
  check_plan (&engines, "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05", image);
  close_both (&engines);
}

static void
check_border (const Engines *engines,
              const OdlWavelet *wavelet,
              OdlBorder border,
              int width,
              int height)
{
  static const char *const words[] = { "threshold=0.03", "threshold=0.03 view=analysis",
                                       "threshold=0.03 view=filtered-analysis" };
  const int turn = (width + height) % (int) G_N_ELEMENTS (words);
  g_autofree char *text
      = g_strdup_printf ("soft-threshold:wavelet=%s,levels=%d,%s %s", wavelet->name,
                         1 + (width + height) % 4, words[turn], border_words[border]);
  g_autoptr (OdlImage) image = make_noise (width, height, 1, width + 71 * height, 0, 1);

  make_whole (image);
  check_plan (engines, text, image);
}

// Sizes around a vector and around one pass of the kernels, odd and even; lines shorter
// than the filters are.
static void
test_wavelets_and_borders (void)
{
  static const int sizes[][2]
      = { { 1, 1 },   { 2, 2 },   { 3, 2 },    { 1, 7 },    { 8, 1 },  { 5, 6 },
          { 17, 9 },  { 16, 33 }, { 34, 15 },  { 67, 41 },  { 2, 64 }, { 1025, 3 },
          { 3, 521 }, { 64, 64 }, { 1029, 2 }, { 1023, 5 }, { 12, 12 } };
  Engines engines = open_both ();

  for (size_t w = 0; w < odl_wavelet_count (); w++)
    for (OdlBorder border = 0; border < ODL_N_BORDERS; border++)
      for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
        if ((odl_wavelet_at (w)->borders & 1u << border) != 0)
          check_border (&engines, odl_wavelet_at (w), border, sizes[s][0], sizes[s][1]);
  close_both (&engines);
}

static void
test_extreme_values (void)
{
  static const float ranges[][2] = { { 0, 1e-30f }, { -1e-6f, 1e-6f }, { 0.999999f, 1 },
                                     { 1, 1 },      { 0, 0 },          { -1, 2 } };
  Engines engines = open_both ();

  for (size_t i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++) {
      g_autoptr (OdlImage) image
          = make_noise (61, 38, recipes[r].channels, 9, ranges[i][0], ranges[i][1]);

      check_plan (&engines, recipes[r].text, image);
    }
  close_both (&engines);
}

static void
test_sample_types (void)
{
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_U16, ODL_SAMPLE_S16 };
  Engines engines = open_both ();

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++) {
    void *samples;
    g_autoptr (OdlImage) image = odl_test_image (45, 32, 4, types[t], &samples);
    size_t bytes = 45 * 32 * 4 * odl_sample_size (types[t]);

    for (size_t i = 0; i < bytes; i++)
      ((uint8_t *) samples)[i] = (uint8_t) (i * 2654435761u >> 16);
    check_plan (&engines, recipes[2].text, image);
    check_plan (&engines, "soft-threshold:levels=2,threshold=0.1 precision=16", image);
  }
  close_both (&engines);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu-steps/agree-on-every-small-size", test_small_sizes);
  g_test_add_func ("/cpu-steps/agree-on-large-sizes", test_large_sizes);
  g_test_add_func ("/cpu-steps/agree-for-every-wavelet-and-border",
                   test_wavelets_and_borders);
  g_test_add_func ("/cpu-steps/agree-on-extreme-values", test_extreme_values);
  g_test_add_func ("/cpu-steps/agree-on-every-sample-type", test_sample_types);
  return g_test_run ();
}
