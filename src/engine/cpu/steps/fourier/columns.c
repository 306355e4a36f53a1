// SPDX-License-Identifier: MIT
#include "engine/cpu/steps/fourier/columns.h"

// `count` vectors of so many slices become columns, one after the other.
static void
gather (const OdlCpuConvolver *c, const float *from, int count, int slices, float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + i * column + z * vector, from + z * c->slice + i * vector,
              vector * sizeof *to);
}

// Columns go back among the points.
static void
scatter (const OdlCpuConvolver *c, const float *from, int count, int slices, float *to)
{
  const size_t vector = 2 * (size_t) c->lines;
  const size_t column = (size_t) c->axis[2].fourier.points * vector;

  for (int z = 0; z < slices; z++)
    for (int i = 0; i < count; i++)
      memcpy (to + z * c->slice + i * vector, from + i * column + z * vector,
              vector * sizeof *to);
}

static void
transform (const OdlCpuConvolver *c, float *columns, int count, bool inverse)
{
  const OdlCpuFourier *fourier = &c->axis[2].fourier;
  const size_t vector = 2 * (size_t) c->lines;

  for (int i = 0; i < count; i++)
    c->variant->fourier (fourier, columns + i * fourier->points * vector,
                         (ptrdiff_t) vector, inverse);
}

void
odl_cpu_fourier_along_z (const OdlCpuConvolver *c,
                         const OdlCpuScratch *s,
                         float *points,
                         int count,
                         bool inverse)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];

  gather (c, points, count, axis->fourier.points, s->columns);
  transform (c, s->columns, count, inverse);
  scatter (c, s->columns, count, inverse ? axis->n : axis->fourier.points, points);
}

// The kernel's columns, transformed. Its middle slice is the first one, and those before
// it are the last ones.
static void
transform_kernel (const OdlCpuConvolver *c,
                  const float *kernel,
                  int count,
                  float *columns)
{
  const OdlCpuFourierAxis *axis = &c->axis[2];
  const size_t vector = 2 * (size_t) c->lines;
  const int n = axis->fourier.points, before = axis->radius;

  memset (columns, 0, count * (size_t) n * vector * sizeof *columns);
  gather (c, kernel + (size_t) before * c->slice, count,
          c->work->step->kernel_depth - before, columns);
  gather (c, kernel, count, before, columns + (size_t) (n - before) * vector);
  transform (c, columns, count, false);
}

void
odl_cpu_fourier_kernel_along_z (const OdlCpuConvolver *c,
                                const OdlCpuScratch *s,
                                const float *kernel,
                                int count,
                                float *to)
{
  transform_kernel (c, kernel, count, s->columns);
  scatter (c, s->columns, count, c->axis[2].fourier.points, to);
}

// Adds the columns of the points at `to`.
static void
add_columns (const OdlCpuConvolver *c,
             const float *to,
             int count,
             float *scratch,
             float *columns)
{
  const int n = c->axis[2].fourier.points;
  const size_t floats = (size_t) count * (size_t) n * 2 * (size_t) c->lines;

  gather (c, to, count, n, scratch);
  for (size_t i = 0; i < floats; i++)
    columns[i] += scratch[i];
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

  gather (c, from, count, n, own);
  if (whole != NULL)
    gather (c, whole, count, n, its);
  else
    transform_kernel (c, kernel, count, its);
  if (!sum.is_forward)
    transform (c, own, count, false);
  for (int i = 0; i < count; i++)
    c->variant->multiply (own + i * column, its + i * column, (ptrdiff_t) vector, n);
  if (sum.adds)
    add_columns (c, to, count, its, own);
  if (!sum.goes_on)
    transform (c, own, count, true);
  scatter (c, own, count, sum.goes_on ? n : axis->n, to);
}
