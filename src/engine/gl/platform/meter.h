// SPDX-License-Identifier: MIT
// How long a piece of GL work takes when it follows itself without a pause, so that the
// clock of the GPU is up: for the benchmark.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ODL_GL_METER_MOST 200

typedef void (*OdlGlWork) (void *data);

typedef struct {
  int n; // times in `ns`
  int64_t ns[ODL_GL_METER_MOST];
  bool by_timer; // timer queries; false: on the clock, the mean of a round each
} OdlGlTimes;

// Issues `work` again and again for about `budget_ns`, 3 to ODL_GL_METER_MOST times after
// some that raise the clock, and fills `times`; one time, on the clock, for what takes
// longer than the budget. Where the context's timer does not see the work or is missing,
// and where the CPU draws, the clock says. Sets and puts back the state that passes want,
// as odl_gl_state_save does. GL current; waits for the GPU.
void odl_gl_meter (OdlGlWork work, void *data, int64_t budget_ns, OdlGlTimes *times);
