// SPDX-License-Identifier: MIT
// Undoes log-compress with the same numbers: r 10^(((f − 1) range − gain) / 20). What was
// black comes back as the lower end of the range.
#include "plan/compression.h"

static const OdlParameter parameters[] = {
  { NUMBER ("range", N_ ("Dynamic range"), N_ ("dB"), 20, 120, 1), .default_value = 60 },
  { NUMBER ("gain", N_ ("Gain"), N_ ("dB"), -40, 40, 0.5), .tacit = true, .offset = 1 },
  { NUMBER ("reference",
            N_ ("Reference"),
            N_ ("of full scale"),
            ODL_LEAST_REFERENCE,
            1,
            0.001),
    .default_value = 1, .tacit = true, .offset = 2 },
};

const OdlFilter odl_filter_log_expand = {
  SPATIAL_FILTER (LOG_EXPAND, "log-expand"),
  .label = N_ ("Logarithmic expansion"),
  .description = N_ ("Makes amplitudes of a picture that is compressed in decibels."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_log_expand = {
  SPATIAL_STEP ("log-expand"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("times", ODL_COMPRESSION_TIMES),
              ODL_STEP_VALUE ("slope", ODL_COMPRESSION_SLOPE) },
};

void
odl_plan_log_expand (OdlPlanner *b, int item)
{
  const OdlCompression compression = odl_compression_of_item (b->recipe, item);
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_LOG_EXPAND, item);

  step->parameters.values[ODL_COMPRESSION_TIMES] = 1 / compression.times;
  step->parameters.values[ODL_COMPRESSION_SLOPE] = 1 / compression.slope;
}
