// SPDX-License-Identifier: MIT
// The steps of a plan on pictures in memory.
#pragma once

#include "base/progress.h"
#include "engine/cpu/kernels/variant.h"
#include "engine/cpu/steps/fourier/spectra.h"
#include "engine/cpu/steps/streams.h"
#include "image/image.h"
#include "plan/flow.h"
#include "plan/plan.h"

// The samples of a slot: plane after plane, rows `pitch` floats apart. Planes of a volume
// are ordered by slice, then by channel.
typedef struct {
  int width;
  int height;
  int channels; // of a slice
  size_t pitch;
  float *samples;
  int depth; // slices; 0 and 1: one
  size_t plane; // floats from a plane to the next; 0: height · pitch
} OdlCpuPicture;

// The history of a step over time: kept[k] is of the frame k frames ago, and the step
// fills kept[0] with what it keeps of this frame.
typedef struct {
  int earlier; // frames before this one, at most step->frames − 1
  const OdlCpuPicture *kept[ODL_PLAN_MAX_FRAMES];
} OdlCpuPast;

// Samples of that width (with the pitch), height and channels; false when memory is
// short. For odl_aligned_free.
bool odl_cpu_picture_alloc (OdlCpuPicture *picture, bool huge_pages);

static inline int
odl_cpu_planes (const OdlCpuPicture *picture)
{
  return picture->channels * MAX (picture->depth, 1);
}

// `channel` counts planes: slice · channels + channel.
static inline float *
odl_cpu_row (const OdlCpuPicture *picture, int channel, int y)
{
  const size_t plane
      = picture->plane > 0 ? picture->plane : (size_t) picture->height * picture->pitch;

  return picture->samples + (size_t) channel * plane + (size_t) y * picture->pitch;
}

// Whether there is code for steps of this kind.
bool odl_cpu_has_step (const OdlStep *step);

// How CONVOLVE is executed.
typedef enum {
  ODL_CPU_CONVOLVING_FASTEST, // as the kernel and the picture suggest
  ODL_CPU_CONVOLVING_FOURIER,
  ODL_CPU_CONVOLVING_DIRECT,
} OdlCpuConvolving;

// How steps are executed.
typedef struct {
  const OdlCpuVariant *variant;
  bool filtering; // FORWARD and INVERSE with taps even where lifting does it
  OdlCpuConvolving convolving;
  OdlProgress *progress; // NULL: nobody waits
  OdlCpuSpectra *spectra; // that are kept; NULL: none
  OdlCpuStreams *streams; // that are kept; NULL: none
  int *short_of_memory; // set to 1 by steps that find none; NULL: nobody asks
  GError **failure; // set by code of the user's own that fails; NULL: nobody asks
} OdlCpuMethod;

// Whether FORWARD or INVERSE can go by lifting: a wavelet that has such steps, in
// fractions, with mirrored borders, at most 7 levels down.
bool odl_cpu_step_lifts (const OdlStep *step);

// The lifting of such a step, with the gains that its pictures have.
OdlCpuLift odl_cpu_lift_of_step (const OdlStep *step);

// Executes one step; pictures[i] is slot i of `plan`. `input` is read by LOAD alone,
// `past` by steps over time.
// Results do not depend on the number of threads. Any one thread at a time.
void odl_cpu_run_step (const OdlPlan *plan,
                       const OdlStep *step,
                       const OdlCpuMethod *method,
                       const OdlCpuPicture *pictures,
                       const OdlImage *input,
                       const OdlCpuPast *past);

// Executes a sum of convolutions (plan/flow.h), of one kernel for each picture, and what
// they load, adding up frequencies. False where that is not the way, or memory is short;
// then the steps go one by one.
bool odl_cpu_run_sum (const OdlPlan *plan,
                      const OdlBankSum *sum,
                      const OdlCpuMethod *method,
                      const OdlCpuPicture *pictures,
                      const OdlImage *input);

// Executes the convolutions of a bank (plan/flow.h), whose picture is read once for all.
// Results are those of each by itself, bit by bit.
void odl_cpu_run_bank (const OdlPlan *plan,
                       const OdlBank *bank,
                       const OdlCpuMethod *method,
                       const OdlCpuPicture *pictures);
