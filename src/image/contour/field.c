// SPDX-License-Identifier: MIT
// The picture in cells, and the gradient vector flow of its edges.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "image/contour/internal.h"

static int
cells_of (int samples, int factor)
{
  return (samples + factor - 1) / factor;
}

// One row of cells: sums of edges, and of samples that are inside.
static void
fill_cells (OdlSnakeField *field, const OdlSnakes *snakes, int row, float *edge)
{
  const int f = field->factor, width = snakes->width;
  const int end = MIN ((row + 1) * f, snakes->height);
  g_autofree float *edges = g_new (float, width);
  g_autofree uint8_t *inside = g_new (uint8_t, width);
  g_autofree int *count = g_new0 (int, field->width);
  g_autofree int *outside = g_new0 (int, field->width);
  float *sums = edge + (size_t) row * field->width;

  memset (sums, 0, (size_t) field->width * sizeof *sums);
  for (int y = row * f; y < end; y++) {
    snakes->row (snakes->data, y, edges, inside);
    for (int i = 0; i < field->width; i++)
      for (int x = i * f; x < MIN ((i + 1) * f, width); x++) {
        sums[i] += edges[x] > 0 && edges[x] < INFINITY ? edges[x] : 0;
        count[i] += inside[x] == ODL_SNAKES_INSIDE;
        outside[i] += inside[x] == ODL_SNAKES_OUTSIDE;
      }
  }
  for (int i = 0; i < field->width; i++) {
    const int n = (MIN ((i + 1) * f, width) - i * f) * (end - row * f);
    sums[i] /= (float) n;
    field->inside[(size_t) row * field->width + i] = 2 * count[i] >= n ? ODL_SNAKES_INSIDE
                                                     : 2 * outside[i] >= n
                                                         ? ODL_SNAKES_OUTSIDE
                                                         : 0;
  }
}

// Central differences, mirrored at the borders.
static void
gradient_row (const OdlSnakeField *field, const float *edge, int y, float *ex, float *ey)
{
  const int width = field->width;
  const float *mid = edge + (size_t) y * width;
  const float *up = edge + (size_t) MAX (y - 1, 0) * width;
  const float *down = edge + (size_t) MIN (y + 1, field->height - 1) * width;

  for (int x = 0; x < width; x++) {
    ex[x] = 0.5f * (mid[MIN (x + 1, width - 1)] - mid[MAX (x - 1, 0)]);
    ey[x] = 0.5f * (down[x] - up[x]);
  }
}

typedef struct {
  int width, height;
  float mu;
  const float *gradient, *weight; // ∂e, |∇e|²
} Flow;

static inline float
flowed (const Flow *flow,
        size_t i,
        float self,
        float left,
        float right,
        float up,
        float down)
{
  const float spread = flow->mu * ((left + right) + (up + down) - 4 * self);
  const float b = flow->weight[i];

  return (self + spread + b * flow->gradient[i]) / (1 + b);
}

static void
flow_row (const Flow *flow, int y, const float *from, float *restrict to)
{
  const int width = flow->width, last = width - 1;
  const size_t first = (size_t) y * width;
  const float *mid = from + first;
  const float *up = from + (size_t) MAX (y - 1, 0) * width;
  const float *down = from + (size_t) MIN (y + 1, flow->height - 1) * width;
  float *restrict out = to + first;

  out[0] = flowed (flow, first, mid[0], mid[0], mid[MIN (1, last)], up[0], down[0]);
  for (int x = 1; x < last; x++)
    out[x] = flowed (flow, first + x, mid[x], mid[x - 1], mid[x + 1], up[x], down[x]);
  if (last > 0)
    out[last] = flowed (flow, first + last, mid[last], mid[last - 1], mid[last], up[last],
                        down[last]);
}

// One component; `spare` takes every other step. An even number of steps ends in `f`.
static void
run_flow (const Flow *flow, float *f, float *spare)
{
  G_STATIC_ASSERT (ODL_SNAKES_FLOW % 2 == 0);
  memcpy (f, flow->gradient, (size_t) flow->width * flow->height * sizeof *f);
  for (int step = 0; step < ODL_SNAKES_FLOW; step++) {
    const float *from = step % 2 == 0 ? f : spare;
    float *to = step % 2 == 0 ? spare : f;
    ODL_PARALLEL_FOR
    for (int y = 0; y < flow->height; y++)
      flow_row (flow, y, from, to);
  }
}

static void
normalise (OdlSnakeField *field)
{
  const size_t n = (size_t) field->width * field->height;

  for (size_t i = 0; i < n; i++) {
    const float size = sqrtf (field->u[i] * field->u[i] + field->v[i] * field->v[i]);
    const float scale = 1 / (size + (float) ODL_SNAKES_FAINT);
    field->u[i] *= scale;
    field->v[i] *= scale;
  }
}

// `more` holds four pictures of cells.
static void
fill (OdlSnakeField *field, const OdlSnakes *snakes, float *more)
{
  const size_t n = (size_t) field->width * field->height;
  float *edge = more, *ex = more + n, *ey = more + 2 * n, *weight = more + 3 * n;
  float most = 0;

  ODL_PARALLEL_FOR
  for (int row = 0; row < field->height; row++)
    fill_cells (field, snakes, row, edge);
  for (size_t i = 0; i < n; i++)
    most = MAX (most, edge[i]);
  for (size_t i = 0; i < n; i++)
    edge[i] /= most > 0 ? most : 1;
  ODL_PARALLEL_FOR
  for (int y = 0; y < field->height; y++)
    gradient_row (field, edge, y, ex + (size_t) y * field->width,
                  ey + (size_t) y * field->width);
  for (size_t i = 0; i < n; i++)
    weight[i] = ex[i] * ex[i] + ey[i] * ey[i];

  Flow flow = { field->width, field->height, (float) snakes->diffusion, ex, weight };
  run_flow (&flow, field->u, edge);
  flow.gradient = ey;
  run_flow (&flow, field->v, edge);
  normalise (field);
}

bool
odl_snake_field_init (OdlSnakeField *field, const OdlSnakes *snakes)
{
  const int side = MAX (snakes->width, snakes->height);

  *field = (OdlSnakeField){ .factor = cells_of (side, ODL_SNAKES_SIDE) };
  field->width = cells_of (snakes->width, field->factor);
  field->height = cells_of (snakes->height, field->factor);
  const size_t n = (size_t) field->width * field->height;
  field->inside = odl_aligned_alloc (n);
  field->u = odl_aligned_alloc (n * sizeof (float));
  field->v = odl_aligned_alloc (n * sizeof (float));
  float *more = odl_aligned_alloc (4 * n * sizeof (float));
  const bool ok
      = field->inside != NULL && field->u != NULL && field->v != NULL && more != NULL;
  if (ok)
    fill (field, snakes, more);
  else
    odl_snake_field_clear (field);
  odl_aligned_free (more);
  return ok;
}

void
odl_snake_field_clear (OdlSnakeField *field)
{
  odl_aligned_free (field->inside);
  odl_aligned_free (field->u);
  odl_aligned_free (field->v);
  *field = (OdlSnakeField){ 0 };
}
