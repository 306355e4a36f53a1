// SPDX-License-Identifier: MIT
// What one step of the CPU engine works on; shared by the files that hold the steps.
#pragma once

#include <string.h>

#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/cpu/steps/steps.h"
#include "wavelet/border.h"

typedef struct {
  const OdlStep *step;
  const OdlCpuVariant *variant;
  OdlProgress *progress; // NULL: nobody waits
  OdlCpuSpectra *spectra; // NULL: none are kept
  OdlBm3dStream **streams; // BM3D_TIME: of each plane; NULL: none are kept
  int *short_of_memory; // set to 1 by steps that find none; NULL: nobody asks
  GError **failure; // set by code of the user's own that fails; NULL: nobody asks
  const OdlCpuPicture *in[ODL_STEP_MOST_READS]; // NULL where the step reads nothing
  const OdlCpuPicture *out;
  const OdlImage *input;
  // Of convolutions that go together: `step` is the first of so many, which follow it.
  // Their pictures are those of the slots.
  int bank;
  const OdlCpuPicture *pictures;
  OdlCpuPast past;
  OdlCpuTaps taps[ODL_DUAL_PHASES]; // low and high, even and odd, or of each phase
  bool octants; // THRESHOLD, LAYOUT, NOISE, BAYES: the bands are those of a volume
  bool lifts; // FORWARD and INVERSE: by `lift`, not by taps
  OdlCpuLift lift;
} OdlCpuWork;

// How a kind of step is executed: rows, or other units, from … to − 1 of a plane. Steps
// that are done at once have one unit.
typedef void OdlCpuStepRun (const OdlCpuWork *work, int channel, int from, int to);

typedef struct {
  OdlCpuStepRun *run;
  int (*count) (const OdlCpuWork *work); // units of work along y
} OdlCpuStepRow;

OdlCpuStepRun odl_cpu_band_rows, odl_cpu_join_rows, odl_cpu_shift_rows; // bands.c
OdlCpuStepRun odl_cpu_bivariate_rows; // transform/bivariate.c
OdlCpuStepRun odl_cpu_bm3d_rows, odl_cpu_bm3d_time_rows, odl_cpu_opponent_rows; // bm3d.c
OdlCpuStepRun odl_cpu_equalise_rows; // spatial/clahe.c, which applies it
OdlCpuStepRun odl_cpu_peak_rows; // spatial/log_compress.c, likewise
OdlCpuStepRun odl_cpu_snakes_rows, odl_cpu_outline_rows, odl_cpu_keep_rows; // contours.c
OdlCpuStepRun odl_cpu_magnitude_rows, odl_cpu_tensor_rows, odl_cpu_steer_rows; // tensor.c
OdlCpuStepRun odl_cpu_python_rows; // own.c
OdlCpuStepRun odl_cpu_register_rows; // register.c
OdlCpuStepRun odl_cpu_scan_convert_rows; // scan_convert.c
OdlCpuStepRun odl_cpu_trough_rows, odl_cpu_cut_rows; // trough.c

// decouple.c
OdlCpuStepRun odl_cpu_inside_rows, odl_cpu_divide_rows, odl_cpu_residual_rows;
OdlCpuStepRun odl_cpu_limit_rows, odl_cpu_add_rows, odl_cpu_raise_rows;
OdlCpuStepRun odl_cpu_decouple_rows, odl_cpu_combine_rows;

const OdlCpuStepRow *odl_cpu_rows_of (const OdlStep *step);

// What `step` works on; see odl_cpu_run_step.
OdlCpuWork odl_cpu_work_of (const OdlPlan *plan,
                            const OdlStep *step,
                            const OdlCpuMethod *method,
                            const OdlCpuPicture *pictures,
                            const OdlImage *input,
                            const OdlCpuPast *past);

static inline void
odl_cpu_short_of_memory (const OdlCpuWork *work)
{
  if (work->short_of_memory != NULL)
    g_atomic_int_set (work->short_of_memory, 1);
}

// The plane of `picture`, one that is read, that belongs to plane `channel` of the
// result: one of a single channel stands for all.
static inline int
odl_cpu_plane_beside (const OdlCpuWork *work, const OdlCpuPicture *picture, int channel)
{
  const int channels = work->out->channels;

  return channel / channels * picture->channels
         + MIN (channel % channels, picture->channels - 1);
}

static inline int
odl_cpu_divide_up (int a, int b)
{
  return (a + b - 1) / b;
}

// Columns of one pass of a kernel along x.
#define ODL_CPU_SPAN 512

// Samples first … end − 1 of a line of n, those beyond its ends mirrored.
static inline void
odl_cpu_copy_mirrored (const float *line, int n, int first, int end, float *to)
{
  int inner_first = MAX (first, 0), inner_end = MIN (end, n);

  memcpy (to + inner_first - first, line + inner_first,
          (inner_end - inner_first) * sizeof *line);
  for (int i = first; i < inner_first; i++)
    to[i - first] = line[odl_border_fold (i, n)];
  for (int i = inner_end; i < end; i++)
    to[i - first] = line[odl_border_fold (i, n)];
}

// A line of n samples, with its first one before it and its last one after it.
static inline void
odl_cpu_copy_extended (const float *line, int n, float *to)
{
  memcpy (to, line, n * sizeof *line);
  to[-1] = line[0];
  to[n] = line[n - 1];
}

// Rows from … to − 1 of one channel, of a spatial filter's step (spatial/NAME.c).
#define ODL_CPU_SPATIAL(NAME, name) \
  odl_cpu_##name##_rows (const OdlCpuWork *work, int channel, int from, int to)
void ODL_SPATIAL_STEPS (ODL_CPU_SPATIAL);

// CONVOLVE along z, too, on all cores; odl_cpu_convolve_rows takes kernels of one slice.
void odl_cpu_convolve_volume (const OdlCpuWork *work);

// Rows from … to − 1 along x; pairs of rows from … to − 1 along y.
void odl_cpu_forward_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_inverse_rows (const OdlCpuWork *work, int channel, int from, int to);
