// SPDX-License-Identifier: MIT
// Steps of the transform of volumes that follow each other in the cache: slice by slice
// along x and y, row by row of all slices along z. Sums of convolutions, too.
#pragma once

#include "engine/cpu/steps/steps.h"

// Executes step `index` of a volume's plan together with those after it that can be, and
// returns how many steps that were; 0: none, and nothing was done. What only the next of
// them reads is not written to its slot. Results are those of odl_cpu_run_step, bit by
// bit. As odl_cpu_run_step.
int odl_cpu_run_volume_steps (const OdlPlan *plan,
                              int index,
                              const OdlCpuMethod *method,
                              const OdlCpuPicture *pictures,
                              const OdlImage *input);

// How many steps may run together from `index` on, at most, those of a bank included: all
// that they write has to have memory.
int odl_cpu_most_together (const OdlPlan *plan,
                           int index,
                           const OdlCpuPicture *pictures,
                           const OdlImage *input);

// Whether step `index` is a THRESHOLD that runs with the INVERSE which reads it: its slot
// needs no memory.
bool odl_cpu_is_put_off (const OdlPlan *plan, int index, const OdlCpuPicture *pictures);
