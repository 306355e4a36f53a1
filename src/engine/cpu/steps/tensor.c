// SPDX-License-Identifier: MIT
// Structure tensors, as plan/tensor/tensor.h says.
#include "engine/cpu/steps/work.h"

#include <math.h>

#include "plan/tensor/tensor.h"

// A row of everything that the step reads.
typedef struct {
  const float *in[ODL_STEP_MOST_READS];
  float *out;
  int n;
} Rows;

static Rows
rows_at (const OdlCpuWork *work, int channel, int y)
{
  Rows rows = { .out = odl_cpu_row (work->out, channel, y) };

  while (rows.n < ODL_STEP_MOST_READS && work->in[rows.n] != NULL) {
    rows.in[rows.n] = odl_cpu_row (work->in[rows.n], channel, y);
    rows.n++;
  }
  return rows;
}

typedef struct {
  int dimensions;
  int entries;
  int count;
  double dual[ODL_TENSOR_MOST][ODL_TENSOR_ENTRIES];
} Frame;

static Frame
make_frame (int count)
{
  Frame frame = { .dimensions = odl_tensor_dimensions (count), .count = count };

  frame.entries = odl_tensor_entries (frame.dimensions);
  for (int k = 0; k < count; k++)
    odl_tensor_dual (frame.dimensions, k, frame.dual[k]);
  return frame;
}

static void
sum_at (const Frame *frame,
        const float *const *magnitudes,
        int x,
        double t[ODL_TENSOR_ENTRIES])
{
  for (int i = 0; i < ODL_TENSOR_ENTRIES; i++)
    t[i] = 0;
  for (int k = 0; k < frame->count; k++)
    for (int i = 0; i < frame->entries; i++)
      t[i] += magnitudes[k][x] * frame->dual[k][i];
}

void
odl_cpu_magnitude_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const float zero = (float) odl_step_value (work->step, "zero");

  for (int y = from; y < to; y++) {
    const Rows rows = rows_at (work, channel, y);
    float *restrict out = rows.out;
    for (int x = 0; x < work->out->width; x++) {
      const float a = rows.in[0][x] - zero, b = rows.in[1][x] - zero;
      out[x] = sqrtf (a * a + b * b);
    }
  }
}

void
odl_cpu_tensor_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const Frame frame = make_frame (rows_at (work, channel, from).n);
  const OdlTensorView view = (OdlTensorView) work->step->rule;
  double t[ODL_TENSOR_ENTRIES];

  for (int y = from; y < to; y++) {
    const Rows rows = rows_at (work, channel, y);
    for (int x = 0; x < work->out->width; x++) {
      sum_at (&frame, rows.in, x, t);
      rows.out[x] = (float) odl_tensor_view (frame.dimensions, t, view,
                                             work->step->parameters.threshold);
    }
  }
}

void
odl_cpu_steer_rows (const OdlCpuWork *work, int channel, int from, int to)
{
  const OdlStepParameters *own = &work->step->parameters;
  const Frame frame = make_frame (rows_at (work, channel, from).n / 2);
  double t[ODL_TENSOR_ENTRIES], control[ODL_TENSOR_ENTRIES];

  for (int y = from; y < to; y++) {
    const Rows rows = rows_at (work, channel, y);
    for (int x = 0; x < work->out->width; x++) {
      double sum = rows.in[0][x];
      sum_at (&frame, rows.in + 1 + frame.count, x, t);
      odl_tensor_control (frame.dimensions, t, own->threshold, own->tolerance, control);
      for (int k = 0; k < frame.count; k++)
        sum += odl_tensor_inner (control, frame.dual[k]) * rows.in[1 + k][x];
      rows.out[x] = (float) sum;
    }
  }
}
