// SPDX-License-Identifier: MIT
// The picture in cells, and the gradient vector flow of its edges.
#include <math.h>

#include "base/clones.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "image/contour/internal.h"

// Of cells, beside the field itself.
#define PICTURES 5

static int
cells_of (int samples, int factor)
{
  return (samples + factor - 1) / factor;
}

// Adds a row of samples to sums of columns.
ODL_ROW_LOOP static void
add_row (const float *edges,
         const uint8_t *inside,
         int width,
         float *restrict sums,
         uint16_t *restrict count,
         uint16_t *restrict outside)
{
  for (int x = 0; x < width; x++)
    sums[x] += edges[x] > 0 && edges[x] < INFINITY ? edges[x] : 0;
  for (int x = 0; x < width; x++) {
    count[x] += inside[x] == ODL_SNAKES_INSIDE;
    outside[x] += inside[x] == ODL_SNAKES_OUTSIDE;
  }
}

// One row of cells: means of edges, and of what kind most samples are.
static void
fill_cells (OdlSnakeField *field, const OdlSnakes *snakes, int row, float *edge)
{
  const int f = field->factor, width = snakes->width;
  const int end = MIN ((row + 1) * f, snakes->height);
  g_autofree float *edges = g_new (float, width);
  g_autofree uint8_t *inside = g_new (uint8_t, width);
  g_autofree float *sums = g_new0 (float, width);
  g_autofree uint16_t *count = g_new0 (uint16_t, 2 * (size_t) width);
  uint16_t *outside = count + width;

  for (int y = row * f; y < end; y++) {
    snakes->row (snakes->data, y, edges, inside);
    add_row (edges, inside, width, sums, count, outside);
  }
  for (int i = 0; i < field->width; i++) {
    const size_t at = (size_t) row * field->width + i;
    const int last = MIN ((i + 1) * f, width), n = (last - i * f) * (end - row * f);
    float sum = 0;
    int in = 0, out = 0;
    for (int x = i * f; x < last; x++)
      sum += sums[x], in += count[x], out += outside[x];
    edge[at] = sum / (float) n;
    field->inside[at] = 2 * in >= n    ? ODL_SNAKES_INSIDE
                        : 2 * out >= n ? ODL_SNAKES_OUTSIDE
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

// What a step needs: u ← (u + μ ∇²u) keep + add, v likewise.
typedef struct {
  int width, height;
  float mu;
  const float *keep; // 1 / (1 + |∇e|²)
  const float *add[2]; // |∇e|² ∂e / (1 + |∇e|²), along x and y
} Flow;

// One row of one component; `f` has a row above and one below, and one more sample on
// either side is that at the border.
ODL_ROW_LOOP static void
flow_row (const Flow *flow, int component, int y, const float *f, float *restrict out)
{
  const int width = flow->width, last = width - 1;
  const size_t first = (size_t) y * width;
  const float mu = flow->mu;
  const float *keep = flow->keep + first, *add = flow->add[component] + first;
  const float *mid = f + first;
  const float *up = f + (size_t) MAX (y - 1, 0) * width;
  const float *down = f + (size_t) MIN (y + 1, flow->height - 1) * width;

  out += first;
#define FLOWED(x, left, right) \
  ((mid[x] + mu * ((mid[left] + mid[right]) + (up[x] + down[x]) - 4 * mid[x])) * keep[x] \
   + add[x])
  out[0] = FLOWED (0, 0, MIN (1, last));
  for (int x = 1; x < last; x++)
    out[x] = FLOWED (x, x - 1, x + 1);
  if (last > 0)
    out[last] = FLOWED (last, last - 1, last);
#undef FLOWED
}

// `spare` takes every other step. An even number of steps ends in `f`.
static void
run_flow (const Flow *flow, float *const f[2], float *const spare[2])
{
  G_STATIC_ASSERT (ODL_SNAKES_FLOW % 2 == 0);
  for (int step = 0; step < ODL_SNAKES_FLOW; step++) {
    float *const *from = step % 2 == 0 ? f : spare;
    float *const *to = step % 2 == 0 ? spare : f;
    ODL_PARALLEL_FOR
    for (int y = 0; y < flow->height; y++)
      for (int c = 0; c < 2; c++)
        flow_row (flow, c, y, from[c], to[c]);
  }
}

static void
normalise (OdlSnakeField *field)
{
  const size_t n = (size_t) field->width * field->height;

  ODL_PARALLEL_FOR
  for (size_t i = 0; i < n; i++) {
    const float size = sqrtf (field->u[i] * field->u[i] + field->v[i] * field->v[i]);
    const float scale = 1 / (size + (float) ODL_SNAKES_FAINT);
    field->u[i] *= scale;
    field->v[i] *= scale;
  }
}

// The gradient of a row of edges, from which the flow starts, and what each step takes
// of it.
static void
start_row (const OdlSnakeField *field, const float *edge, int y, float *const parts[3])
{
  const size_t first = (size_t) y * field->width;
  float *u = field->u + first, *v = field->v + first;

  gradient_row (field, edge, y, u, v);
  for (int x = 0; x < field->width; x++) {
    const float weight = u[x] * u[x] + v[x] * v[x];
    parts[0][first + x] = 1 / (1 + weight);
    parts[1][first + x] = weight * u[x] / (1 + weight);
    parts[2][first + x] = weight * v[x] / (1 + weight);
  }
}

// `more` holds PICTURES pictures of cells.
static void
fill (OdlSnakeField *field, const OdlSnakes *snakes, float *more)
{
  const size_t n = (size_t) field->width * field->height;
  float *edge = more, *const parts[3] = { more + n, more + 2 * n, more + 3 * n };
  float most = 0;

  ODL_PARALLEL_FOR
  for (int row = 0; row < field->height; row++)
    fill_cells (field, snakes, row, edge);
  for (size_t i = 0; i < n; i++)
    most = edge[i] > most ? edge[i] : most;
  ODL_PARALLEL_FOR
  for (size_t i = 0; i < n; i++)
    edge[i] /= most > 0 ? most : 1;
  ODL_PARALLEL_FOR
  for (int y = 0; y < field->height; y++)
    start_row (field, edge, y, parts);

  const Flow flow = { field->width,
                      field->height,
                      (float) snakes->diffusion,
                      parts[0],
                      { parts[1], parts[2] } };
  run_flow (&flow, (float *[]){ field->u, field->v }, (float *[]){ edge, more + 4 * n });
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
  field->inside = odl_aligned_alloc_unset (n, false);
  field->u = odl_aligned_alloc_unset (n * sizeof (float), false);
  field->v = odl_aligned_alloc_unset (n * sizeof (float), false);
  float *more = odl_aligned_alloc_unset (PICTURES * n * sizeof (float), false);
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
