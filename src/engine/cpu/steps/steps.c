// SPDX-License-Identifier: MIT
// Steps other than the transform, and the table of all.
#include "engine/cpu/steps/steps.h"

#include <string.h>

#include "base/parallel.h"
#include "engine/cpu/kernels/float_mode.h"
#include "engine/cpu/steps/fourier.h"
#include "engine/cpu/steps/measure.h"
#include "engine/cpu/steps/measured_band.h"
#include "engine/cpu/steps/median_large.h"
#include "engine/cpu/steps/temporal.h"
#include "engine/cpu/steps/transform/transform.h"
#include "engine/cpu/steps/work.h"
#include "plan/flow.h"
#include "plan/numbers.h"
#include "wavelet/border.h"
#include "wavelet/transform.h"

// Samples per band of rows: below this, starting a thread costs more than it saves.
#define BAND_SAMPLES 16384
#define MOST_BANDS 64

// Pairs of rows per band of a lifted step along y, which processes four additional pairs.
#define LIFTED_PAIRS 16

static void
load_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const bool mixed = odl_image_info (work->input)->ycbcr.used;

  for (int y = from; mixed && y < to; y++) {
    float *rows[3];
    for (int c = 0; c < 3; c++)
      rows[c] = odl_cpu_row (work->out, c, y);
    odl_image_rgb_row (work->input, y, rows);
  }
  // A second picture is the same for all slices.
  const int channels = work->out->channels;
  const int z = MIN (channel / channels, odl_image_info (work->input)->extent.z - 1);
  for (int y = from; !mixed && y < to; y++)
    odl_image_scaled_row (work->input, channel % channels, y, z, 0,
                          odl_cpu_row (work->out, channel, y));
}

static void
luma_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const double *weights = work->step->parameters.weights;
  const float red = (float) weights[0], green = (float) weights[1];
  const float blue = (float) weights[2];

  for (int y = from; y < to; y++) {
    const float *r = odl_cpu_row (work->in[0], 3 * channel, y);
    const float *g = odl_cpu_row (work->in[0], 3 * channel + 1, y);
    const float *b = odl_cpu_row (work->in[0], 3 * channel + 2, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = red * r[x] + green * g[x] + blue * b[x];
  }
}

static void
recombine_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  for (int y = from; y < to; y++) {
    const float *colour = odl_cpu_row (work->in[0], channel, y);
    const float *before = odl_cpu_row (work->in[1], channel / 3, y);
    const float *after = odl_cpu_row (work->in[2], channel / 3, y);
    float *restrict out = odl_cpu_row (work->out, channel, y);

    for (int x = 0; x < work->out->width; x++)
      out[x] = colour[x] + (after[x] - before[x]);
  }
}

static void
convolve_rows_y (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuTaps *taps = &work->taps[0];
  const float *rows[ODL_CPU_MAX_TAPS];

  for (int y = from; y < to; y++) {
    for (int k = 0; k < taps->count; k++)
      rows[k] = odl_cpu_row (work->in[0], channel,
                             odl_border_fold (y + taps->first + k, work->out->height));
    work->variant->combine (taps, rows, odl_cpu_row (work->out, channel, y),
                            work->out->width);
  }
}

// One row, copied piece by piece with its mirrored surroundings.
static void
convolve_line (const OdlCpuWork *work, const float *line, float *out, int n)
{
  const OdlCpuTaps *taps = &work->taps[0];
  float padded[ODL_CPU_SPAN + 2 * ODL_PLAN_MAX_RADIUS + ODL_CPU_SLACK];
  const float *rows[ODL_CPU_MAX_TAPS];
  int radius = -taps->first;

  for (int k = 0; k < taps->count; k++)
    rows[k] = padded + k;
  for (int from = 0; from < n; from += ODL_CPU_SPAN) {
    int count = MIN (n - from, ODL_CPU_SPAN);

    odl_cpu_copy_mirrored (line, n, from - radius, from + count + radius, padded);
    work->variant->combine (taps, rows, out + from, count);
  }
}

static void
convolve_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->axis == ODL_AXIS_Y) {
    convolve_rows_y (work, channel, from, to);
    return;
  }
  for (int y = from; y < to; y++)
    convolve_line (work, odl_cpu_row (work->in[0], channel, y),
                   odl_cpu_row (work->out, channel, y), work->out->width);
}

// Of row `y`, the columns from … to − 1, which lie in one band.
static void
threshold_part (const OdlCpuWork *work, int channel, int y, int from, int to, int octant)
{
  const double threshold
      = odl_step_numbers (work->step) != ODL_PLAN_NO_SLOT
            ? (double) odl_cpu_row (
                work->in[1], 0, 0)[(octant - 1) * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD]
            : work->step->parameters.thresholds[octant - 1];

  work->variant->shrink (odl_cpu_row (work->in[0], channel, y) + from,
                         odl_cpu_row (work->out, channel, y) + from, to - from,
                         (float) threshold, odl_step_shrinking (work->step));
}

// Whether LL of that plane is a detail band along z.
static bool
is_high_slice (const OdlCpuPicture *picture, const OdlCpuWork *work, int channel)
{
  return work->octants
         && channel / picture->channels >= odl_low_count (MAX (picture->depth, 1));
}

static void
threshold_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  if (work->step->side > 0) {
    odl_cpu_neighbour_rows (work, channel, from, to);
    return;
  }
  const int width = work->out->width, n_low = odl_low_count (width);
  const bool high = is_high_slice (work->out, work, channel);
  const int along_z = high ? ODL_OCTANT_HIGH : 0;

  for (int y = from; y < to; y++) {
    const int octant = along_z + (y < odl_low_count (work->out->height) ? 0 : 2);
    if (octant > 0)
      threshold_part (work, channel, y, 0, n_low, octant);
    threshold_part (work, channel, y, n_low, width, octant + 1);
  }
}

static void
layout_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuPicture *approximation = work->in[0], *details = work->in[1];
  int n_low = odl_low_count (details->width);

  for (int y = from; y < to; y++) {
    float *out = odl_cpu_row (work->out, channel, y);
    int first
        = y < odl_low_count (details->height) && !is_high_slice (details, work, channel)
              ? n_low
              : 0;

    memcpy (out + first, odl_cpu_row (details, channel, y) + first,
            (details->width - first) * sizeof *out);
    if (approximation != NULL && first > 0)
      memcpy (out, odl_cpu_row (approximation, channel, y), first * sizeof *out);
  }
}

static int
all_rows (const OdlCpuWork *work)
{
  return work->out->height;
}

static int
at_once (const OdlCpuWork *work)
{
  (void) work;
  return 1;
}

static int
detail_rows (const OdlCpuWork *work)
{
  return work->in[1]->height;
}

static int
pairs_of_rows (const OdlCpuWork *work)
{
  return work->out->height / 2;
}

// What takes the whole picture at once, and tells how far it is.
static int
by_itself (const OdlCpuWork *work)
{
  return 1;
}

// Along y a forward or inverse step goes by pairs of rows.
static int
transform_rows (const OdlCpuWork *work)
{
  return work->step->axis == ODL_AXIS_Y ? odl_low_count (work->out->height)
                                        : work->out->height;
}

typedef OdlCpuStepRow StepRow;

static const StepRow step_rows[ODL_N_STEP_KINDS] = {
  [ODL_STEP_LOAD] = { load_rows, all_rows },
  [ODL_STEP_LUMA] = { luma_rows, all_rows },
  [ODL_STEP_CONVOLVE_LINE] = { convolve_rows, all_rows },
  [ODL_STEP_CUT] = { odl_cpu_cut_rows, all_rows },
  [ODL_STEP_TROUGH] = { odl_cpu_trough_rows, at_once },
  [ODL_STEP_EQUALISE] = { odl_cpu_equalise_rows, at_once },
  [ODL_STEP_PEAK] = { odl_cpu_peak_rows, at_once },
  [ODL_STEP_OUTLINE] = { odl_cpu_outline_rows, all_rows },
  [ODL_STEP_KEEP] = { odl_cpu_keep_rows, all_rows },
  [ODL_STEP_SNAKES] = { odl_cpu_snakes_rows, at_once },
  [ODL_STEP_INSIDE] = { odl_cpu_inside_rows, all_rows },
  [ODL_STEP_DIVIDE] = { odl_cpu_divide_rows, all_rows },
  [ODL_STEP_RESIDUAL] = { odl_cpu_residual_rows, all_rows },
  [ODL_STEP_ADD] = { odl_cpu_add_rows, all_rows },
  [ODL_STEP_RAISE] = { odl_cpu_raise_rows, all_rows },
  [ODL_STEP_LIMIT] = { odl_cpu_limit_rows, all_rows },
  [ODL_STEP_DECOUPLE] = { odl_cpu_decouple_rows, all_rows },
  [ODL_STEP_COMBINE] = { odl_cpu_combine_rows, all_rows },
  [ODL_STEP_BIVARIATE] = { odl_cpu_bivariate_rows, all_rows },
  [ODL_STEP_FORWARD] = { odl_cpu_forward_rows, transform_rows },
  [ODL_STEP_THRESHOLD] = { threshold_rows, all_rows },
  [ODL_STEP_INVERSE] = { odl_cpu_inverse_rows, transform_rows },
  [ODL_STEP_LAYOUT] = { layout_rows, detail_rows },
  [ODL_STEP_BAND] = { odl_cpu_band_rows, all_rows },
  [ODL_STEP_JOIN] = { odl_cpu_join_rows, all_rows },
  [ODL_STEP_SHIFT] = { odl_cpu_shift_rows, all_rows },
  [ODL_STEP_STATIONARY_FORWARD] = { odl_cpu_stationary_rows, all_rows },
  [ODL_STEP_STATIONARY_INVERSE] = { odl_cpu_stationary_rows, all_rows },
  [ODL_STEP_SHRINK] = { odl_cpu_shrink_rows, all_rows },
  [ODL_STEP_PLACE] = { odl_cpu_place_rows, all_rows },
  [ODL_STEP_DUAL_FORWARD] = { odl_cpu_dual_rows, all_rows },
  [ODL_STEP_DUAL_SHRINK] = { odl_cpu_dual_shrink_rows, pairs_of_rows },
  [ODL_STEP_DUAL_BIVARIATE] = { odl_cpu_dual_bivariate_rows, pairs_of_rows },
  [ODL_STEP_DUAL_INVERSE] = { odl_cpu_dual_rows, all_rows },
  [ODL_STEP_DUAL_PLACE] = { odl_cpu_place_rows, all_rows },
  [ODL_STEP_BM3D] = { odl_cpu_bm3d_rows, by_itself },
  [ODL_STEP_BM3D_TIME] = { odl_cpu_bm3d_time_rows, by_itself },
  [ODL_STEP_PYTHON] = { odl_cpu_python_rows, by_itself },
  [ODL_STEP_REGISTER] = { odl_cpu_register_rows, by_itself },
  [ODL_STEP_RECOMBINE] = { recombine_rows, all_rows },
  [ODL_STEP_OPPONENT] = { odl_cpu_opponent_rows, all_rows },
  [ODL_STEP_SCAN_CONVERT] = { odl_cpu_scan_convert_rows, all_rows },
  [ODL_STEP_RECURSIVE] = { odl_cpu_recursive_rows, all_rows },
  [ODL_STEP_PERSISTENCE] = { odl_cpu_persistence_rows, all_rows },
  [ODL_STEP_MEAN] = { odl_cpu_window_rows, all_rows },
  [ODL_STEP_TEMPORAL_MEDIAN] = { odl_cpu_window_rows, all_rows },
  [ODL_STEP_MAGNITUDE] = { odl_cpu_magnitude_rows, all_rows },
  [ODL_STEP_TENSOR] = { odl_cpu_tensor_rows, all_rows },
  [ODL_STEP_STEER] = { odl_cpu_steer_rows, all_rows },
  [ODL_STEP_SIDES] = { odl_cpu_sides_rows, at_once },
  [ODL_STEP_MASK] = { odl_cpu_mask_rows, all_rows },
  [ODL_STEP_NOISE] = { odl_cpu_noise_rows, at_once },
  [ODL_STEP_BAYES] = { odl_cpu_bayes_rows, at_once },
#define SPATIAL(NAME, name) [ODL_STEP_##NAME] = { odl_cpu_##name##_rows, all_rows }
  ODL_SPATIAL_STEPS (SPATIAL),
};

const OdlCpuStepRow *
odl_cpu_rows_of (const OdlStep *step)
{
  return &step_rows[step->kind];
}

bool
odl_cpu_has_step (const OdlStep *step)
{
  return step_rows[step->kind].run != NULL;
}

static void
prepare_taps (OdlCpuWork *work)
{
  const OdlStep *step = work->step;

  switch (step->kind) {
  case ODL_STEP_CONVOLVE_LINE:
    work->taps[0]
        = odl_cpu_taps_of_kernel (step->parameters.taps, step->parameters.radius);
    break;
  case ODL_STEP_STATIONARY_FORWARD:
  case ODL_STEP_STATIONARY_INVERSE:
    work->taps[0] = odl_cpu_stationary_taps (step);
    break;
  case ODL_STEP_DUAL_FORWARD:
  case ODL_STEP_DUAL_INVERSE:
    odl_cpu_dual_taps (step, work->taps);
    break;
  case ODL_STEP_FORWARD:
    work->taps[0] = odl_cpu_taps_of_wavelet (&step->wavelet->analysis_low);
    work->taps[1] = odl_cpu_taps_of_wavelet (&step->wavelet->analysis_high);
    break;
  case ODL_STEP_INVERSE:
    work->taps[0] = odl_cpu_taps_of_wavelet (&step->wavelet->synthesis_even);
    work->taps[1] = odl_cpu_taps_of_wavelet (&step->wavelet->synthesis_odd);
    break;
  default:
    break;
  }
}

static void
run_band (const StepRow *row, const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlCpuFloatMode mode = odl_cpu_float_mode_enter ();

  row->run (work, channel, from, to);
  odl_cpu_float_mode_leave (mode);
}

static int
count_bands (const OdlCpuWork *work, int count)
{
  const int64_t samples = (int64_t) work->out->width * work->out->height;
  const int bands = (int) CLAMP (samples / BAND_SAMPLES, 1, MIN (MOST_BANDS, count));
  const int threads = odl_parallel_threads ();

  // A band begins with histograms of as many rows as the window has.
  if (odl_cpu_median_is_large (work->step))
    return MIN (bands, threads > 1 ? 4 * threads : 1);
  if (!work->lifts || work->step->axis == ODL_AXIS_X)
    return bands;
  return CLAMP (count / LIFTED_PAIRS, 1, MIN (bands, threads > 1 ? 2 * threads : 1));
}

// Planes of bands or rows of one plane after the other, on all cores. Of a picture it is
// told how far the step is.
static void
run_work (const OdlCpuWork *work, const StepRow *row, int planes)
{
  const int count = row->count (work), bands = count_bands (work, count);
  OdlProgress *told
      = work->out->depth > 1 || row->count == by_itself ? NULL : work->progress;
  int done = 0;

  if (bands * planes == 1) {
    run_band (row, work, 0, 0, count);
    return;
  }

  ODL_PARALLEL_FOR
  for (int i = 0; i < bands * planes; i++) {
    const int plane = i / bands, band = i % bands;

    if (!odl_progress_stopped (work->progress))
      run_band (row, work, plane, (int) ((int64_t) count * band / bands),
                (int) ((int64_t) count * (band + 1) / bands));
    odl_progress_tell (told, (g_atomic_int_add (&done, 1) + 1.0) / (bands * planes));
  }
}

// A volume turned on its side: plane y holds row y of every slice of one channel.
static OdlCpuPicture
turn (const OdlCpuPicture *picture, int channel, int y)
{
  const size_t slice = picture->pitch * (size_t) picture->height;

  return (OdlCpuPicture){
    .width = picture->width,
    .height = picture->depth,
    .channels = picture->height - y,
    .pitch = slice * (size_t) picture->channels,
    .samples = picture->samples + (size_t) channel * slice + (size_t) y * picture->pitch,
    .plane = picture->pitch,
  };
}

// A step along z is a step along y of the turned volume. Rows beyond those of LL have no
// approximation; the details take its place.
static void
run_along_z (const OdlCpuWork *along_z, const OdlStep *step)
{
  OdlStep along_y = *step;
  OdlCpuWork work = *along_z;
  const int height = work.out->height, channels = work.out->channels;
  const bool inverse = step->kind == ODL_STEP_INVERSE;
  const int n_low = inverse ? odl_low_count (height) : height;

  along_y.axis = ODL_AXIS_Y;
  work.step = &along_y;
  for (int channel = 0; channel < channels; channel++)
    for (int high = 0; high < 2; high++) {
      const int y = high * n_low;
      if (y == height)
        continue;
      const OdlCpuPicture out = turn (along_z->out, channel, y);
      const OdlCpuPicture details
          = inverse ? turn (along_z->in[1], channel, y) : (OdlCpuPicture){ 0 };
      const OdlCpuPicture first
          = inverse && high ? details : turn (along_z->in[0], channel, y);
      work.out = &out;
      work.in[0] = &first;
      work.in[1] = inverse ? &details : NULL;
      run_work (&work, &step_rows[step->kind], high ? height - n_low : n_low);
    }
}

// Whether the step works on octants, the bands of a volume.
static bool
is_of_octants (const OdlPlan *plan, const OdlStep *step)
{
  const int details = step->kind == ODL_STEP_LAYOUT  ? step->reads[1]
                      : step->kind == ODL_STEP_NOISE ? step->reads[0]
                      : step->kind == ODL_STEP_BAYES ? step->reads[0]
                                                     : step->writes;

  return plan->slots[details].kind == ODL_SLOT_OCTANTS;
}

static void
convolve_directly (const OdlCpuWork *work)
{
  if (work->step->kernel_depth > 1)
    odl_cpu_convolve_volume (work);
  else
    run_work (work, &step_rows[ODL_STEP_CONVOLVE], odl_cpu_planes (work->out));
}

OdlCpuWork
odl_cpu_work_of (const OdlPlan *plan,
                 const OdlStep *step,
                 const OdlCpuMethod *method,
                 const OdlCpuPicture *pictures,
                 const OdlImage *input,
                 const OdlCpuPast *past)
{
  OdlCpuWork work = {
    .step = step,
    .variant = method->variant,
    .progress = method->progress,
    .spectra = method->spectra,
    .streams = odl_cpu_streams_of (method->streams, (int) (step - plan->steps)),
    .short_of_memory = method->short_of_memory,
    .failure = method->failure,
    .out = &pictures[step->writes],
    .input = odl_step_image (step, (OdlImage *) input),
    .past = *past,
    .lifts = !method->filtering && odl_cpu_step_lifts (step),
    .octants = is_of_octants (plan, step),
  };

  for (int i = 0; i < ODL_STEP_MOST_READS; i++)
    if (step->reads[i] != ODL_PLAN_NO_SLOT)
      work.in[i] = &pictures[step->reads[i]];
  if (work.lifts)
    work.lift = odl_cpu_lift_of_step (step);
  else
    prepare_taps (&work);
  return work;
}

void
odl_cpu_run_step (const OdlPlan *plan,
                  const OdlStep *step,
                  const OdlCpuMethod *method,
                  const OdlCpuPicture *pictures,
                  const OdlImage *input,
                  const OdlCpuPast *past)
{
  const OdlCpuWork work = odl_cpu_work_of (plan, step, method, pictures, input, past);
  const StepRow *row = &step_rows[step->kind];

  if (step->axis == ODL_AXIS_Z) {
    run_along_z (&work, step);
    return;
  }
  if (step->kind == ODL_STEP_CONVOLVE && odl_cpu_goes_by_fourier (&work, method)
      && odl_cpu_fourier_convolve (&work))
    return;
  if (step->kind == ODL_STEP_CONVOLVE) {
    convolve_directly (&work);
    return;
  }
  // Red, green and blue are made of the same samples, all at once, code has all channels,
  // and volumes are registered as a whole. LAYOUT writes as many slices as its level has.
  const bool together
      = (step->kind == ODL_STEP_LOAD && odl_image_info (work.input)->ycbcr.used)
        || step->kind == ODL_STEP_PYTHON
        || (step->kind == ODL_STEP_REGISTER && work.out->depth > 1);
  const OdlCpuPicture *planes = step->kind == ODL_STEP_LAYOUT ? work.in[1] : work.out;
  run_work (&work, row, together ? 1 : odl_cpu_planes (planes));
}

typedef struct {
  const OdlPlan *plan;
  const OdlBankSum *sum;
  const OdlCpuMethod *method;
  const OdlCpuPicture *pictures;
  const OdlImage *input;
} Terms;

// What term `t` reads: the places of pictures are used again, so each is loaded in turn.
static void
load_term (int t, bool known, void *data)
{
  const Terms *terms = data;
  const OdlPlan *plan = terms->plan;
  const OdlCpuPast past = { 0 };

  for (int i = t > 0 ? terms->sum->at[t - 1] + 1 : terms->sum->first;
       i < terms->sum->at[t]; i++) {
    const OdlStep *step = &plan->steps[i];
    if ((step->kind == ODL_STEP_LOAD || step->kind == ODL_STEP_RAISE)
        && !(known && !odl_plan_is_needed (plan, step->writes, terms->sum->last + 1)))
      odl_cpu_run_step (plan, step, terms->method, terms->pictures, terms->input, &past);
  }
}

bool
odl_cpu_run_sum (const OdlPlan *plan,
                 const OdlBankSum *sum,
                 const OdlCpuMethod *method,
                 const OdlCpuPicture *pictures,
                 const OdlImage *input)
{
  const OdlCpuPast past = { 0 };
  Terms terms = { plan, sum, method, pictures, input };
  OdlCpuWork works[ODL_PLAN_MAX_KERNEL];
  OdlLoaded volumes[ODL_PLAN_MAX_KERNEL];

  if (sum->count == 0)
    return false;
  for (int t = 0; t < sum->terms; t++) {
    works[t] = odl_cpu_work_of (plan, &plan->steps[sum->at[t]], method, pictures, input,
                                &past);
    volumes[t] = odl_plan_loaded_at (plan, works[t].step->reads[0], sum->at[t], input);
  }
  if (!odl_cpu_goes_by_fourier (&works[0], method))
    return false;
  g_autofree const OdlCpuPicture **outs = g_new (const OdlCpuPicture *, sum->count);
  for (int k = 0; k < sum->count; k++)
    outs[k] = &pictures[plan->steps[sum->last - sum->count + 1 + k].writes];
  const OdlCpuFourierSum all
      = { works, volumes, sum->terms, sum->count, outs, load_term, &terms };
  return odl_cpu_fourier_sum (&all);
}

void
odl_cpu_run_bank (const OdlPlan *plan,
                  const OdlBank *bank,
                  const OdlCpuMethod *method,
                  const OdlCpuPicture *pictures)
{
  const OdlStep *step = &plan->steps[bank->first];
  const OdlCpuPast past = { 0 };
  const OdlCpuWork work = {
    .step = step,
    .variant = method->variant,
    .spectra = method->spectra,
    .in[0] = &pictures[step->reads[0]],
    .out = &pictures[step->writes],
    .bank = bank->count,
    .pictures = pictures,
  };

  if (!odl_cpu_goes_by_fourier (&work, method)) {
    convolve_directly (&work);
    return;
  }
  if (odl_cpu_fourier_convolve (&work))
    return;
  for (int k = 0; k < bank->count; k++)
    odl_cpu_run_step (plan, step + k, method, pictures, NULL, &past);
}
