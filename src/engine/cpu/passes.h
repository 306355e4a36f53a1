// SPDX-License-Identifier: MIT
// How the CPU engine executes a plan: wavelet filters as one pass each (stream.h), what
// measures for another filter of the decimated transform at once, every other step by
// itself.
#pragma once

#include "engine/cpu/steps/temporal.h"
#include "engine/cpu/stream.h"

typedef struct _OdlCpuPasses OdlCpuPasses;

// `pictures` are the plan's slots, with or without samples; `created` counts what is
// allocated. NULL where no filter runs as one pass or measures, or memory is short: then
// all goes step by step. `method` is copied.
OdlCpuPasses *odl_cpu_passes_new (const OdlPlan *plan,
                                  const OdlCpuPicture *pictures,
                                  const OdlCpuMethod *method,
                                  int threads,
                                  bool huge_pages,
                                  size_t *created);
void odl_cpu_passes_free (OdlCpuPasses *passes); // NULL is fine

// True when a pass reads or writes the slot, which then needs memory.
bool odl_cpu_passes_use (const OdlCpuPasses *passes, const OdlPlan *plan, int slot);

// Whether the result of that input is luma alone, as odl_cpu_stream_gives_luma says.
bool odl_cpu_passes_give_luma (const OdlCpuPasses *passes,
                               const OdlPlan *plan,
                               const OdlImage *input);

// Whether a filter runs as one pass.
bool odl_cpu_passes_stream (const OdlCpuPasses *passes);

// Whether thresholds are measured at once. Their histograms are
// made where the engine's caller is observing, else 0.
bool odl_cpu_passes_measure (const OdlCpuPasses *passes);

// Executes `plan`, which has the structure that `passes` were made for.
void odl_cpu_passes_run (OdlCpuPasses *passes,
                         const OdlEngine *engine,
                         const OdlPlan *plan,
                         const OdlCpuRings *rings,
                         const OdlCpuPicture *pictures,
                         const OdlImage *input);
