// SPDX-License-Identifier: MIT
// Measures on request, so that another program can measure something else in between:
// reads lines "WHAT WIDTH HEIGHT THREADS RUNS [DEPTH]", of volumes with the depth, and
// answers each with "MEDIAN-MS MIN-MS".
// WHAT is a sample type (f32, u8, u16) for the engine, copy for a copy of the f32
// picture by all threads, or sums for four additions a sample, which touch no memory:
// what the machine gives, to set beside. bank is the time of the convolutions of an f32
// picture alone, apart the same one after the other: their borders alternate, so that
// none belongs to the bank of the one before. `rounds RECIPE [ENGINE]` sets what the
// engine does, and another one than "cpu".
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "engine/gl/platform/headless.h"

#define MOST_RUNS 1000

static const struct {
  const char *name;
  OdlSampleType type;
  int channels;
} pictures[] = {
  { "f32", ODL_SAMPLE_F32, 1 },
  { "u8", ODL_SAMPLE_U8, 1 },
  { "u16", ODL_SAMPLE_U16, 1 },
  { "rgb8", ODL_SAMPLE_U8, 3 },
};

static OdlImage *
make_picture (int what, OdlExtent extent, bool huge_pages)
{
  OdlImageInfo info = { .extent = extent,
                        .channels = pictures[what].channels,
                        .type = pictures[what].type };
  const size_t sample = odl_sample_size (info.type);
  const size_t row = sample * info.channels * extent.x;
  const size_t size = row * extent.y * extent.z;
  void *samples = huge_pages ? odl_aligned_alloc_huge (size) : odl_aligned_alloc (size);
  g_autoptr (GError) error = NULL;
  guint32 noise = 1;

  g_assert_nonnull (samples);
  for (size_t i = 0; i < size / sample; i++) {
    noise = noise * 1664525u + 1013904223u;
    if (info.type == ODL_SAMPLE_F32)
      ((float *) samples)[i] = (float) (noise >> 8) / 16777215.0f;
    else if (info.type == ODL_SAMPLE_U8)
      ((guint8 *) samples)[i] = (guint8) (noise >> 24);
    else
      ((guint16 *) samples)[i] = (guint16) (noise >> 16);
  }
  for (int c = 0; c < info.channels; c++)
    info.planes[c] = (OdlPlane){
      .data = (char *) samples + c * sample,
      .sample_stride_bytes = sample * info.channels,
      .row_stride_bytes = row,
      .slice_stride_bytes = row * extent.y,
    };
  OdlImage *image = odl_image_wrap (&info, odl_aligned_free, samples, &error);
  g_assert_no_error (error);
  return image;
}

typedef struct {
  OdlEngineChoice choice;
  OdlGlHeadless *headless; // NULL: the engine needs none
  OdlEngine *engine;
  OdlPlan *plan;
  OdlImage *image;
  char *copy;
  size_t size;
  bool sums;
  bool convolutions; // their time alone
  bool huge_pages;
} Case;

static void
take_apart (OdlPlan *plan)
{
  for (int i = 1; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_CONVOLVE)
      plan->steps[i].border
          = plan->steps[i - 1].kind == ODL_STEP_CONVOLVE
                    && plan->steps[i - 1].border == ODL_BORDER_WHOLE_SAMPLE
                ? ODL_BORDER_ZERO
                : ODL_BORDER_WHOLE_SAMPLE;
}

static void
open_case (Case *c, const char *recipe_text, const char *name, OdlExtent extent)
{
  g_autoptr (GError) error = NULL;
  OdlRecipe recipe;
  int what = -1;

  for (int i = 0; i < (int) G_N_ELEMENTS (pictures); i++)
    if (g_str_equal (name, pictures[i].name))
      what = i;
  c->sums = g_str_equal (name, "sums");
  const bool apart = g_str_equal (name, "apart");
  c->convolutions = apart || g_str_equal (name, "bank");
  if (c->convolutions)
    what = 0;
  c->image = make_picture (what < 0 ? 0 : what, extent, c->huge_pages);
  if (what < 0) {
    c->size = (size_t) extent.x * extent.y * extent.z * sizeof (float);
    c->copy
        = c->huge_pages ? odl_aligned_alloc_huge (c->size) : odl_aligned_alloc (c->size);
    g_assert_nonnull (c->copy);
    memset (c->copy, 1, c->size);
    return;
  }
  const OdlGeometry geometry = odl_geometry_of (c->image);
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, recipe_text, &error);
  g_assert_no_error (error);
  c->plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  if (apart)
    take_apart (c->plan);
  c->engine = odl_engine_open_choice (c->choice, &error);
  g_assert_no_error (error);
  c->engine->timing = c->convolutions;
}

static void
close_case (Case *c)
{
  g_clear_pointer (&c->engine, odl_engine_close);
  g_clear_pointer (&c->plan, odl_plan_unref);
  g_clear_pointer (&c->image, odl_image_unref);
  g_clear_pointer (&c->copy, odl_aligned_free);
}

static void
copy_all (char *to, const char *from, size_t size)
{
  const int parts = odl_parallel_threads ();

  ODL_PARALLEL_FOR_AT_MOST (parts)
  for (int i = 0; i < parts; i++) {
    const size_t first = size * i / parts, end = size * (i + 1) / parts;
    memcpy (to + first, from + first, end - first);
  }
}

// Four sums at a time, in registers.
static void
add_up (size_t samples)
{
  const int parts = odl_parallel_threads ();

  ODL_PARALLEL_FOR_AT_MOST (parts)
  for (int i = 0; i < parts; i++) {
    typedef float Sums __attribute__ ((vector_size (16)));
    Sums sums = { 0 };
    for (size_t k = samples * i / parts; k < samples * (i + 1) / parts; k++) {
      sums += (float) i;
      __asm__ volatile("" : "+x"(sums));
    }
  }
}

static void
run_case (Case *c)
{
  g_autoptr (GError) error = NULL;

  if (c->sums) {
    add_up (c->size / sizeof (float));
    return;
  }
  if (c->copy != NULL) {
    copy_all (c->copy, odl_image_info (c->image)->planes[0].data, c->size);
    return;
  }
  odl_engine_prepare (c->engine, c->plan, &error);
  g_assert_no_error (error);
  odl_engine_run (c->engine, c->plan, c->image, &error);
  g_assert_no_error (error);
  if (c->headless != NULL)
    odl_gl_headless_finish (c->headless);
}

// One thread is measured by the time that it was given, or all that draw in software:
// other programs may be running.
static gint64
clock_ns (const Case *c, int threads)
{
  const clockid_t clock
      = c->headless != NULL ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID;
  struct timespec now;

  if (threads > 1)
    return odl_clock_now_ns ();
  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

// What a run took, of `start`.
static gint64
time_of (const Case *c, int threads, gint64 start)
{
  gint64 sum = 0;

  if (!c->convolutions)
    return clock_ns (c, threads) - start;
  for (int i = 0; i < c->plan->n_steps; i++)
    if (c->plan->steps[i].kind == ODL_STEP_CONVOLVE)
      sum += c->engine->step_ns[i];
  return sum;
}

static int
compare_ns (const void *a, const void *b)
{
  const gint64 left = *(const gint64 *) a, right = *(const gint64 *) b;

  return left < right ? -1 : left > right;
}

int
main (int argc, char **argv)
{
  const char *recipe = argc > 1 ? argv[1] : "soft-threshold:levels=3,threshold=0.05";
  const char *words = g_getenv ("ODL_CPU");
  char line[256], last[256] = "";
  Case c = { .huge_pages = words == NULL || strstr (words, "small-pages") == NULL };
  static gint64 ns[MOST_RUNS];
  g_autoptr (GError) error = NULL;

  odl_engine_choice_parse (argc > 2 ? argv[2] : "cpu", &c.choice, &error);
  g_assert_no_error (error);
  if (c.choice.klass->needs_gl)
    c.headless = odl_gl_headless_new (&error);
  g_assert_no_error (error);
  while (fgets (line, sizeof line, stdin) != NULL) {
    char name[16], key[256];
    int threads, runs;
    OdlExtent extent = { .z = 1, .t = 1 };

    if (sscanf (line, "%15s %d %d %d %d %d", name, &extent.x, &extent.y, &threads, &runs,
                &extent.z)
        < 5)
      return 2;
    g_snprintf (key, sizeof key, "%s %d %d %d %d", name, extent.x, extent.y, extent.z,
                threads);
    odl_parallel_set_threads (threads);
    if (!g_str_equal (key, last)) {
      close_case (&c);
      open_case (&c, recipe, name, extent);
      for (int i = 0; i < 3; i++)
        run_case (&c);
    }
    g_strlcpy (last, key, sizeof last);
    runs = CLAMP (runs, 1, MOST_RUNS);
    run_case (&c);
    for (int i = 0; i < runs; i++) {
      const gint64 start = clock_ns (&c, threads);
      run_case (&c);
      ns[i] = time_of (&c, threads, start);
    }
    qsort (ns, runs, sizeof ns[0], compare_ns);
    printf ("%.6f %.6f\n", 1e-6 * ns[runs / 2], 1e-6 * ns[0]);
    fflush (stdout);
  }
  close_case (&c);
  g_clear_pointer (&c.headless, odl_gl_headless_free);
  return 0;
}
