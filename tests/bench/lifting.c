// SPDX-License-Identifier: MIT
// Times the per-level steps of engine cpu: lifting against filter taps, forward and
// backward, on one thread. Both take turns in one process and are measured by the time
// that the thread was given: other programs may be running. Arguments: [rounds]; 40
// without. Prints the median and the least time of each, and the ratio of the two.
#define _GNU_SOURCE 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "engine/cpu/steps/steps.h"
#include "engine/engine.h"

#define MOST_ROUNDS 500

static const int sizes[][2]
    = { { 512, 512 }, { 1280, 720 }, { 1920, 1080 }, { 2048, 2048 } };
static const char *const wavelets[] = { "cdf97", "cdf53" };

typedef struct {
  OdlPlan *plan;
  OdlImage *image;
  OdlCpuPicture *pictures; // as the engine lays them out
} Case;

static Case
open_case (const char *wavelet, int width, int height)
{
  const OdlImageInfo info
      = { .extent = { width, height }, .channels = 1, .type = ODL_SAMPLE_F32 };
  g_autofree char *text
      = g_strdup_printf ("shrinkage:levels=3,wavelet=%s border=symmetric", wavelet);
  g_autoptr (GError) error = NULL;
  void *samples;
  Case c = { .image = odl_image_alloc (&info, &samples, &error) };
  const OdlGeometry geometry = odl_geometry_of (c.image);
  OdlRecipe recipe;

  for (int i = 0; i < width * height; i++)
    ((float *) samples)[i] = (float) ((unsigned) i * 2654435761u >> 8) / 0x1p24f;
  odl_recipe_init (&recipe);
  odl_recipe_parse (&recipe, text, &error);
  g_assert_no_error (error);
  c.plan = odl_plan_new (&recipe, &geometry, &error);
  g_assert_no_error (error);
  c.pictures = g_new0 (OdlCpuPicture, c.plan->n_slots);
  for (int i = 0; i < c.plan->n_slots; i++) {
    const OdlSlot *slot = &c.plan->slots[i];
    const size_t pitch = ((size_t) slot->width + 15) / 16 * 16 + 16;
    const size_t size = pitch * slot->height * sizeof (float);
    c.pictures[i] = (OdlCpuPicture){ slot->width, slot->height, 1, pitch,
                                     odl_aligned_alloc_huge (size) };
    g_assert_nonnull (c.pictures[i].samples);
    memset (c.pictures[i].samples, 0, size);
  }
  return c;
}

static void
close_case (Case *c)
{
  for (int i = 0; i < c->plan->n_slots; i++)
    odl_aligned_free (c->pictures[i].samples);
  g_free (c->pictures);
  odl_plan_unref (c->plan);
  odl_image_unref (c->image);
}

static double
thread_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * (double) now.tv_sec + 1e-6 * (double) now.tv_nsec;
}

// One frame; ms[0] gets the time of the steps forward, ms[1] that of those back.
static void
run_frame (const Case *c, const OdlCpuMethod *method, double ms[2])
{
  const OdlCpuPast nothing = { 0 };

  ms[0] = ms[1] = 0;
  for (int i = 0; i < c->plan->n_steps; i++) {
    const OdlStep *step = &c->plan->steps[i];
    const double start_ms = thread_ms ();
    odl_cpu_run_step (c->plan, step, method, c->pictures, c->image, &nothing);
    if (step->kind == ODL_STEP_FORWARD || step->kind == ODL_STEP_INVERSE)
      ms[step->kind == ODL_STEP_INVERSE] += thread_ms () - start_ms;
  }
}

static void
time_case (const OdlCpuVariant *variant,
           const char *wavelet,
           const int size[2],
           int rounds)
{
  static const char *const parts[] = { "forward", "backward" };
  static double ms[2][2][MOST_ROUNDS]; // of lifting and filtering, forward and backward
  Case c = open_case (wavelet, size[0], size[1]);

  for (int round = -2; round < rounds; round++)
    for (int filtering = 0; filtering < 2; filtering++) {
      const OdlCpuMethod method = { variant, filtering == 1 };
      double frame[2];
      run_frame (&c, &method, frame);
      for (int part = 0; part < 2 && round >= 0; part++)
        ms[filtering][part][round] = frame[part];
    }
  for (int part = 0; part < 2; part++) {
    for (int filtering = 0; filtering < 2; filtering++)
      qsort (ms[filtering][part], rounds, sizeof (double), odl_order_doubles);
    const double *lifting = ms[0][part], *filtering = ms[1][part];
    printf ("%-7s %s %4d × %4d  %-8s  lifting %7.3f (%7.3f)  filtering %7.3f (%7.3f)  "
            "ratio %.2f (%.2f)\n",
            variant->name, wavelet, size[0], size[1], parts[part], lifting[rounds / 2],
            lifting[0], filtering[rounds / 2], filtering[0],
            filtering[rounds / 2] / lifting[rounds / 2], filtering[0] / lifting[0]);
  }
  fflush (stdout);
  close_case (&c);
}

int
main (int argc, char **argv)
{
  const int rounds = argc > 1 ? CLAMP (atoi (argv[1]), 1, MOST_ROUNDS) : 40;

  odl_parallel_set_threads (1);
  printf ("ms, the median (the least) of %d rounds\n", rounds);
  for (size_t v = 0; v < odl_cpu_variant_count (); v++) {
    const OdlCpuVariant *variant = odl_cpu_variant_at (v);
    if (!variant->runs_here () || (argc > 2 && !g_str_equal (argv[2], variant->name)))
      continue;
    for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++)
      for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
        time_case (variant, wavelets[w], sizes[s], rounds);
  }
  return 0;
}
