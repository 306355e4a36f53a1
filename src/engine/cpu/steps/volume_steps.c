// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/volume_steps.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/steps/slabs.h"
#include "engine/cpu/steps/work.h"
#include "plan/flow.h"

// Slices that go through the second cache, at least as many as keep all cores at work.
#define MOST_PLANE_BYTES (4 << 20)
#define LEAST_PLANES 8
#define MOST_STEPS 3

// Pictures that a thread fills plane by plane, or row by row, lie in one place: the next
// begins this far behind it, in floats, so that lines keep their place in caches.
#define STEP_OF_SCRATCH 16

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

static void
run_rows (const OdlCpuWork *work, int plane)
{
  odl_cpu_rows_of (work->step)
      ->run (work, plane, 0, odl_cpu_rows_of (work->step)->count (work));
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
