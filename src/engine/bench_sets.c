// SPDX-License-Identifier: MIT
#include "engine/bench_sets.h"

#include <string.h>

#include "base/parallel.h"
#include "engine/bench_published.h"
#include "engine/bench_tables.h"

#define PATIENCE_MS 2000 // for one frame, where nobody named the sizes

#define LOAD_SECONDS 1.5

static const int filter_sides[] = { 128, 256, 512, 1024, 2048, 4096, 8192 };
static const int load_sides[] = { 128, 256, 512, 1024, 2048 };
static const int start_sides[] = { 128, 256, 512, 1024, 1280, 1536, 2048, 4096 };
static const int grey[] = { 1 }, colour[] = { 3 }, single[] = { 32 };

static void
add_squares (OdlBenchParams *params,
             OdlBenchDefaults *defaults,
             const int *sides,
             int n_sides)
{
  if (params->n_sizes > 0)
    return;
  for (int i = 0; i < n_sides; i++)
    g_array_append_val (defaults->sizes, ((OdlBenchSize){ sides[i], sides[i], 0 }));
  params->sizes = (const OdlBenchSize *) (void *) defaults->sizes->data;
  params->n_sizes = (int) defaults->sizes->len;
  params->patience_ms = PATIENCE_MS;
}

// One thread, and all where there are more.
static void
add_threads (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  if (params->n_threads > 0)
    return;
  defaults->threads[0] = 1;
  defaults->threads[1] = odl_parallel_threads ();
  params->threads = defaults->threads;
  params->n_threads = defaults->threads[1] > 1 ? 2 : 1;
}

// All but the reference, and variants that transform by filter taps where the engine
// itself does by lifting: those whose name is in `words`.
static void
add_fast_engines (OdlBenchParams *params,
                  OdlBenchDefaults *defaults,
                  const char *const *words)
{
  if (params->engines != NULL)
    return;
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    if (g_str_equal (klass->name, "reference"))
      continue;
    g_ptr_array_add (defaults->engines, g_strdup (klass->name));
    for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++)
      if (g_strv_contains (words, v->name))
        g_ptr_array_add (defaults->engines,
                         g_strdup_printf ("%s:%s", klass->name, v->name));
  }
  g_ptr_array_add (defaults->engines, NULL);
  params->engines = (const char *const *) defaults->engines->pdata;
}

static void
complete_filter (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  add_squares (params, defaults, filter_sides, G_N_ELEMENTS (filter_sides));
  add_threads (params, defaults);
}

// The levels that others took for a picture of this size; 0: none did.
static int
published_levels (OdlBenchSize size)
{
  for (size_t i = 0; i < ODL_BENCH_N_PUBLISHED_VIDEO; i++)
    if (odl_bench_published_video[i].width == size.width
        && odl_bench_published_video[i].height == size.height)
      return odl_bench_published_video[i].levels;
  return 0;
}

static void
add_video_sizes (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  const bool named = params->n_sizes > 0;
  const int n = named ? params->n_sizes : ODL_BENCH_N_PUBLISHED_VIDEO;

  for (int i = 0; i < n; i++) {
    OdlBenchSize size = named ? params->sizes[i]
                              : (OdlBenchSize){ odl_bench_published_video[i].width,
                                                odl_bench_published_video[i].height, 0 };
    size.levels = params->levels > 0 ? params->levels : published_levels (size);
    g_array_append_val (defaults->sizes, size);
  }
  params->sizes = (const OdlBenchSize *) (void *) defaults->sizes->data;
  params->n_sizes = n;
  if (!named)
    params->patience_ms = PATIENCE_MS;
}

static void
complete_video (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  params->decode = NULL;
  add_video_sizes (params, defaults);
  add_threads (params, defaults);
  add_fast_engines (params, defaults,
                    (const char *const[]){ "convolution", "filtering", NULL });
  if (params->n_channels == 0) {
    params->channels = colour;
    params->n_channels = 1;
  }
  if (params->n_precisions == 0) {
    params->precisions = single;
    params->n_precisions = 1;
  }
}

static void
complete_start (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  params->decode = NULL;
  add_squares (params, defaults, start_sides, G_N_ELEMENTS (start_sides));
  add_threads (params, defaults);
  add_fast_engines (params, defaults, (const char *const[]){ "convolution", NULL });
  if (params->n_channels == 0) {
    params->channels = grey;
    params->n_channels = 1;
  }
  if (params->n_precisions == 0) {
    params->precisions = single;
    params->n_precisions = 1;
  }
  params->levels = params->levels > 0 ? params->levels : 5;
  params->cold = true;
}

static void
complete_load (OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  params->decode = NULL;
  add_squares (params, defaults, load_sides, G_N_ELEMENTS (load_sides));
  params->patience_ms = 200; // what is slower keeps a processor busy all the time
  add_threads (params, defaults);
  add_fast_engines (params, defaults, (const char *const[]){ "convolution", NULL });
  if (params->n_channels == 0) {
    params->channels = grey;
    params->n_channels = 1;
  }
  if (params->n_precisions == 0) {
    params->precisions = single;
    params->n_precisions = 1;
  }
  params->load_seconds = LOAD_SECONDS;
}

static const OdlBenchSet sets[] = {
  { "filter", complete_filter, odl_bench_filter_tables },
  { "video", complete_video, odl_bench_video_tables },
  { "start", complete_start, odl_bench_start_tables },
  { "load", complete_load, odl_bench_load_table },
};

size_t
odl_bench_set_count (void)
{
  return G_N_ELEMENTS (sets);
}

const OdlBenchSet *
odl_bench_set_at (size_t index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (sets), NULL);
  return &sets[index];
}

const OdlBenchSet *
odl_bench_set_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
    if (g_str_equal (sets[i].name, name))
      return &sets[i];
  return NULL;
}

void
odl_bench_defaults_clear (OdlBenchDefaults *defaults)
{
  if (defaults->engines != NULL)
    g_ptr_array_unref (defaults->engines);
  if (defaults->sizes != NULL)
    g_array_unref (defaults->sizes);
  *defaults = (OdlBenchDefaults){ .engines = NULL };
}
