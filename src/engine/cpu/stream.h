// SPDX-License-Identifier: MIT
// Runs a wavelet filter as one pass over the picture, or two if thresholds are measured
// in between: all forward levels, thresholds, all inverse levels, and the loading of a
// filter that comes first. Strips of the picture run in parallel.
#pragma once

#include "engine/cpu/kernels/variant.h"
#include "engine/cpu/steps/steps.h"

typedef struct _OdlCpuStream OdlCpuStream;

// With more levels a strip's border is two thousand rows high, and the steps' rounding
// adds up to 2e-6: such a filter goes level by level.
#define ODL_CPU_STREAM_LEVELS 7

// Steps of a plan that run as one pass.
typedef struct {
  int first;
  int n_steps; // 0: none
  int filter; // the first step of the filter itself
  int levels;
  int thresholds[ODL_CPU_STREAM_LEVELS]; // steps, the finest level first
  int bands[ODL_CPU_STREAM_LEVELS]; // slots of the coefficients, likewise
  bool measured; // thresholds are, so that it runs as two passes, of analysis and
                 // synthesis
  bool luma; // the plan is in luma mode and has no other filter
  int weights; // step LUMA of such a plan
} OdlCpuSpan;

// The steps from `first` on that run as one pass: the plain or measured group of a
// wavelet with lifting steps (plan/group.h), on at most 7 levels with at least two rows
// and columns each. LOAD belongs to the span when no other step reads what it writes.
// Where the filter is the only one of a plan in luma mode, LUMA and RECOMBINE do, too.
OdlCpuSpan odl_cpu_stream_span (const OdlPlan *plan, int first);

// True when that is the whole plan.
bool odl_cpu_stream_suits (const OdlPlan *plan);

// Working set for a span, which is not empty, for at most `threads` threads. NULL when
// memory is short. `variant` is borrowed. `huge_pages` asks the system for them.
OdlCpuStream *odl_cpu_stream_new (const OdlPlan *plan,
                                  const OdlCpuSpan *span,
                                  const OdlCpuVariant *variant,
                                  int threads,
                                  bool huge_pages);
void odl_cpu_stream_free (OdlCpuStream *stream);

// True when the image stores the luma that the plan filters: then the result's first
// channel is the filtered luma, the others are not written (and may lack memory), and
// odl_image_rgb_row_of_luma computes the colours.
bool odl_cpu_stream_gives_luma (const OdlCpuStream *stream,
                                const OdlPlan *plan,
                                const OdlImage *input);

// Of a span that is measured: the coefficients, into the slots `bands` of `pictures`; and
// the result, of these, shrunk by the thresholds in the slots of numbers.
void odl_cpu_stream_analyse (OdlCpuStream *stream,
                             const OdlPlan *plan,
                             const OdlCpuPicture *source,
                             const OdlCpuPicture *pictures);
void odl_cpu_stream_synthesise (OdlCpuStream *stream,
                                const OdlPlan *plan,
                                const OdlCpuPicture *pictures,
                                const OdlCpuPicture *result);

// Of any other span: executes it in `plan`, which has the structure that `stream` was
// made for. Reads `input` if the span begins with LOAD, else `source`. Writes only
// `result`, which does not overlap `source`. The result does not depend on the number of
// strips or threads.
void odl_cpu_stream_run (OdlCpuStream *stream,
                         const OdlPlan *plan,
                         const OdlImage *input,
                         const OdlCpuPicture *source,
                         const OdlCpuPicture *result);

// For tests: strips that run at the same time, and those of them that lie side by side.
int odl_cpu_stream_strips (const OdlCpuStream *stream);
int odl_cpu_stream_columns (const OdlCpuStream *stream);
