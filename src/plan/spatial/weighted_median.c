// SPDX-License-Identifier: MIT
// Of the samples about each, the least one that, with those below it, has half of all
// weights: D. Brownrigg, "The weighted median filter", Communications of the ACM 27
// (1984), pages 807 to 818; with a weight in the centre alone S.-J. Ko, Y. Lee, "Center
// weighted median filters and their applications to image enhancement", IEEE Transactions
// on Circuits and Systems 38 (1991).
#include <math.h>

#include <glib/gi18n-lib.h>

#include "plan/kernel.h"
#include "plan/spatial.h"

// Weights are whole numbers, whose sums all engines know exactly.
#define MOST_WEIGHT 10000

static const char *const side_names[] = { "3", "5", "7", "9", NULL };

static const OdlParameter parameters[] = {
  {
      .key = "kernel",
      .label = N_ ("Weights"),
      .unit = "",
      .kind = ODL_PARAMETER_KERNEL,
  },
  // Without a file.
  { CHOICE ("size", N_ ("Size"), N_ ("pixels"), side_names), .shapes = 1 },
  { INTEGER ("centre", N_ ("Weight of the centre"), "", 1, 99), .default_value = 3,
    .tacit = true, .offset = 1, .shapes = 1 },
};

const OdlFilter odl_filter_weighted_median = {
  SPATIAL_FILTER (WEIGHTED_MEDIAN, "weighted-median"),
  .label = N_ ("Weighted median"),
  .description = N_ ("A median in which some samples count more often: the one in the "
                     "centre, or as a file of weights says."),
  PARAMETERS (parameters),
};

// Weights stand where their samples do; `half` of them are reached by the median.
const OdlStepRow odl_step_weighted_median = {
  SPATIAL_STEP ("weighted-median"),
  .square = true,
  .keeps_whole = odl_step_always,
  .fields = { ODL_STEP_STRUCTURE (kernel_width, INT),
              ODL_STEP_STRUCTURE (kernel_height, INT), ODL_STEP_VALUE ("half", 0) },
};

static OdlKernel
centre_weights (int side, int centre)
{
  OdlKernel kernel = { side, side, 1, g_new (float, side *side), 1 };

  for (int k = 0; k < side * side; k++)
    kernel.value[k] = k == side * side / 2 ? (float) centre : 1;
  return kernel;
}

// Whole numbers from 0 to MOST_WEIGHT; those that are such stay.
static void
round_weights (OdlPlanner *b, OdlKernel *kernel)
{
  const int n = kernel->width * kernel->height;
  float most = 0;
  bool whole = true, negative = false;

  for (int k = 0; k < n; k++) {
    negative |= kernel->value[k] < 0;
    kernel->value[k] = MAX (kernel->value[k], 0);
    most = MAX (most, kernel->value[k]);
    whole = whole && kernel->value[k] == floorf (kernel->value[k]);
  }
  if (negative)
    odl_planner_note (b, _ ("weights of a median below 0 count as 0"));
  for (int k = 0; k < n; k++)
    if (most == 0)
      kernel->value[k] = 1;
    else if (!whole || most > MOST_WEIGHT)
      kernel->value[k] = floorf (kernel->value[k] / most * MOST_WEIGHT + 0.5f);
}

void
odl_plan_weighted_median (OdlPlanner *b, int item)
{
  const char *file = odl_recipe_operand (b->recipe, item);
  g_auto (OdlKernel) kernel
      = file != NULL
            ? odl_kernel_of_image (odl_operands_find (b->geometry.operands, file))
            : centre_weights (odl_spatial_side (b, item),
                              (int) odl_recipe_get (b->recipe, item, "centre", 0));
  OdlStep *step = odl_planner_add_picture_step (b, ODL_STEP_WEIGHTED_MEDIAN, item);
  double sum = 0;

  round_weights (b, &kernel);
  for (int k = 0; k < kernel.width * kernel.height; k++)
    sum += (double) kernel.value[k];
  step->kernel_width = kernel.width;
  step->kernel_height = kernel.height;
  step->kernel_depth = 1;
  step->side = MAX (kernel.width, kernel.height);
  step->parameters.values[0] = floor ((sum + 1) / 2);
  step->parameters.kernel = kernel.value;
  g_ptr_array_add (b->kernels, g_steal_pointer (&kernel.value));
}
