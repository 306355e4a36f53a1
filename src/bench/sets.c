// SPDX-License-Identifier: MIT
#include "bench/sets.h"

#include "base/parallel.h"

#define SQUARE(side) \
  { \
    side, side, 0 \
  }

static const OdlBenchSize filter_sizes[]
    = { SQUARE (128),  SQUARE (256),  SQUARE (512), SQUARE (1024),
        SQUARE (2048), SQUARE (4096), SQUARE (8192) };
// Those of Wong et al., Table I, where they say that the GPU begins to pay, and larger.
static const OdlBenchSize start_sizes[]
    = { SQUARE (128),  SQUARE (256),  SQUARE (512),  SQUARE (600), SQUARE (1024),
        SQUARE (1280), SQUARE (2048), SQUARE (4096), SQUARE (8192) };
static const OdlBenchSize load_sizes[]
    = { SQUARE (128), SQUARE (256), SQUARE (512), SQUARE (1024), SQUARE (2048) };
// Picture and video sizes with the levels used in the literature.
static const OdlBenchSize video_sizes[]
    = { { 852, 480, 2 },    { 1280, 720, 4 },   { 1920, 1080, 3 },  { 3840, 2160, 4 },
        { 4520, 2540, 2 },  { 7680, 4320, 5 },  { 256, 256, 8 },    { 512, 512, 9 },
        { 1024, 1024, 10 }, { 2048, 2048, 11 }, { 4096, 4096, 12 }, { 8192, 8192, 13 } };

#define SIZES(list) .sizes = list, .n_sizes = G_N_ELEMENTS (list)
#define VARIANTS(...) \
  .variants = (const char *const[]) \
  { \
    __VA_ARGS__, NULL \
  }

static const OdlBenchSet sets[] = {
  { .name = "filter", SIZES (filter_sizes), .decode = true, .patience_ms = 2000 },
  { .name = "video",
    SIZES (video_sizes),
    VARIANTS ("convolution", "filtering"),
    .channels = 3,
    .patience_ms = 2000 },
  { .name = "start",
    SIZES (start_sizes),
    VARIANTS ("convolution"),
    .channels = 1,
    .levels = 5,
    .cold = true,
    .patience_ms = 2000 },
  // Slower engines saturate a core.
  { .name = "load",
    SIZES (load_sizes),
    VARIANTS ("convolution"),
    .channels = 1,
    .load_seconds = 1.5,
    .patience_ms = 200 },
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

// Sizes of the set, or the given ones with the set's levels.
static void
add_sizes (const OdlBenchSet *set, OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  const bool named = params->n_sizes > 0;

  for (int i = 0; i < (named ? params->n_sizes : set->n_sizes); i++) {
    OdlBenchSize size = named ? params->sizes[i] : set->sizes[i];
    for (int k = 0; k < set->n_sizes; k++)
      if (set->sizes[k].width == size.width && set->sizes[k].height == size.height)
        size.levels = params->levels > 0 ? params->levels : set->sizes[k].levels;
    g_array_append_val (defaults->sizes, size);
  }
  params->sizes = (const OdlBenchSize *) (void *) defaults->sizes->data;
  params->n_sizes = (int) defaults->sizes->len;
  if (!named)
    params->patience_ms = set->patience_ms;
}

static void
add_engines (const OdlBenchSet *set, OdlBenchParams *params, OdlBenchDefaults *defaults)
{
  for (size_t i = 0; i < odl_engine_count (); i++) {
    const OdlEngineClass *klass = odl_engine_at (i);
    if (g_str_equal (klass->name, "reference"))
      continue;
    g_ptr_array_add (defaults->engines, g_strdup (klass->name));
    for (const OdlEngineVariant *v = klass->variants; v != NULL && v->name != NULL; v++)
      if (g_strv_contains (set->variants, v->name))
        g_ptr_array_add (defaults->engines,
                         g_strdup_printf ("%s:%s", klass->name, v->name));
  }
  g_ptr_array_add (defaults->engines, NULL);
  params->engines = (const char *const *) defaults->engines->pdata;
}

void
odl_bench_set_complete (const OdlBenchSet *set,
                        OdlBenchParams *params,
                        OdlBenchDefaults *defaults)
{
  *defaults = (OdlBenchDefaults){
    .engines = g_ptr_array_new_with_free_func (g_free),
    .sizes = g_array_new (FALSE, FALSE, sizeof (OdlBenchSize)),
    .channels = set->channels,
    .precision = 32,
    .threads = { 1, odl_parallel_threads () },
  };
  add_sizes (set, params, defaults);
  if (params->engines == NULL && set->variants != NULL)
    add_engines (set, params, defaults);
  if (params->n_threads == 0) { // one thread, and all threads if there are more
    params->threads = defaults->threads;
    params->n_threads = defaults->threads[1] > 1 ? 2 : 1;
  }
  if (params->n_channels == 0 && set->channels > 0) {
    params->channels = &defaults->channels;
    params->n_channels = 1;
  }
  if (params->n_precisions == 0 && set->channels > 0) {
    params->precisions = &defaults->precision;
    params->n_precisions = 1;
  }
  params->levels = params->levels > 0 ? params->levels : set->levels;
  params->decode = set->decode ? params->decode : NULL;
  params->cold = set->cold;
  params->load_seconds = set->load_seconds;
}

void
odl_bench_defaults_clear (OdlBenchDefaults *defaults)
{
  g_ptr_array_unref (defaults->engines);
  g_array_unref (defaults->sizes);
}
