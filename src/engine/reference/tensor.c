// SPDX-License-Identifier: MIT
// Structure tensors, as plan/tensor/tensor.h says.
#include "engine/reference/context.h"
#include "plan/tensor/tensor.h"

typedef double (*SampleOf) (const StepContext *c,
                            const double *const *pictures,
                            int n,
                            size_t i);

// Every sample, from the same one of all pictures that the step reads.
static void
walk (const StepContext *c, SampleOf sample)
{
  const size_t samples = (size_t) c->out->width * c->out->height;
  const double *pictures[ODL_STEP_MOST_READS] = { 0 };

  for (int channel = 0; channel < c->out->channels; channel++) {
    double *to = slot_channel (c, c->step->writes, channel);
    int n = 0;
    while (n < ODL_STEP_MOST_READS && c->step->reads[n] != ODL_PLAN_NO_SLOT) {
      pictures[n] = slot_channel (c, c->step->reads[n], channel);
      n++;
    }
    for (size_t i = 0; i < samples; i++)
      to[i] = sample (c, pictures, n, i);
  }
}

static void
sum_of (int dimensions,
        const double *const *magnitudes,
        size_t i,
        double t[ODL_TENSOR_ENTRIES])
{
  double q[ODL_TENSOR_MOST];

  for (int k = 0; k < odl_tensor_count (dimensions); k++)
    q[k] = magnitudes[k][i];
  odl_tensor_sum (dimensions, q, t);
}

static double
magnitude (const StepContext *c, const double *const *pictures, int n, size_t i)
{
  const double zero = odl_step_value (c->step, "zero");

  return hypot (pictures[0][i] - zero, pictures[1][i] - zero);
}

static double
tensor (const StepContext *c, const double *const *pictures, int n, size_t i)
{
  const int dimensions = odl_tensor_dimensions (n);
  double t[ODL_TENSOR_ENTRIES];

  sum_of (dimensions, pictures, i, t);
  return odl_tensor_view (dimensions, t, (OdlTensorView) c->step->rule,
                          c->step->parameters.threshold);
}

static double
steer (const StepContext *c, const double *const *pictures, int n, size_t i)
{
  const int count = n / 2, dimensions = odl_tensor_dimensions (count);
  double t[ODL_TENSOR_ENTRIES], control[ODL_TENSOR_ENTRIES], dual[ODL_TENSOR_ENTRIES];
  double sum = pictures[0][i];

  sum_of (dimensions, pictures + 1 + count, i, t);
  odl_tensor_control (dimensions, t, c->step->parameters.threshold,
                      c->step->parameters.tolerance, control);
  for (int k = 0; k < count; k++) {
    odl_tensor_dual (dimensions, k, dual);
    sum += odl_tensor_inner (control, dual) * pictures[1 + k][i];
  }
  return sum;
}

void
odl_reference_magnitude (const StepContext *c)
{
  walk (c, magnitude);
}

void
odl_reference_tensor (const StepContext *c)
{
  walk (c, tensor);
}

void
odl_reference_steer (const StepContext *c)
{
  walk (c, steer);
}
