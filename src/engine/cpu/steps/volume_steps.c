// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/volume_steps.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"

#include "engine/cpu/steps/work.h"
#include "plan/flow.h"
#include "wavelet/transform.h"

// A level of the lifted transform of a volume in one pass over slabs of slices: along x
// and y, and along z while these slices are in the cache.
// Slices are made two by two along x and y, and enter lifting along z as rows enter it
// along y (transform/transform.c); its state is a few slices. What lies between two
// steps is as many slices for each thread, or a row.

// Pairs of slices between a load and a store of the state, and those that warm it up.
#define PAIRS 4
#define WARM_PAIRS 2
#define MOST_SLICES (2 * PAIRS + 1)

// A slab begins and ends with some slices that others make, too.
#define LEAST_PAIRS 16

// The slices of a slab and their state stay in the third cache.
#define MOST_SLICE_BYTES (1 << 20)

// Pictures that are filled slice by slice, or row by row, lie in one place: the next
// begins this far behind it, in floats, so that lines keep their place in caches.
#define STEP_OF_SCRATCH 16

#define MOST_WORKS 4

// Pairs from … to − 1 of one channel are stored, others only update the state.
typedef struct {
  const OdlCpuWork *works;
  const OdlCpuWork *along_z;
  int n; // works
  int channel, from, to;
  OdlCpuPicture slices[MOST_SLICES];
  OdlCpuPicture between; // a row, or a slice
  OdlCpuPicture rows; // of THRESHOLD: one of each slice
  size_t state_pitch; // of rows of the state
  float *state[ODL_CPU_LIFT_STEPS];
  float *sink;
} Slab;

static int
slice_to_plane (const Slab *slab, int slice)
{
  return slice * slab->along_z->out->channels + slab->channel;
}

// ---- memory ----

static size_t
pitch_of_state (const OdlCpuPicture *picture)
{
  return picture->pitch + 2 * ODL_CPU_SLACK;
}

static size_t
state_floats (const OdlCpuPicture *picture)
{
  return (size_t) picture->height * pitch_of_state (picture);
}

static size_t
slice_floats (const OdlCpuPicture *picture)
{
  return picture->pitch * (size_t) picture->height
         + (size_t) odl_cpu_planes (picture) * STEP_OF_SCRATCH + ODL_CPU_SLACK;
}

// One row of every slice.
static size_t
rows_floats (const OdlCpuPicture *picture)
{
  return picture->pitch * (size_t) odl_cpu_planes (picture)
         + (size_t) picture->height * STEP_OF_SCRATCH + ODL_CPU_SLACK;
}

static size_t
slab_floats (const OdlCpuPicture *picture)
{
  return (MOST_SLICES + 1) * slice_floats (picture) + rows_floats (picture)
         + ODL_CPU_LIFT_STEPS * state_floats (picture) + pitch_of_state (picture);
}

static OdlCpuPicture
one_slice (const OdlCpuPicture *like, float **memory)
{
  OdlCpuPicture picture = *like;

  picture.samples = *memory;
  picture.plane = STEP_OF_SCRATCH;
  *memory += slice_floats (like);
  return picture;
}

static void
slab_init (Slab *slab,
           const OdlCpuWork *works,
           int n,
           const OdlCpuWork *along_z,
           float *memory)
{
  const OdlCpuPicture *like = along_z->out;

  *slab = (Slab){
    .works = works, .along_z = along_z, .n = n, .state_pitch = pitch_of_state (like)
  };
  for (int i = 0; i < MOST_SLICES; i++)
    slab->slices[i] = one_slice (like, &memory);
  slab->between = one_slice (like, &memory);
  slab->rows = *like;
  slab->rows.samples = memory;
  slab->rows.plane = like->pitch;
  slab->rows.pitch = STEP_OF_SCRATCH;
  memory += rows_floats (like);
  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++, memory += state_floats (like))
    slab->state[i] = memory;
  slab->sink = memory;
}

static void
run_rows (const OdlCpuWork *work, int plane)
{
  odl_cpu_rows_of (work->step)
      ->run (work, plane, 0, odl_cpu_rows_of (work->step)->count (work));
}

static void
run_row (const OdlCpuWork *work, int plane, int y)
{
  odl_cpu_rows_of (work->step)->run (work, plane, y, y + 1);
}

// ---- forward ----

// Rows are shorter than what the processor finds out by itself.
static void
ask_for_row (const OdlCpuPicture *picture, int plane, int y)
{
  const float *row = odl_cpu_row (picture, plane, MIN (y, picture->height - 1));

  for (int x = 0; x < picture->width; x += STEP_OF_SCRATCH)
    __builtin_prefetch (row + x);
}

static OdlCpuPicture *
slice_at (Slab *slab, int z)
{
  return &slab->slices[(z % MOST_SLICES + MOST_SLICES) % MOST_SLICES];
}

// All steps of a slice before that along z; the last of them goes along y, the one before
// it reads row by row what another one before it makes.
static void
make_slice (Slab *slab, int z)
{
  const int plane = slice_to_plane (slab, odl_border_fold (z, slab->along_z->out->depth));
  const int last = slab->n - 2;
  OdlCpuPicture row = slab->rows;
  OdlCpuWork own[MOST_WORKS];

  row.plane = STEP_OF_SCRATCH;
  for (int i = 0; i <= last; i++) {
    own[i] = slab->works[i];
    own[i].out = i == last ? slice_at (slab, z) : i == last - 1 ? &slab->between : &row;
    if (i > 0)
      own[i].in[0] = own[i - 1].out;
  }
  for (int y = 0; y < row.height; y++)
    for (int i = 0; i < last; i++)
      run_row (&own[i], plane, y);
  run_rows (&own[last], plane);
}

// Row y of slice `first` + `pair` of the bands.
static float *
band_row (const Slab *slab, int pair, int end, int slice, int y)
{
  return pair < slab->from || pair >= MIN (slab->to, end)
             ? slab->sink
             : odl_cpu_row (slab->along_z->out, slice_to_plane (slab, slice), y);
}

static void
forward_block (Slab *slab, int first, int pairs, bool begins)
{
  const OdlCpuWork *work = slab->along_z;
  const int depth = work->out->depth, n_low = odl_low_count (depth);
  const int delay = work->lift.steps / 2 - 1;
  const float *rows[2 * PAIRS + 1];
  float *low[PAIRS], *high[PAIRS], *state[ODL_CPU_LIFT_STEPS];

  for (int i = begins ? 0 : 1; i <= 2 * pairs; i++)
    make_slice (slab, 2 * first + i);
  for (int y = 0; y < work->out->height; y++) {
    for (int i = 0; i <= 2 * pairs; i++) {
      const int z = 2 * first + i;
      rows[i] = odl_cpu_row (slice_at (slab, z),
                             slice_to_plane (slab, odl_border_fold (z, depth)), y);
    }
    for (int j = 0; j < pairs; j++) {
      const int pair = first + j - delay;
      low[j] = band_row (slab, pair, n_low, pair, y);
      high[j] = band_row (slab, pair, odl_high_count (depth), n_low + pair, y);
      if (low[j] != slab->sink)
        ask_for_row (work->out, slice_to_plane (slab, pair), y + 1);
      if (high[j] != slab->sink)
        ask_for_row (work->out, slice_to_plane (slab, n_low + pair), y + 1);
    }
    for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
      state[i] = slab->state[i] + (size_t) y * slab->state_pitch;
    const OdlCpuForwardPairs block = { .rows = rows,
                                       .low = low,
                                       .high = high,
                                       .state = state,
                                       .columns = work->out->width,
                                       .pairs = pairs };
    work->variant->forward_pairs (&work->lift, &block);
  }
}

// ---- inverse ----

// Row y of coefficients `z` along z, low and high in turn, shrunk; columns of the
// approximation are as they are.
static const float *
shrunk_row (const Slab *slab, const OdlCpuWork *threshold, int z, int y)
{
  const int depth = slab->along_z->out->depth, at = odl_border_fold (z, depth);
  const int slice = ((at & 1) != 0 ? odl_low_count (depth) : 0) + (at >> 1);

  ask_for_row (threshold->in[0], slice_to_plane (slab, slice), y + 1);
  run_row (threshold, slice_to_plane (slab, slice), y);
  return odl_cpu_row (threshold->out, slice_to_plane (slab, slice), y);
}

static const float *
approximation_row (const Slab *slab, int z, int y)
{
  const int at = odl_border_fold (z, slab->along_z->out->depth) >> 1;

  return odl_cpu_row (slab->along_z->in[0], slice_to_plane (slab, at), y);
}

// Whether slice `slice`, of pair `pair`, is made of this slab.
static bool
is_own (const Slab *slab, int pair, int slice)
{
  return pair >= slab->from && pair < slab->to && slice < slab->along_z->out->depth;
}

// The slices of `pairs` pairs, the odd ones one pair later.
static void
inverse_block_row (Slab *slab, const OdlCpuWork *threshold, int first, int pairs, int y)
{
  const OdlCpuWork *work = slab->along_z;
  const int width = work->out->width;
  const bool approximates = y < odl_low_count (work->out->height);
  const int n_low = approximates ? odl_low_count (width) : 0;
  const int even_delay = work->lift.steps / 2 - 1, odd_delay = work->lift.steps / 2;
  const float *shrunk[2 * PAIRS], *low[PAIRS], *high[PAIRS];
  float *out[2 * PAIRS], *even[PAIRS], *odd[PAIRS], *state[ODL_CPU_LIFT_STEPS];

  for (int i = 0; i < 2 * pairs; i++) {
    const int pair = first + i / 2 - (i % 2 == 0 ? even_delay : odd_delay);
    const int slice = 2 * pair + i % 2;
    shrunk[i] = shrunk_row (slab, threshold, 2 * first + i, y);
    out[i] = is_own (slab, pair, slice)
                 ? odl_cpu_row (&slab->slices[i], slice_to_plane (slab, slice), y)
                 : slab->sink;
  }
  for (int part = approximates ? 0 : 1; part < 2; part++) {
    const int column = part == 0 ? 0 : n_low;
    for (int j = 0; j < pairs; j++) {
      low[j] = (part == 0 ? approximation_row (slab, 2 * (first + j), y) : shrunk[2 * j])
               + column;
      high[j] = shrunk[2 * j + 1] + column;
      even[j] = out[2 * j] + column;
      odd[j] = out[2 * j + 1] + column;
    }
    // What kernels write beyond the columns of one part is no state of the other.
    for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
      state[i] = slab->state[i] + (size_t) y * slab->state_pitch + column
                 + (size_t) part * ODL_CPU_SLACK;
    const OdlCpuInversePairs block = { .low = low,
                                       .high = high,
                                       .even = even,
                                       .odd = odd,
                                       .state = state,
                                       .columns = part == 0 ? n_low : width - column,
                                       .pairs = pairs };
    if (block.columns > 0)
      work->variant->inverse_pairs (&work->lift, &block);
  }
}

static void
inverse_block (Slab *slab, int first, int pairs)
{
  const int delay = slab->along_z->lift.steps / 2;
  OdlCpuWork threshold = slab->works[0], along_y = slab->works[2];
  OdlCpuWork along_x = slab->works[3];

  threshold.out = &slab->rows;
  for (int y = 0; y < slab->along_z->out->height; y++)
    inverse_block_row (slab, &threshold, first, pairs, y);
  along_y.out = along_x.in[0] = &slab->between;
  for (int i = 0; i < 2 * pairs; i++) {
    const int pair = first + i / 2 - (i % 2 == 0 ? delay - 1 : delay);
    const int slice = 2 * pair + i % 2;
    if (!is_own (slab, pair, slice))
      continue;
    along_y.in[0] = along_y.in[1] = &slab->slices[i];
    run_rows (&along_y, slice_to_plane (slab, slice));
    run_rows (&along_x, slice_to_plane (slab, slice));
  }
}

// ---- slabs ----

// From the top of the slab to where its last slices have left the steps.
static void
run_slab (Slab *slab, bool inverse)
{
  const int delay = slab->along_z->lift.steps / 2 - (inverse ? 0 : 1);
  const int end = slab->to + delay;

  for (int i = 0; i < ODL_CPU_LIFT_STEPS; i++)
    memset (slab->state[i], 0, state_floats (slab->along_z->out) * sizeof (float));
  for (int first = slab->from - WARM_PAIRS, pairs = WARM_PAIRS; first < end;
       first += pairs, pairs = MIN (end - first, PAIRS))
    if (inverse)
      inverse_block (slab, first, pairs);
    else
      forward_block (slab, first, pairs, first < slab->from);
}

static bool
slabs_suits (const OdlCpuWork *along_z)
{
  const OdlCpuPicture *out = along_z->out;

  return along_z->lifts
         && out->pitch * (size_t) out->height * sizeof (float) <= MOST_SLICE_BYTES
         && odl_low_count (out->depth) >= LEAST_PAIRS * odl_parallel_threads ();
}

static bool
is_read_or_kept (const OdlCpuWork *works, int n, const OdlCpuPicture *picture)
{
  for (int i = 0; i < n; i++)
    if (works[i].in[0] == picture && (i == 0 || works[i - 1].out != picture))
      return true;
  return picture == works[n - 1].out;
}

// The place of a picture that the steps would fill, had they not gone together: memory
// that is there already. NULL: none is large enough.
static float *
find_place (const OdlCpuWork *works, int n, size_t floats)
{
  for (int i = 0; i < n - 1; i++) {
    const OdlCpuPicture *out = works[i].out;
    if (!is_read_or_kept (works, n, out)
        && floats <= out->pitch * (size_t) out->height * (size_t) odl_cpu_planes (out))
      return out->samples;
  }
  return NULL;
}

static bool
run_slabs (const OdlCpuWork *works, int n, const OdlCpuWork *along_z, bool inverse)
{
  const int threads = odl_parallel_threads ();
  const int pairs = odl_low_count (along_z->out->depth);
  const size_t floats = slab_floats (along_z->out);
  float *memory
      = slabs_suits (along_z) ? find_place (works, n, floats * (size_t) threads) : NULL;

  if (memory == NULL)
    return false;
  ODL_PARALLEL_FOR
  for (int t = 0; t < threads; t++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    Slab slab;
    slab_init (&slab, works, n, along_z, memory + (size_t) t * floats);
    slab.from = (int) ((int64_t) pairs * t / threads);
    slab.to = (int) ((int64_t) pairs * (t + 1) / threads);
    for (slab.channel = 0; slab.channel < along_z->out->channels; slab.channel++)
      run_slab (&slab, inverse);
    odl_cpu_float_mode_leave (mode);
  }
  return true;
}

// LOAD, FORWARD x and y of slices, or a part of these that ends with y, then FORWARD z,
// `n` in all; only the result of the last one is written. Likewise THRESHOLD, INVERSE z,
// y and x. False, and nothing was done: steps that do not lift, more threads than slabs,
// slices that are too large, or memory is short. Results are those of odl_cpu_run_step,
// bit by bit.
static bool
odl_cpu_forward_slabs (const OdlCpuWork *works, int n)
{
  return run_slabs (works, n, &works[n - 1], false);
}

static bool
odl_cpu_inverse_slabs (const OdlCpuWork works[4])
{
  return run_slabs (works, 4, &works[1], true);
}

// Slices that go through the second cache, at least as many as keep all cores at work.
#define MOST_PLANE_BYTES (4 << 20)
#define LEAST_PLANES 8
#define MOST_STEPS 3

static size_t
plane_floats (const OdlCpuPicture *picture)
{
  return picture->pitch * (size_t) picture->height;
}

static bool
suits (const OdlCpuPicture *picture)
{
  return odl_cpu_planes (picture) >= LEAST_PLANES
         && plane_floats (picture) * sizeof (float) <= MOST_PLANE_BYTES;
}

// Whether step `index` is such a one, and alone reads what the one before it wrote.
static bool
follows (const OdlPlan *plan, int index, OdlStepKind kind, OdlAxis axis)
{
  if (index >= plan->n_steps)
    return false;
  const OdlStep *step = &plan->steps[index], *before = step - 1;

  return step->kind == kind && step->axis == axis && step->reads[0] == before->writes
         && step->writes != before->writes && before->writes != plan->result
         && !odl_plan_is_needed (plan, before->writes, index + 1);
}

// Steps from `index` on that go plane by plane; 0: none.
static int
count_planes (const OdlPlan *plan, int index, const OdlImage *input)
{
  const OdlStep *step = &plan->steps[index];

  if (step->kind == ODL_STEP_LOAD)
    return !odl_image_info (odl_step_image (step, (OdlImage *) input))->ycbcr.used
                   && follows (plan, index + 1, ODL_STEP_FORWARD, ODL_AXIS_X)
                   && follows (plan, index + 2, ODL_STEP_FORWARD, ODL_AXIS_Y)
               ? 3
               : 0;
  if (step->kind == ODL_STEP_FORWARD && step->axis == ODL_AXIS_X)
    return follows (plan, index + 1, ODL_STEP_FORWARD, ODL_AXIS_Y) ? 2 : 0;
  if (step->kind == ODL_STEP_INVERSE && step->axis == ODL_AXIS_Y)
    return follows (plan, index + 1, ODL_STEP_INVERSE, ODL_AXIS_X) ? 2 : 0;
  return 0;
}

// What steps run on; see odl_cpu_run_volume_steps.
typedef struct {
  const OdlCpuMethod *method;
  const OdlCpuPicture *pictures;
  const OdlImage *input;
  OdlCpuPast past;
} Run;

static OdlCpuWork
work_of (const Run *run, const OdlPlan *plan, const OdlStep *step)
{
  return odl_cpu_work_of (plan, step, run->method, run->pictures, run->input, &run->past);
}

// ---- along x and y

// A plane of `like` for each thread in the place of all planes.
static OdlCpuPicture
one_plane (const OdlCpuPicture *like, float *scratch)
{
  OdlCpuPicture picture = *like;

  picture.samples = scratch;
  picture.plane = STEP_OF_SCRATCH;
  return picture;
}

static size_t
scratch_of_plane (const OdlCpuPicture *like)
{
  return plane_floats (like) + (size_t) odl_cpu_planes (like) * STEP_OF_SCRATCH
         + ODL_CPU_SLACK;
}

// All steps of a plane, then those of the next one; what lies between two of them is one
// plane for each thread.
static bool
run_planes (const OdlCpuWork *works, int n)
{
  const OdlCpuPicture *like = works[0].out; // as large as all of them
  const int planes = odl_cpu_planes (like), threads = odl_parallel_threads ();
  const size_t floats = scratch_of_plane (like);
  float *scratch
      = odl_aligned_alloc (floats * sizeof (float) * (size_t) (n - 1) * (size_t) threads);

  if (scratch == NULL)
    return false;
  ODL_PARALLEL_FOR
  for (int t = 0; t < threads; t++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    OdlCpuPicture between[MOST_STEPS];
    OdlCpuWork own[MOST_STEPS];
    for (int i = 0; i < n; i++) {
      own[i] = works[i];
      between[i]
          = one_plane (works[i].out, scratch + (size_t) (t * (n - 1) + i) * floats);
      if (i < n - 1)
        own[i].out = &between[i];
      if (i > 0)
        own[i].in[0] = &between[i - 1];
    }
    const int end = (int) ((int64_t) planes * (t + 1) / threads);
    for (int plane = (int) ((int64_t) planes * t / threads); plane < end; plane++)
      for (int i = 0; i < n; i++)
        run_rows (&own[i], plane);
    odl_cpu_float_mode_leave (mode);
  }
  odl_aligned_free (scratch);
  return true;
}

// ---- along z

// Row y of all slices of a channel as a picture.
static OdlCpuPicture
turn_row (const OdlCpuPicture *picture, int channel, int y)
{
  const size_t plane = picture->plane > 0 ? picture->plane : plane_floats (picture);

  return (OdlCpuPicture){
    .width = picture->width,
    .height = picture->depth,
    .channels = 1,
    .pitch = plane * (size_t) picture->channels,
    .samples = odl_cpu_row (picture, channel, y),
  };
}

// `threshold` writes to a picture of rows that lie in one place.
static void
shrink_row (const OdlCpuWork *threshold, const OdlCpuWork *inverse, int channel, int y)
{
  const OdlCpuPicture *shrunk = threshold->out;
  const int n_low = odl_low_count (shrunk->height);
  const OdlCpuPicture out = turn_row (inverse->out, channel, y);
  const OdlCpuPicture details = turn_row (shrunk, channel, y);
  const OdlCpuPicture approx
      = y < n_low ? turn_row (inverse->in[0], channel, y) : details;
  OdlStep along_y = *inverse->step;
  OdlCpuWork work = *inverse;

  for (int z = 0; z < shrunk->depth; z++)
    odl_cpu_rows_of (threshold->step)
        ->run (threshold, z * shrunk->channels + channel, y, y + 1);
  along_y.axis = ODL_AXIS_Y;
  work.step = &along_y;
  work.out = &out;
  work.in[0] = &approx;
  work.in[1] = &details;
  run_rows (&work, 0);
}

// THRESHOLD of a row of all slices, then INVERSE z of it.
static bool
run_shrinkage (const OdlCpuWork *threshold, const OdlCpuWork *inverse)
{
  const OdlCpuPicture *between = threshold->out;
  const int rows = between->height * between->channels;
  const int threads = odl_parallel_threads ();
  const size_t floats = between->pitch * (size_t) odl_cpu_planes (between)
                        + (size_t) between->height * STEP_OF_SCRATCH + ODL_CPU_SLACK;
  float *scratch = odl_aligned_alloc (floats * sizeof (float) * (size_t) threads);

  if (scratch == NULL)
    return false;
  ODL_PARALLEL_FOR
  for (int t = 0; t < threads; t++) {
    const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();
    OdlCpuPicture own = *between;
    own.samples = scratch + (size_t) t * floats;
    own.pitch = STEP_OF_SCRATCH;
    own.plane = between->pitch;
    OdlCpuWork one = *threshold;
    one.out = &own;
    const int end = (int) ((int64_t) rows * (t + 1) / threads);
    for (int row = (int) ((int64_t) rows * t / threads); row < end; row++)
      shrink_row (&one, inverse, row / between->height, row % between->height);
    odl_cpu_float_mode_leave (mode);
  }
  odl_aligned_free (scratch);
  return true;
}

// THRESHOLD whose octants nothing but INVERSE z `index` reads, while the bands last; −1:
// none.
static int
threshold_of (const OdlPlan *plan, int index)
{
  const OdlStep *inverse = &plan->steps[index];

  if (inverse->kind != ODL_STEP_INVERSE || inverse->axis != ODL_AXIS_Z)
    return -1;
  const int slot = inverse->reads[1];
  const int writer = odl_plan_last_writer (plan, slot, index);
  if (writer < 0 || plan->steps[writer].kind != ODL_STEP_THRESHOLD
      || odl_step_numbers (&plan->steps[writer]) != ODL_PLAN_NO_SLOT
      || inverse->reads[0] == slot || inverse->writes == slot || slot == plan->result
      || odl_plan_is_needed (plan, slot, index + 1))
    return -1;
  for (int i = writer + 1; i < index; i++)
    if (odl_step_reads (&plan->steps[i], slot)
        || plan->steps[i].writes == plan->steps[writer].reads[0])
      return -1;
  return writer;
}

bool
odl_cpu_is_put_off (const OdlPlan *plan, int index, const OdlCpuPicture *pictures)
{
  const OdlStep *step = &plan->steps[index];

  if (step->kind != ODL_STEP_THRESHOLD || !suits (&pictures[step->writes]))
    return false;
  for (int i = index + 1; i < plan->n_steps; i++)
    if (threshold_of (plan, i) == index)
      return true;
  return false;
}

// FORWARD z after `n` steps of slices, which read nothing that it writes, with them. It
// returns how many steps that were.
static int
run_forward (const OdlPlan *plan, int index, int n, const Run *run)
{
  const OdlStep *step = &plan->steps[index];
  const bool slabs = step->kind != ODL_STEP_INVERSE
                     && follows (plan, index + n, ODL_STEP_FORWARD, ODL_AXIS_Z)
                     && !odl_step_reads (step, step[n].writes);
  OdlCpuWork works[MOST_STEPS + 1] = { 0 };

  for (int i = 0; i < n + slabs; i++)
    works[i] = work_of (run, plan, &step[i]);
  if (slabs && odl_cpu_forward_slabs (works, n + 1))
    return n + 1;
  return run_planes (works, n) ? n : 0;
}

// THRESHOLD and INVERSE z, and INVERSE y and x with them, unless these write what is
// read.
static int
run_inverse (const OdlPlan *plan, int index, int threshold, const Run *run)
{
  const OdlStep *step = &plan->steps[index], *before = &plan->steps[threshold];
  const bool slabs = follows (plan, index + 1, ODL_STEP_INVERSE, ODL_AXIS_Y)
                     && follows (plan, index + 2, ODL_STEP_INVERSE, ODL_AXIS_X)
                     && !odl_step_reads (before, step[2].writes)
                     && step[2].writes != step->reads[0];
  const OdlCpuWork works[] = { work_of (run, plan, before), work_of (run, plan, step),
                               work_of (run, plan, &step[slabs ? 1 : 0]),
                               work_of (run, plan, &step[slabs ? 2 : 0]) };

  if (slabs && odl_cpu_inverse_slabs (works))
    return 3;
  if (run_shrinkage (&works[0], &works[1]))
    return 1;
  odl_cpu_short_of_memory (&works[0]);
  return 1;
}

int
odl_cpu_run_volume_steps (const OdlPlan *plan,
                          int index,
                          const OdlCpuMethod *method,
                          const OdlCpuPicture *pictures,
                          const OdlImage *input)
{
  const OdlStep *step = &plan->steps[index];
  const Run run = { .method = method, .pictures = pictures, .input = input };
  const int threshold = threshold_of (plan, index);
  const int n = count_planes (plan, index, input);
  const OdlBankSum sum = odl_plan_bank_sum_at (plan, index);

  if (odl_cpu_run_sum (plan, &sum, method, pictures, input))
    return sum.last + 1 - index;
  if (odl_cpu_is_put_off (plan, index, pictures))
    return 1;
  if (threshold >= 0 && suits (&pictures[step->reads[1]]))
    return run_inverse (plan, index, threshold, &run);
  return n > 0 && suits (&pictures[step->writes]) ? run_forward (plan, index, n, &run)
                                                  : 0;
}

int
odl_cpu_most_together (const OdlPlan *plan,
                       int index,
                       const OdlCpuPicture *pictures,
                       const OdlImage *input)
{
  const OdlBankSum sum = odl_plan_bank_sum_at (plan, index);
  const int threshold = threshold_of (plan, index);
  const int n = count_planes (plan, index, input);
  int most = odl_plan_bank_at (plan, index, plan->n_steps).count;

  if (sum.count > 0)
    most = MAX (most, sum.last + 1 - index);
  if (threshold >= 0 && suits (&pictures[plan->steps[index].reads[1]]))
    most = MAX (most, 3);
  if (n > 0 && suits (&pictures[plan->steps[index].writes]))
    most = MAX (most, n + 1);
  return MIN (MAX (most, 1), plan->n_steps - index);
}
