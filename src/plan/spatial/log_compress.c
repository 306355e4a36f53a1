// SPDX-License-Identifier: MIT
// Amplitudes in dB, as an ultrasound scanner shows them: T. Szabo, "Diagnostic ultrasound
// imaging" (2014), section 10.6. With x / r what a sample is of the reference,
//   1 + (20 log10 (x / r) + gain) / range, not below 0 and not above 1
// so that the reference becomes white with a gain of 0 dB, and what is `range` dB below
// it black. Samples up to 0 are black. The reference is a number of the recipe, measured
// once (filter/measure.h), so that all frames of a cine have the same one; or, with
// ODL_VALUE_FRAME, the largest sample of each frame, which PEAK finds.
#include <math.h>

#include "plan/compression.h"
#include "plan/numbers.h"

static const OdlParameter parameters[] = {
  { NUMBER ("range", N_ ("Dynamic range"), N_ ("dB"), 20, 120, 1), .default_value = 60 },
  { NUMBER ("gain", N_ ("Gain"), N_ ("dB"), -40, 40, 0.5), .tacit = true, .offset = 1 },
  { NUMBER ("reference",
            N_ ("Reference"),
            N_ ("of full scale"),
            ODL_LEAST_REFERENCE,
            1,
            0.001),
    .measured = true, .over_frames = true, .default_value = 1, .tacit = true,
    .offset = 2 },
};

const OdlFilter odl_filter_log_compress = {
  SPATIAL_FILTER (LOG_COMPRESS, "log-compress"),
  .label = N_ ("Logarithmic compression"),
  .description = N_ ("Shows amplitudes in decibels, from black at the end of the dynamic "
                     "range to white at the reference."),
  PARAMETERS (parameters),
};

const OdlStepRow odl_step_log_compress = {
  SPATIAL_STEP ("log-compress"),
  .amplifies = true,
  .fields = { ODL_STEP_VALUE ("times", ODL_COMPRESSION_TIMES),
              ODL_STEP_VALUE ("slope", ODL_COMPRESSION_SLOPE) },
};

OdlCompression
odl_compression_of_item (const OdlRecipe *recipe, int item)
{
  const OdlParameter *reference
      = odl_filter_parameter (recipe->items[item].filter, "reference");
  const double range = odl_recipe_get (recipe, item, "range", 0);
  const double gain = odl_recipe_get (recipe, item, "gain", 0);
  const double one
      = odl_parameter_usual (reference, 0, odl_recipe_get (recipe, item, "reference", 0));

  return (OdlCompression){ .times = pow (10, gain / 20) / one,
                           .slope = 20 * log10 (2) / range };
}

float
odl_compression_reference (const float peaks[])
{
  float reference = (float) ODL_LEAST_REFERENCE;

  for (int part = 0; part < ODL_PEAK_PARTS; part++)
    reference = MAX (reference, peaks[part]);
  return reference;
}

void
odl_plan_log_compress (OdlPlanner *b, int item)
{
  const OdlCompression compression = odl_compression_of_item (b->recipe, item);
  const int picture = b->picture;
  int peaks = ODL_PLAN_NO_SLOT;

  if (odl_recipe_get (b->recipe, item, "reference", 0) == ODL_VALUE_FRAME) {
    peaks = odl_planner_add_numbers (b, ODL_PEAK_PARTS, 1, false);
    odl_planner_add_step (b, ODL_STEP_PEAK, picture, peaks, item);
    b->peaks = true;
  }
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_LOG_COMPRESS, item);
  step->reads[1] = peaks;
  step->parameters.values[ODL_COMPRESSION_TIMES] = compression.times;
  step->parameters.values[ODL_COMPRESSION_SLOPE] = compression.slope;
}
