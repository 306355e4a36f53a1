// SPDX-License-Identifier: MIT
// The CPU engine: single precision, planar, threads over bands of rows. The working set
// is allocated with the plan; nothing is allocated per frame. A plan of 16-bit precision
// is computed in single precision as well: it is as fast here and never worse.
//
// A wavelet filter runs as one pass over the picture (passes.h), which does not fill the
// slots between its first and its last step. All other steps run one by one, and so do
// all steps when they are timed, or where no filter runs as one pass. Single steps use
// lifting, too, where the wavelet and its border allow it (transform.c). Passes are
// for plans whose pictures have one size.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "engine/cpu/passes.h"
#include "engine/cpu/steps/steps.h"
#include "engine/cpu/steps/volume_steps.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "image/memory_pool.h"
#include "plan/flow.h"

// Memory of pictures that no later step of a volume's plan reads, for those that come: a
// volume's working set is what is alive at once, not all that its steps write.

typedef struct _OdlCpuSpares OdlCpuSpares;

// Numbers and thresholds keep their memory, and what they hold.
#define LEAST_FLOATS ((size_t) 1 << 18)

typedef struct {
  float *samples;
  size_t floats;
} Spare;

struct _OdlCpuSpares {
  bool huge_pages;
  GArray *spares; // Spare
};

static OdlCpuSpares *
odl_cpu_spares_new (bool huge_pages)
{
  OdlCpuSpares *self = g_new (OdlCpuSpares, 1);

  self->huge_pages = huge_pages;
  self->spares = g_array_new (FALSE, FALSE, sizeof (Spare));
  return self;
}

static void
odl_cpu_spares_free (OdlCpuSpares *self)
{
  for (guint i = 0; i < self->spares->len; i++)
    odl_aligned_free (g_array_index (self->spares, Spare, i).samples);
  g_array_unref (self->spares);
  g_free (self);
}

static size_t
floats_of (const OdlCpuPicture *picture)
{
  return picture->pitch * (size_t) picture->height * (size_t) odl_cpu_planes (picture);
}

// The picture's memory goes to the spares; small ones keep theirs.
static void
odl_cpu_spares_give (OdlCpuSpares *self, OdlCpuPicture *picture)
{
  const Spare spare = { picture->samples, floats_of (picture) };

  if (spare.samples == NULL || spare.floats < LEAST_FLOATS)
    return;
  g_array_append_val (self->spares, spare);
  picture->samples = NULL;
}

// Memory for the picture, unless it has some: a spare of its size, or new, which is
// counted. False: there is none.
static bool
odl_cpu_spares_take (OdlCpuSpares *self, OdlCpuPicture *picture, size_t *allocations)
{
  const size_t floats = floats_of (picture);

  if (picture->samples != NULL)
    return true;
  for (guint i = self->spares->len; i > 0; i--) {
    const Spare spare = g_array_index (self->spares, Spare, i - 1);
    if (spare.floats != floats)
      continue;
    g_array_remove_index (self->spares, i - 1);
    picture->samples = spare.samples;
    return true;
  }
  if (!odl_cpu_picture_alloc (picture, self->huge_pages))
    return false;
  ++*allocations;
  return true;
}

// How the CPU engine runs plans: its variants, by their names.

// Variants that are not instruction sets.
#define ODL_CPU_WAY_PER_LEVEL "per-level"
#define ODL_CPU_WAY_FILTERING "filtering"
#define ODL_CPU_WAY_FOURIER "fft"
#define ODL_CPU_WAY_DIRECT "direct"

typedef struct {
  OdlCpuMethod steps;
  bool per_level; // step by step, even for filters that could run as one pass
} OdlCpuWay;

// Ends with one without a name.
static const OdlEngineVariant odl_cpu_variants[] = {
  { "scalar", N_ ("plain C"), false },
  { "sse2", N_ ("SSE2: 4 samples at a time"), false },
  { "avx2", N_ ("AVX2 and FMA: 8 samples at a time"), false },
  { "avx512", N_ ("AVX-512: 16 samples at a time"), false },
  { "neon", N_ ("NEON: 4 samples at a time"), false },
  { ODL_CPU_WAY_PER_LEVEL, N_ ("level by level, never in one pass"), false },
  { ODL_CPU_WAY_FILTERING, N_ ("level by level, with filter taps instead of lifting"),
    false },
  { ODL_CPU_WAY_FOURIER, N_ ("convolution by Fourier transforms"), false },
  { ODL_CPU_WAY_DIRECT, N_ ("convolution without Fourier transforms"), false },
  { NULL, NULL, false },
};

// As these words of ODL_CPU say; unknown ones are left out.
static OdlCpuWay
odl_cpu_way_of (const char *const *words)
{
  const bool filtering = g_strv_contains (words, ODL_CPU_WAY_FILTERING);
  const OdlCpuConvolving convolving
      = g_strv_contains (words, ODL_CPU_WAY_FOURIER)  ? ODL_CPU_CONVOLVING_FOURIER
        : g_strv_contains (words, ODL_CPU_WAY_DIRECT) ? ODL_CPU_CONVOLVING_DIRECT
                                                      : ODL_CPU_CONVOLVING_FASTEST;

  return (OdlCpuWay){
    .steps = { odl_cpu_variant_choose (words), filtering, convolving },
    .per_level = filtering || g_strv_contains (words, ODL_CPU_WAY_PER_LEVEL),
  };
}

// Changes `way` to a variant, NULL: to none. False: ODL_ERROR_UNSUPPORTED, this processor
// or this build has not its instructions.
static bool
odl_cpu_way_choose (OdlCpuWay *way, const char *name, GError **error)
{
  if (g_strcmp0 (name, ODL_CPU_WAY_PER_LEVEL) == 0
      || g_strcmp0 (name, ODL_CPU_WAY_FILTERING) == 0) {
    way->per_level = true;
    way->steps.filtering = g_str_equal (name, ODL_CPU_WAY_FILTERING);
  } else if (g_strcmp0 (name, ODL_CPU_WAY_FOURIER) == 0
             || g_strcmp0 (name, ODL_CPU_WAY_DIRECT) == 0) {
    way->steps.convolving = g_str_equal (name, ODL_CPU_WAY_FOURIER)
                                ? ODL_CPU_CONVOLVING_FOURIER
                                : ODL_CPU_CONVOLVING_DIRECT;
  } else if (name != NULL) {
    way->steps.variant = odl_cpu_variant_choose ((const char *const[]){ name, NULL });
    if (!g_str_equal (way->steps.variant->name, name))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          _ ("this processor, or this build, cannot run the instructions “%s”"), name);
  }
  return true;
}

// Floats between the end of a row and the next: rows that start a power of two apart
// would fall into the same cache sets.
#define PITCH_UNIT 16

typedef struct {
  OdlEngine base;
  OdlCpuWay way;
  OdlCpuWay opened_with; // named by ODL_CPU, else the fastest
  bool huge_pages;
  int threads; // that `passes` were laid out for
  OdlPlan *plan; // the current structure
  OdlCpuPicture *pictures; // one per slot; memory is allocated on demand
  OdlCpuSpares *spares; // of a volume's pictures; NULL: each keeps its memory
  OdlCpuRings *rings; // of steps over time
  OdlCpuStreams *streams; // of steps over several frames; NULL: none
  OdlCpuSpectra *spectra; // of volumes and kernels; NULL: none
  OdlCpuPasses *passes; // NULL: every step by itself
  // Describes the last run, so that slots that a pass skips can be computed later.
  OdlPlan *last_plan;
  OdlImage *last_input; // NULL: every slot is up to date
  // The result lies in memory of a pool and is lent without copying; the next run then
  // uses another block.
  OdlImagePool *pool;
  OdlImageBlock *block; // memory of `pictures`; NULL: none, or it belongs to `shown`
  OdlImage *shown; // the last result, lent to the caller
  bool luma_alone; // the result's first channel is luma, to be joined with last_input
} CpuEngine;

static void
forget_last (CpuEngine *self)
{
  g_clear_pointer (&self->last_plan, odl_plan_unref);
  g_clear_pointer (&self->last_input, odl_image_unref);
}

static void
drop_result (CpuEngine *self)
{
  if (self->plan != NULL && self->pictures != NULL)
    self->pictures[self->plan->result].samples = NULL;
  g_clear_pointer (&self->block, odl_image_block_give);
  g_clear_pointer (&self->shown, odl_image_unref);
}

static void
drop_pictures (CpuEngine *self)
{
  forget_last (self);
  drop_result (self);
  if (self->plan != NULL)
    for (int i = 0; i < self->plan->n_slots; i++)
      odl_aligned_free (self->pictures[i].samples);
  g_clear_pointer (&self->pictures, g_free);
  g_clear_pointer (&self->spares, odl_cpu_spares_free);
  g_clear_pointer (&self->rings, odl_cpu_rings_free);
  g_clear_pointer (&self->passes, odl_cpu_passes_free);
  g_clear_pointer (&self->spectra, odl_cpu_spectra_free);
  g_clear_pointer (&self->streams, odl_cpu_streams_free);
  g_clear_pointer (&self->plan, odl_plan_unref);
}

static void
set_memory_error (const CpuEngine *self, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("there is not enough memory to filter %d × %d pixels; close other "
                  "programs or choose fewer filters"),
               self->plan->geometry.width, self->plan->geometry.height);
}

static bool
samples_size (const OdlCpuPicture *picture, int channels, size_t *size)
{
  const size_t factors[] = { picture->pitch, picture->height, channels,
                             MAX (picture->depth, 1), sizeof (float) };

  return odl_size_product (factors, G_N_ELEMENTS (factors), size);
}

// Memory for the first `channels` channels of the result. A block that was lent is not
// reused.
static bool
take_result (CpuEngine *self, int channels, GError **error)
{
  OdlCpuPicture *picture = &self->pictures[self->plan->result];
  const size_t made = odl_memory_pool_made (self->pool);
  size_t size = 0;

  self->luma_alone = false;
  const bool possible = samples_size (picture, channels, &size);
  if (self->shown != NULL || (self->block != NULL && self->block->size != size))
    drop_result (self);
  if (self->block == NULL && possible)
    self->block = odl_image_pool_take (self->pool, size);
  picture->samples = self->block != NULL ? self->block->data : NULL;
  self->base.counters.allocations += odl_memory_pool_made (self->pool) - made;
  if (self->block == NULL)
    set_memory_error (self, error);
  return self->block != NULL;
}

static bool
alloc_samples (CpuEngine *self, int slot, GError **error)
{
  OdlCpuPicture *picture = &self->pictures[slot];

  if (slot == self->plan->result)
    return take_result (self, picture->channels, error);
  if (picture->samples != NULL)
    return true;
  if (!odl_cpu_picture_alloc (picture, self->huge_pages)) {
    set_memory_error (self, error);
    return false;
  }
  self->base.counters.allocations++;
  return true;
}

static bool
alloc_all_samples (CpuEngine *self, GError **error)
{
  for (int i = 0; i < self->plan->n_slots; i++)
    if (!alloc_samples (self, i, error))
      return false;
  return true;
}

// Of what is free when the engine opens: a result of its own lies beside its pictures.
#define MOST_OF_MEMORY 0.4

// ODL_CPU, such as "avx2" or "avx512,small-pages", is read here and nowhere else.
static OdlEngine *
cpu_open (GError **error)
{
  CpuEngine *self = g_new0 (CpuEngine, 1);
  const char *wanted = g_getenv ("ODL_CPU");
  g_auto (GStrv) words = g_strsplit (wanted != NULL ? wanted : "", ",", -1);

  self->opened_with = odl_cpu_way_of ((const char *const *) words);
  self->way = self->opened_with;
  self->huge_pages = !g_strv_contains ((const char *const *) words, "small-pages");
  self->pool = odl_memory_pool_new (self->huge_pages);
  self->base.memory = MOST_OF_MEMORY * odl_machine_free_memory ("");
  return &self->base;
}

static void
cpu_close (OdlEngine *engine)
{
  CpuEngine *self = (CpuEngine *) engine;

  drop_pictures (self);
  odl_image_pool_unref (self->pool);
  g_free (self);
}

// What the pictures of the plan leave of the engine's memory.
static double
bytes_left (const CpuEngine *self)
{
  double bytes = 0;

  for (int i = 0; i < self->plan->n_slots; i++) {
    const OdlCpuPicture *picture = &self->pictures[i];
    bytes += (double) picture->pitch * picture->height * odl_cpu_planes (picture)
             * sizeof (float);
  }
  return MAX (self->base.memory - bytes, 0);
}

// Passes need memory for what they read and write; other slots get theirs when they are
// read back, the result with each run.
static bool
prepare_pictures (CpuEngine *self, GError **error)
{
  self->pictures = g_new0 (OdlCpuPicture, self->plan->n_slots);
  for (int i = 0; i < self->plan->n_slots; i++) {
    const OdlSlot *slot = &self->plan->slots[i];
    self->pictures[i] = (OdlCpuPicture){
      .width = slot->width,
      .height = slot->height,
      .channels = slot->channels,
      .depth = slot->depth,
      .pitch
      = ((size_t) slot->width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT + PITCH_UNIT,
    };
  }
  self->rings = odl_cpu_rings_new (self->plan, self->pictures, self->huge_pages,
                                   &self->base.counters.allocations);
  if (self->rings == NULL) {
    set_memory_error (self, error);
    return false;
  }
  self->streams = odl_cpu_streams_new (self->plan, bytes_left (self));
  self->way.steps.streams = self->streams;
  if (self->plan->geometry.depth > 1) {
    self->spectra = odl_cpu_spectra_new (bytes_left (self));
    self->spares = odl_cpu_spares_new (self->huge_pages);
    return true;
  }
  if (!self->way.per_level && !self->plan->resized)
    self->passes
        = odl_cpu_passes_new (self->plan, self->pictures, &self->way.steps, self->threads,
                              self->huge_pages, &self->base.counters.allocations);
  for (int i = 0; i < self->plan->n_slots; i++)
    if (i != self->plan->result
        && (self->passes == NULL || odl_cpu_passes_use (self->passes, self->plan, i))
        && !alloc_samples (self, i, error))
      return false;
  return true;
}

static bool
cpu_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;
  const int threads = odl_parallel_threads ();

  self->way.steps.short_of_memory = &engine->short_of_memory; // passes keep a copy
  self->way.steps.failure = &engine->failure;
  if (self->plan != NULL && odl_plan_same_structure (self->plan, plan)
      && (self->passes == NULL || self->threads == threads))
    return true;

  drop_pictures (self);
  self->threads = threads;
  self->plan = odl_plan_ref ((OdlPlan *) plan);
  if (!prepare_pictures (self, error)) {
    drop_pictures (self);
    return false;
  }
  odl_engine_set_steps (engine, plan->n_steps);
  return true;
}

static void
name_variant (CpuEngine *self, const char *form)
{
  static const char *const convolving[] = {
    [ODL_CPU_CONVOLVING_FASTEST] = "",
    [ODL_CPU_CONVOLVING_FOURIER] = "-" ODL_CPU_WAY_FOURIER,
    [ODL_CPU_CONVOLVING_DIRECT] = "-" ODL_CPU_WAY_DIRECT,
  };

  g_snprintf (self->base.variant, sizeof self->base.variant, "%s-%s%s%s", form,
              self->way.steps.variant->name, convolving[self->way.steps.convolving],
              self->huge_pages ? "" : "-small");
}

// The per-level form normally lifts, so the name mentions filter taps only if they did
// all the work.
static const char *
form_of_steps (const CpuEngine *self)
{
  bool transforms = false;

  for (int i = 0; i < self->plan->n_steps; i++) {
    const OdlStep *step = &self->plan->steps[i];
    if (step->kind != ODL_STEP_FORWARD && step->kind != ODL_STEP_INVERSE)
      continue;
    transforms = true;
    if (step->wavelet->reversible
        || (!self->way.steps.filtering && odl_cpu_step_lifts (step)))
      return ODL_CPU_WAY_PER_LEVEL;
  }
  return transforms || self->way.steps.filtering ? ODL_CPU_WAY_FILTERING
                                                 : ODL_CPU_WAY_PER_LEVEL;
}

// A temporal step that runs again for the same frame must not change its history of that
// frame.
static bool
run_again (CpuEngine *self, const OdlPlan *plan, int i, const OdlImage *input)
{
  OdlCpuPast past = odl_cpu_rings_past (self->rings, &self->base, plan, i);
  OdlCpuPicture kept = self->pictures[plan->steps[i].writes];

  if (plan->steps[i].frames > 0) {
    if (!odl_cpu_picture_alloc (&kept, self->huge_pages))
      return false;
    past.kept[0] = &kept;
  }
  odl_cpu_run_step (plan, &plan->steps[i], &self->way.steps, self->pictures, input,
                    &past);
  if (plan->steps[i].frames > 0)
    odl_aligned_free (kept.samples);
  return true;
}

// Runs step `index`, with all of its bank. Returns how many steps that were.
static int
run_next (CpuEngine *self, const OdlPlan *plan, int index, const OdlImage *input)
{
  const OdlBank bank = odl_plan_bank_at (plan, index, plan->n_steps);

  if (bank.count > 1) {
    odl_cpu_run_bank (plan, &bank, &self->way.steps, self->pictures);
    return bank.count;
  }
  const OdlCpuPast past = odl_cpu_rings_past (self->rings, &self->base, plan, index);
  odl_cpu_run_step (plan, &plan->steps[index], &self->way.steps, self->pictures, input,
                    &past);
  return 1;
}

// Steps before step `end` that take time.
static int
count_work (const OdlPlan *plan, int end)
{
  int n = 0;

  for (int i = 0; i < end; i++)
    n += plan->steps[i].kind != ODL_STEP_LOAD;
  return n;
}

// Runs one step after the other, so that every slot holds the result of its step.
static bool
run_steps (CpuEngine *self, const OdlPlan *plan, const OdlImage *input, GError **error)
{
  OdlEngine *engine = &self->base;
  const OdlProgress all = odl_progress_whole (engine->progress);
  const int work = MAX (count_work (plan, plan->n_steps), 1);

  if (!alloc_all_samples (self, error))
    return false;
  name_variant (self, form_of_steps (self));
  engine->frame_ns = 0;
  for (int i = 0; i < plan->n_steps; i++) {
    if (!odl_progress_part (engine->progress, &all, count_work (plan, i), work))
      break;
    int64_t start_ns = odl_clock_now_ns ();
    const int last = i + run_next (self, plan, i, input) - 1;
    for (; i < last; i++)
      engine->step_ns[i] = 0;
    engine->step_ns[i] = odl_clock_now_ns () - start_ns;
    engine->frame_ns += engine->step_ns[i];
  }
  odl_progress_part (engine->progress, &all, 0, 1);
  return true;
}

// Memory for what the next `count` steps write.
static bool
take_pictures (CpuEngine *self, int index, int count, bool *has_result, GError **error)
{
  for (int i = index; i < index + count; i++) {
    const int slot = self->plan->steps[i].writes;
    if (odl_cpu_is_put_off (self->plan, i, self->pictures))
      continue;
    if (slot != self->plan->result) {
      if (!odl_cpu_spares_take (self->spares, &self->pictures[slot],
                                &self->base.counters.allocations)) {
        set_memory_error (self, error);
        return false;
      }
    } else if (!*has_result) {
      if (!take_result (self, self->pictures[slot].channels, error))
        return false;
      *has_result = true;
    }
  }
  return true;
}

// Memory of what no step from `from` on reads.
static void
give_pictures (CpuEngine *self, int from)
{
  for (int slot = 0; slot < self->plan->n_slots; slot++)
    if (slot != self->plan->result && !odl_plan_outlives (self->plan, slot, from))
      odl_cpu_spares_give (self->spares, &self->pictures[slot]);
}

// The steps of a volume, some of them together where times of steps are not wanted. Slots
// but the result are computed again where somebody reads them.
static bool
run_volume (CpuEngine *self, const OdlPlan *plan, OdlImage *input, GError **error)
{
  OdlEngine *engine = &self->base;
  const int64_t start_ns = odl_clock_now_ns ();
  const OdlProgress all = odl_progress_whole (engine->progress);
  const int work = MAX (count_work (plan, plan->n_steps), 1);
  bool together = false, has_result = false;

  name_variant (self, form_of_steps (self));
  self->last_plan = odl_plan_ref ((OdlPlan *) plan);
  self->last_input = odl_image_ref (input);
  give_pictures (self, 0);
  for (int i = 0, n; i < plan->n_steps; i += n) {
    const int most = odl_cpu_most_together (plan, i, self->pictures, input);
    if (!odl_progress_part (engine->progress, &all, count_work (plan, i), work))
      return true;
    if (!take_pictures (self, i, most, &has_result, error))
      return false;
    n = odl_cpu_run_volume_steps (plan, i, &self->way.steps, self->pictures, input);
    together = together || n > 0;
    if (n == 0)
      n = run_next (self, plan, i, input);
    give_pictures (self, i + n);
  }
  odl_progress_part (engine->progress, &all, 0, 1);
  engine->frame_ns = odl_clock_now_ns () - start_ns;
  memset (engine->step_ns, 0, engine->n_step_ns * sizeof engine->step_ns[0]);
  if (together)
    name_variant (self, "slices");
  return true;
}

// Filters as one pass where the plan allows it and times of steps are not wanted.
static bool
cpu_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;

  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);
  forget_last (self);
  self->way.steps.progress = engine->progress;
  self->way.steps.spectra = self->spectra;
  odl_cpu_spectra_begin (self->spectra);
  if (plan->geometry.depth > 1 && !self->way.per_level && !engine->timing)
    return run_volume (self, plan, input, error);
  if (self->passes == NULL || engine->timing)
    return run_steps (self, plan, input, error);

  const bool luma = odl_cpu_passes_give_luma (self->passes, plan, input);
  const int channels = luma ? 1 : self->pictures[plan->result].channels;
  if (!take_result (self, channels, error))
    return false;
  name_variant (self,
                odl_cpu_passes_stream (self->passes) ? "streamed" : form_of_steps (self));
  int64_t start_ns = odl_clock_now_ns ();
  odl_cpu_passes_run (self->passes, engine, plan, self->rings, self->pictures, input);
  self->luma_alone = luma;
  engine->frame_ns = odl_clock_now_ns () - start_ns;
  memset (engine->step_ns, 0, engine->n_step_ns * sizeof engine->step_ns[0]);
  self->last_plan = odl_plan_ref ((OdlPlan *) plan);
  self->last_input = odl_image_ref (input);
  return true;
}

// Passes do not fill all slots: when a slot other than the result is read, the frame is
// computed again step by step.
static bool
catch_up (CpuEngine *self, int slot, GError **error)
{
  if (self->last_input == NULL || slot == self->plan->result)
    return true;

  bool done = alloc_all_samples (self, error);
  for (int i = 0; i < self->last_plan->n_steps && done; i++) {
    done = run_again (self, self->last_plan, i, self->last_input);
    if (!done)
      set_memory_error (self, error);
  }
  name_variant (self, form_of_steps (self));
  forget_last (self);
  return done;
}

// Interleaves a row of all channels. With `colours`, the picture's first channel replaces
// their luma.
static void
weave_row (const OdlCpuPicture *picture,
           const OdlImage *colours,
           int y,
           int z,
           float *out)
{
  const int channels = picture->channels;
  g_autofree float *lines
      = colours != NULL ? g_new (float, (size_t) 3 * picture->width) : NULL;
  const float *rows[3];

  for (int c = 0; c < channels; c++)
    rows[c] = lines != NULL ? lines + (size_t) c * picture->width
                            : odl_cpu_row (picture, z * channels + c, y);
  if (lines != NULL)
    odl_image_rgb_row_of_luma (colours, y, odl_cpu_row (picture, 0, y),
                               (float *const *) rows);
  odl_image_interleave_row (rows, channels, picture->width, out);
}

static bool
cpu_read_back (OdlEngine *engine,
               const OdlPlan *plan,
               int slot,
               float *samples,
               GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;
  const OdlCpuPicture *picture = &self->pictures[slot];

  if (!catch_up (self, slot, error))
    return false;
  const OdlImage *colours
      = self->luma_alone && slot == self->plan->result ? self->last_input : NULL;
  ODL_PARALLEL_FOR
  for (int row = 0; row < picture->height * MAX (picture->depth, 1); row++)
    weave_row (picture, colours, row % picture->height, row / picture->height,
               samples + (size_t) row * picture->width * picture->channels);
  return true;
}

static bool
cpu_observe (OdlEngine *engine, const OdlPlan *plan, float *numbers)
{
  CpuEngine *self = (CpuEngine *) engine;

  // Histograms were left out when nobody was known to observe them.
  if (!engine->observing && self->passes != NULL && odl_cpu_passes_measure (self->passes)
      && !catch_up (self, ODL_PLAN_NO_SLOT, NULL))
    return false;
  for (int i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].observed)
      memcpy (numbers + odl_plan_observed_at (plan, i),
              odl_cpu_row (&self->pictures[i], 0, 0),
              (size_t) plan->slots[i].width * sizeof *numbers);
  return true;
}

typedef struct {
  OdlImageBlock *block;
  OdlImage *input; // whose colour differences the image shows; may be NULL
} Shown;

static void
free_shown (void *data)
{
  Shown *shown = data;

  odl_image_block_give (shown->block);
  g_clear_pointer (&shown->input, odl_image_unref);
  g_free (shown);
}

// References the planes in place; if only luma was computed, together with the input's
// colour differences.
static OdlImageInfo
describe_result (const CpuEngine *self)
{
  const OdlCpuPicture *picture = &self->pictures[self->plan->result];
  OdlImageInfo info = {
    .extent = { picture->width, picture->height, MAX (picture->depth, 1), 1 },
    .channels = picture->channels,
    .type = ODL_SAMPLE_F32,
  };

  if (self->luma_alone) {
    const OdlImageInfo *input = odl_image_info (self->last_input);
    memcpy (info.planes, input->planes, sizeof info.planes);
    info.ycbcr = input->ycbcr;
    if (input->type != ODL_SAMPLE_F32)
      info.ycbcr.chroma_type = input->type;
    info.ycbcr.luma_offset = 0;
    info.ycbcr.luma_range = 1;
  }
  for (int c = 0; c < (self->luma_alone ? 1 : picture->channels); c++)
    info.planes[c] = (OdlPlane){ .data = odl_cpu_row (picture, c, 0),
                                 .sample_stride_bytes = sizeof (float),
                                 .row_stride_bytes = picture->pitch * sizeof (float),
                                 .slice_stride_bytes
                                 = picture->pitch * (size_t) picture->height
                                   * (size_t) picture->channels * sizeof (float) };
  return info;
}

static OdlImage *
cpu_show (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;

  if (self->shown != NULL)
    return odl_image_ref (self->shown);

  const OdlImageInfo info = describe_result (self);
  Shown *shown = g_new (Shown, 1);
  *shown = (Shown){ self->block, NULL };
  if (self->luma_alone)
    shown->input = odl_image_ref (self->last_input);
  self->shown = odl_image_wrap (&info, free_shown, shown, error);
  if (self->shown == NULL) {
    g_clear_pointer (&shown->input, odl_image_unref);
    g_free (shown);
    return NULL;
  }
  self->block = NULL;
  return odl_image_ref (self->shown);
}

static bool
cpu_choose (OdlEngine *engine, const char *name, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;
  OdlCpuWay way = self->opened_with;

  if (!odl_cpu_way_choose (&way, name, error))
    return false;
  drop_pictures (self);
  self->way = way;
  return true;
}

const OdlEngineClass odl_cpu_engine = {
  .name = "cpu",
  .description = N_ ("all processor cores, single precision"),
  .variants = odl_cpu_variants,
  .shares_memory = true,
  .limits = { .borders = ODL_ENGINE_EVERY_BORDER, .reversible = true },
  .has_step = odl_cpu_has_step,
  .has_volume_step = odl_cpu_has_step,
  .open = cpu_open,
  .close = cpu_close,
  .prepare = cpu_prepare,
  .run = cpu_run,
  .read_back = cpu_read_back,
  .show = cpu_show,
  .observe = cpu_observe,
  .choose = cpu_choose,
};
