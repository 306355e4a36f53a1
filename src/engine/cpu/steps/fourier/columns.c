// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/fourier/columns.h"

void
odl_cpu_fourier_gather (const OdlCpuConvolver *c,
                        const float *from,
                        int count,
                        int slices,
                        float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + i * column + z * vector, from + z * c->slice + i * vector,
              vector * sizeof (float));
}

void
odl_cpu_fourier_scatter (const OdlCpuConvolver *c,
                         const float *from,
                         int count,
                         int slices,
                         float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + z * c->slice + i * vector, from + i * column + z * vector,
              vector * sizeof (float));
}

void
odl_cpu_fourier_along_z (const OdlCpuConvolver *c,
                         const OdlCpuScratch *s,
                         float *points,
                         int count)
{
  const OdlCpuFourier *fourier = &c->axis[2].fourier;
  const size_t vector = 2 * (size_t) c->lines;

  odl_cpu_fourier_gather (c, points, count, fourier->points, s->columns);
  for (int i = 0; i < count; i++)
    c->variant->fourier (fourier, s->columns + i * fourier->points * vector,
                         (ptrdiff_t) vector, false);
  odl_cpu_fourier_scatter (c, s->columns, count, fourier->points, points);
}

// `columns`, and those at `to` as well.
static void
add_columns (const OdlCpuConvolver *c,
             const float *to,
             int count,
             float *scratch,
             float *columns)
{
  const int n = c->axis[2].fourier.points;
  const size_t floats = (size_t) count * (size_t) n * 2 * (size_t) c->lines;

  odl_cpu_fourier_gather (c, to, count, n, scratch);
  for (size_t i = 0; i < floats; i++)
    columns[i] += scratch[i];
}

void
odl_cpu_fourier_kernel_along_z (const OdlCpuConvolver *c,
                                const float *kernel,
                                int count,
                                float *to)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points;
  const size_t column = (size_t) n * vector, bytes = vector * sizeof (float);

  memset (to, 0, count * column * sizeof *to);
  for (int k = 0; k < c->work->step->kernel_depth; k++) {
    const int z = (k - axis->radius + n) % n;
    for (int i = 0; i < count; i++)
      memcpy (to + i * column + z * vector, kernel + k * c->slice + i * vector, bytes);
  }
  for (int i = 0; i < count; i++)
    c->variant->fourier (&axis->fourier, to + i * column, (ptrdiff_t) vector, false);
}

void
odl_cpu_fourier_filter_along_z (const OdlCpuConvolver *c,
                                const OdlCpuScratch *s,
                                const float *from,
                                OdlCpuProducts sum,
                                const float *kernel,
                                const float *whole,
                                int count,
                                float *to)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points;
  const size_t column = (size_t) n * vector;
  float *own = s->columns, *its = s->columns + ODL_CPU_GATHERED * column;

  odl_cpu_fourier_gather (c, from, count, n, own);
  if (whole != NULL)
    odl_cpu_fourier_gather (c, whole, count, n, its);
  else
    odl_cpu_fourier_kernel_along_z (c, kernel, count, its);
  for (int i = 0; i < count; i++) {
    float *a = own + i * column;
    if (!sum.is_forward)
      c->variant->fourier (&axis->fourier, a, (ptrdiff_t) vector, false);
    c->variant->multiply (a, its + i * column, (ptrdiff_t) vector, n);
  }
  if (sum.adds)
    add_columns (c, to, count, its, own);
  for (int i = 0; i < count && !sum.goes_on; i++)
    c->variant->fourier (&axis->fourier, own + i * column, (ptrdiff_t) vector, true);
  odl_cpu_fourier_scatter (c, own, count, sum.goes_on ? n : axis->n, to);
}
