// SPDX-License-Identifier: MIT
// Steps over time of the CPU engine: kernels of every instruction set against the plain
// ones, sequences against the reference.
#include <glib.h>
#include <stdlib.h>

#include "../helpers/sequences.h"
#include "engine/cpu/kernels/variant.h"
#include "fixtures.h"

#define MOST 700

// A network is right when it is right for zeros and ones (Knuth, The Art of Computer
// Programming 3, 5.3.4); every permutation is tried anyway.
static void
check_permutations (const OdlCpuVariant *variant, int count)
{
  float value[ODL_PLAN_MAX_FRAMES][1 + ODL_CPU_SLACK] = { 0 }, out;
  const float *rows[ODL_PLAN_MAX_FRAMES];
  int total = 1;

  for (int k = 2; k <= count; k++)
    total *= k;
  for (int k = 0; k < count; k++)
    rows[k] = value[k];
  for (int p = 0; p < total; p++) {
    for (int k = 0; k < count; k++)
      value[k][0] = (float) k;
    for (int k = count - 1, rest = p; k > 0; rest /= k + 1, k--) {
      const float swapped = value[k][0];
      value[k][0] = value[rest % (k + 1)][0];
      value[rest % (k + 1)][0] = swapped;
    }
    variant->median (rows, count, &out, 1);
    g_assert_cmpfloat (out, ==, (float) (count / 2));
  }
}

static void
networks_find_the_median (void)
{
  for (size_t i = 0; i < odl_cpu_variant_count (); i++)
    for (int count = 3; count <= ODL_PLAN_MAX_FRAMES; count += 2)
      if (odl_cpu_variant_at (i)->runs_here ())
        check_permutations (odl_cpu_variant_at (i), count);
}

static void
fill (float *line, guint32 seed)
{
  for (int i = 0; i < MOST + ODL_CPU_SLACK; i++) {
    seed = seed * 1664525u + 1013904223u;
    line[i] = (float) (seed >> 8) / 16777215.0f - 0.25f;
  }
}

static double
largest (const float *a, const float *b, int n)
{
  double most = 0;

  for (int i = 0; i < n; i++)
    most = MAX (most, fabs ((double) a[i] - b[i]));
  return most;
}

static void
check_variant (const OdlCpuVariant *variant, int n)
{
  static float lines[2 * ODL_PLAN_MAX_FRAMES][MOST + ODL_CPU_SLACK];
  static float got[MOST + 1], want[MOST + 1];
  const float *rows[2 * ODL_PLAN_MAX_FRAMES];

  for (int k = 0; k < 2 * ODL_PLAN_MAX_FRAMES; k++) {
    fill (lines[k], 77u * (guint32) (k + n));
    rows[k] = lines[k];
  }
  got[n] = 42;
  for (int count = 3; count <= 7; count += 2) {
    const OdlCpuGate gate = { count, 0.7f, 0.2f };
    variant->median (rows, count, got, n);
    odl_cpu_plain_median (rows, count, want, n);
    g_assert_cmpfloat (largest (got, want, n), ==, 0);
    variant->distance (rows, rows + 7, count, got, n);
    odl_cpu_plain_distance (rows, rows + 7, count, want, n);
    g_assert_cmpfloat (largest (got, want, n), <=, 2e-6);
    variant->follow (&gate, rows[0], rows[1], rows[2], got, n);
    odl_cpu_plain_follow (&gate, rows[0], rows[1], rows[2], want, n);
    g_assert_cmpfloat (largest (got, want, n), <=, 2e-6);
  }
  g_assert_cmpfloat (got[n], ==, 42);
}

// Squares: all different, many equal, one value, one that stands out, far apart.
static void
check_squares (const OdlCpuVariant *variant, int n)
{
  enum { MOST_SQUARE = ODL_PLAN_MAX_SIDE * ODL_PLAN_MAX_SIDE };
  static float lines[MOST_SQUARE][MOST + ODL_CPU_SLACK];
  static float got[MOST + 1], want[MOST + 1];
  static const float *rows[MOST_SQUARE];

  for (int way = 0; way < 5; way++) {
    for (int k = 0; k < MOST_SQUARE; k++) {
      rows[k] = lines[k];
      fill (lines[k], 91u * (guint32) (k + n));
      for (int i = 0; way > 0 && i < MOST + ODL_CPU_SLACK; i++)
        lines[k][i] = way == 1   ? floorf (8 * lines[k][i]) / 8
                      : way == 2 ? 0.25f
                      : way == 3 ? (k == i ? -1.0f : 0.5f)
                                 : lines[k][i] * (k % 2 == 0 ? 3e38f : 1e-30f);
    }
    for (int side = 3; side <= ODL_PLAN_MAX_SIDE; side += 2) {
      got[n] = 42;
      variant->median (rows, side * side, got, n);
      odl_cpu_plain_median (rows, side * side, want, n);
      g_assert_cmpfloat (largest (got, want, n), ==, 0);
      g_assert_cmpfloat (got[n], ==, 42);
    }
  }
}

static void
medians_of_squares_equal_the_plain_ones (void)
{
  static const int lengths[] = { 1, 3, 8, 17, 33 };

  for (size_t i = 0; i < odl_cpu_variant_count (); i++)
    for (size_t n = 0; n < G_N_ELEMENTS (lengths); n++)
      if (odl_cpu_variant_at (i)->runs_here ())
        check_squares (odl_cpu_variant_at (i), lengths[n]);
}

static void
kernels_equal_the_plain_ones (void)
{
  for (size_t i = 0; i < odl_cpu_variant_count (); i++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (i);
    if (!variant->runs_here ()) {
      g_test_message ("%s does not run here", variant->name);
      continue;
    }
    for (int n = 1; n <= 70; n++)
      check_variant (variant, n);
    check_variant (variant, 513);
    check_variant (variant, MOST);
  }
}

static void
frames_are_the_references (void)
{
  static const int sizes[][3] = { { 67, 43, 1 }, { 1, 1, 1 },  { 2, 3, 1 },   { 1, 9, 3 },
                                  { 23, 17, 3 }, { 17, 9, 4 }, { 1031, 5, 1 } };
  g_autoptr (OdlEngine) reference = open_engine ("reference");
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (const OdlEngineVariant *v = engine->klass->variants; v->name != NULL; v++) {
    if (!odl_engine_choose (engine, v->name, NULL))
      continue;
    for (size_t r = 0; r < G_N_ELEMENTS (sequence_recipes); r++)
      for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
        sequence_check (engine, reference, sequence_recipes[r], sizes[s][0], sizes[s][1],
                        sizes[s][2]);
  }
}

static void
luma_is_the_references (void)
{
  g_autoptr (OdlEngine) reference = open_engine ("reference");
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (size_t r = 0; r < G_N_ELEMENTS (sequence_recipes); r++) {
    g_autofree char *text = g_strconcat (sequence_recipes[r], " colour=luma", NULL);
    sequence_check (engine, reference, text, 41, 23, 3);
  }
}

static void
sliders_leave_no_trace (void)
{
  g_autoptr (OdlEngine) reference = open_engine ("reference");
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  sequence_check_sliders (engine);
  sequence_check_sliders (reference);
}

// Another size, filter or window length is another structure.
static void
another_structure_begins_anew (void)
{
  static const char *const recipes[]
      = { "sliding-mean:frames=5",        "sliding-mean:frames=3",
          "sliding-median:frames=3",      "sliding-mean:frames=3 sharpen:amount=0",
          "recursive-average:weight=0.1", "persistence:level=7,threshold=1" };
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (size_t r = 0; r < G_N_ELEMENTS (recipes); r++)
    for (int i = 0; i < 4; i++) {
      g_autoptr (OdlImage) image = sequence_frame (31 + (int) r % 2, 19, 1, i);
      g_autoptr (OdlPlan) plan = odl_test_plan (recipes[r], image);
      g_autoptr (OdlImage) got
          = sequence_run (engine, plan, image, (OdlMoment){ 5, 4 * r + i + 1 });
      if (i == 0)
        g_assert_cmpfloat (sequence_difference (got, image), <=, 1e-7);
      else
        g_assert_cmpfloat (sequence_difference (got, image), >, 1e-3);
    }
}

// Independent noise: a mean of n leaves 1/√n of its deviation, persistence of level p as
// much as a mean of 2 p + 1.
static void
noise_falls_as_it_should (void)
{
  static const struct {
    const char *recipe;
    double frames;
  } rows[] = {
    { "sliding-mean:frames=3", 3 },
    { "sliding-mean:frames=5", 5 },
    { "sliding-mean:frames=7", 7 },
    { "recursive-average:weight=0.2", 9 },
    { "persistence:level=1,threshold=0.5", 3 },
    { "persistence:level=7,threshold=0.5", 15 },
  };
  const int side = 128;
  g_autoptr (OdlEngine) engine = open_engine ("cpu");

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++) {
    g_autoptr (OdlImage) result = NULL;
    double sum = 0, squares = 0;
    for (int i = 0; i < 60; i++) {
      g_autoptr (OdlImage) image
          = make_noise (side, side, 1, 999u * (guint32) (i + 1), 0.4f, 0.6f);
      g_autoptr (OdlPlan) plan = odl_test_plan (rows[r].recipe, image);
      g_clear_pointer (&result, odl_image_unref);
      result = sequence_run (engine, plan, image, (OdlMoment){ 1, 1 + (uint64_t) i });
    }
    const float *values = odl_image_info (result)->planes[0].data;
    for (int i = 0; i < side * side; i++) {
      sum += values[i];
      squares += (double) values[i] * values[i];
    }
    const double mean = sum / (side * side);
    const double left = sqrt (squares / (side * side) - mean * mean) / (0.2 / sqrt (12));
    g_test_message ("%s: %.4f of the noise, %.4f expected", rows[r].recipe, left,
                    1 / sqrt (rows[r].frames));
    g_assert_cmpfloat (fabs (left * sqrt (rows[r].frames) - 1), <, 0.03);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/time/networks-find-the-median", networks_find_the_median);
  g_test_add_func ("/cpu/time/medians-of-squares-equal-the-plain-ones",
                   medians_of_squares_equal_the_plain_ones);
  g_test_add_func ("/cpu/time/kernels-equal-the-plain-ones",
                   kernels_equal_the_plain_ones);
  g_test_add_func ("/cpu/time/frames-are-the-references", frames_are_the_references);
  g_test_add_func ("/cpu/time/luma-is-the-references", luma_is_the_references);
  g_test_add_func ("/cpu/time/sliders-leave-no-trace", sliders_leave_no_trace);
  g_test_add_func ("/cpu/time/another-structure-begins-anew",
                   another_structure_begins_anew);
  g_test_add_func ("/cpu/time/noise-falls-as-it-should", noise_falls_as_it_should);
  return g_test_run ();
}
