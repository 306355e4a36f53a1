// SPDX-License-Identifier: MIT
// A whole synthesis plan of one wavelet filter as one pass over the picture: load, all
// forward levels, thresholds, all inverse levels. Strips of rows run side by side.
#pragma once

#include "engine/cpu/steps.h"
#include "engine/cpu/variant.h"

typedef struct _OdlCpuStream OdlCpuStream;

// True when `plan` can run as one pass: nothing but one wavelet filter with lifting steps
// and, in luma mode, what belongs to that; at most 7 levels, and at least two rows and
// columns at each.
bool odl_cpu_stream_suits (const OdlPlan *plan);

// Working set for `plan`, which suits, for at most `threads` threads. NULL when memory is
// short. `variant` is borrowed. `huge_pages` asks the system for them.
OdlCpuStream *odl_cpu_stream_new (const OdlPlan *plan,
                                  const OdlCpuVariant *variant,
                                  int threads,
                                  bool huge_pages);
void odl_cpu_stream_free (OdlCpuStream *stream);

// Executes `plan`, which has the structure that `stream` was made for. Writes `result`
// alone. Neither the number of strips nor that of threads changes a bit of it. True when
// the image stores the luma that the plan filters: then the result's first channel is the
// filtered luma, the others are left alone, and odl_image_rgb_row_of_luma makes of it
// what the plan says.
bool odl_cpu_stream_run (OdlCpuStream *stream,
                         const OdlPlan *plan,
                         const OdlImage *input,
                         const OdlCpuPicture *result);

// Strips of rows that run side by side, and bytes of the working set.
int odl_cpu_stream_strips (const OdlCpuStream *stream);
size_t odl_cpu_stream_size (const OdlCpuStream *stream);
