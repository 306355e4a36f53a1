// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/transform/transform.h"

#include <string.h>

#include "wavelet/border.h"
#include "wavelet/transform.h"

OdlCpuShape
odl_cpu_shape (const OdlCpuWork *work, int n)
{
  const OdlBorder border = work->step->border;

  return (OdlCpuShape){ work->variant, border, n, odl_border_length (border, n) };
}

// How a line holds the interleaved signal.
typedef float (*LineSample) (const float *line, int index, int n);

static float
sample_at (const float *line, int index, int n)
{
  return line[index];
}

static float
coefficient_at (const float *line, int index, int n)
{
  return line[(index & 1) != 0 ? odl_low_count (n) + (index >> 1) : index >> 1];
}

static void
extend_pair (const OdlCpuShape *shape,
             OdlCpuPhases *phases,
             const float *line,
             int at,
             int pair,
             LineSample sample)
{
  const int a = odl_border_index (shape->border, 2 * pair, shape->length);
  const int b = odl_border_index (shape->border, 2 * pair + 1, shape->length);

  phases->a[at] = a < 0 ? 0 : sample (line, a, shape->n);
  phases->b[at] = b < 0 ? 0 : sample (line, b, shape->n);
}

static void
extend (const OdlCpuShape *shape,
        OdlCpuPhases *phases,
        const float *line,
        int first,
        int end,
        LineSample sample)
{
  for (int i = first; i < MIN (0, end); i++)
    extend_pair (shape, phases, line, i - first, i, sample);
  for (int i = MAX (first, shape->length / 2); i < end; i++)
    extend_pair (shape, phases, line, i - first, i, sample);
}

void
odl_cpu_split_samples (const OdlCpuShape *shape,
                       OdlCpuPhases *phases,
                       const float *line,
                       int first,
                       int end)
{
  const int from = MAX (first, 0);
  const int pairs = MIN (end, shape->length / 2) - from;

  if (pairs > 0)
    shape->variant->split (line + 2 * from, phases->a + from - first,
                           phases->b + from - first, pairs);
  extend (shape, phases, line, first, end, sample_at);
}

void
odl_cpu_split_coefficients (const OdlCpuShape *shape,
                            OdlCpuPhases *phases,
                            const float *line,
                            int first,
                            int end)
{
  const int from = MAX (first, 0);
  const int pairs = MIN (end, shape->length / 2) - from;

  if (pairs > 0) {
    memcpy (phases->a + from - first, line + from, pairs * sizeof *line);
    memcpy (phases->b + from - first, line + odl_low_count (shape->n) + from,
            pairs * sizeof *line);
  }
  extend (shape, phases, line, first, end, coefficient_at);
}

const float *
odl_cpu_coefficient_row (const OdlCpuWork *work, int channel, int z, int column)
{
  const int height = work->out->height;
  const bool from_approximation = column < odl_low_count (work->out->width);
  const OdlCpuPicture *low = work->in[from_approximation ? 0 : 1];

  return column
         + ((z & 1) != 0
                ? odl_cpu_row (work->in[1], channel, odl_low_count (height) + (z >> 1))
                : odl_cpu_row (low, channel, z >> 1));
}
