// SPDX-License-Identifier: MIT
// Times a piece of GL work that is repeated without a pause, so that the clock rate of
// the GPU is high: for the benchmark.
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

// Repeats `work` for about `budget_ns`, 3 to ODL_GL_METER_MOST times after a warm-up that
// raises the clock rate, and fills `times`; once, by the system's clock, if it takes
// longer than the budget. The system's clock also measures where timer queries are
// missing or miss the work, and where the CPU draws. Sets and restores GL state as
// odl_gl_state_save does. GL current; waits for the GPU.
void odl_gl_meter (OdlGlWork work, void *data, int64_t budget_ns, OdlGlTimes *times);
