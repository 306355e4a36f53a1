// SPDX-License-Identifier: MIT
// Steps over time of the CPU engine, and the pictures that they keep.
#pragma once

#include "engine/cpu/steps/work.h"
#include "engine/engine.h"

typedef struct _OdlCpuRings OdlCpuRings;

// For every step over time of `plan` as many pictures as it looks at, shaped as what it
// writes; `pictures` are the plan's slots, with or without samples. `created` counts
// them. NULL when there is not enough memory.
OdlCpuRings *odl_cpu_rings_new (const OdlPlan *plan,
                                const OdlCpuPicture *pictures,
                                bool huge_pages,
                                size_t *created);
void odl_cpu_rings_free (OdlCpuRings *rings); // NULL is fine

// The history of a step in this run; all zero for steps without one.
OdlCpuPast odl_cpu_rings_past (const OdlCpuRings *rings,
                               const OdlEngine *engine,
                               const OdlPlan *plan,
                               int step);

// Rows from … to − 1 of RECURSIVE, PERSISTENCE, and of MEAN and MEDIAN.
void odl_cpu_recursive_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_persistence_rows (const OdlCpuWork *work, int channel, int from, int to);
void odl_cpu_window_rows (const OdlCpuWork *work, int channel, int from, int to);
