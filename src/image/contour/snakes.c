// SPDX-License-Identifier: MIT
// The contours as they move. Points are in cells until they are handed out.
#include "image/contour/snakes.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clones.h"
#include "base/memory.h"
#include "base/parallel.h"

// The picture in cells, and the force on each.
typedef struct {
  int width, height; // cells
  int factor; // samples along a side of a cell
  uint8_t *inside;
  float *u, *v; // F, cells
} OdlSnakeField;

// A closed line in cells, clockwise about what is inside.
typedef struct {
  double (*points)[2];
  int n;
  double area; // cells; negative around holes
  int order; // in which it was found, row by row
} OdlOutline;

// The picture in cells, and the gradient vector flow of its edges.

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

static void
odl_snake_field_clear (OdlSnakeField *field)
{
  odl_aligned_free (field->inside);
  odl_aligned_free (field->u);
  odl_aligned_free (field->v);
  *field = (OdlSnakeField){ 0 };
}

// False when memory is short. Free with odl_snake_field_clear.
static bool
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

// Outlines of a mask, along the borders of its cells.

// Of cells, while it is looked for.
#define SHADOW 3

// East, south, west, north.
static const int step_x[4] = { 1, 0, -1, 0 };
static const int step_y[4] = { 0, 1, 0, -1 };

// −1 beyond the picture.
static int
cell_at (const OdlSnakeField *field, int x, int y)
{
  return x >= 0 && y >= 0 && x < field->width && y < field->height
             ? field->inside[(size_t) y * field->width + x]
             : -1;
}

static bool
is_inside (const OdlSnakeField *field, int x, int y)
{
  return cell_at (field, x, y) == ODL_SNAKES_INSIDE;
}

// How many cells inside, or in the shadow, follow each other from (x, y) on.
static int
run_length (const OdlSnakeField *field, int x, int y, int direction)
{
  int n = 0;

  for (int cell; (cell = cell_at (field, x, y)) == ODL_SNAKES_INSIDE || cell == SHADOW;
       n++)
    x += step_x[direction], y += step_y[direction];
  return n;
}

static bool
is_outside (const OdlSnakeField *field, int x, int y)
{
  return field->inside[(size_t) y * field->width + x] == ODL_SNAKES_OUTSIDE;
}

// Whether a step from a cell outside leads into another one.
static bool
leaves_outside (const OdlSnakeField *field, int x, int y, int direction)
{
  const int next = cell_at (field, x + step_x[direction], y + step_y[direction]);

  return next >= 0 && next != ODL_SNAKES_OUTSIDE;
}

static int
shadow_width (const OdlSnakeField *field)
{
  const int most = MAX (field->width, field->height);
  g_autofree int *counts = g_new0 (int, most + 1);
  int n = 0, median = 0;

  for (int y = 0; y < field->height; y++)
    for (int x = 0; x < field->width; x++)
      for (int d = is_outside (field, x, y) ? 0 : 4; d < 4; d++)
        if (leaves_outside (field, x, y, d)) {
          counts[run_length (field, x + step_x[d], y + step_y[d], d)]++;
          n++;
        }
  for (int sum = counts[0]; 2 * sum < n; sum += counts[++median])
    ;
  return (3 * median + 1) / 2;
}

// Takes the shadow of what is outside off what is inside.
static void
odl_snake_take_shadow_off (OdlSnakeField *field)
{
  const size_t n = (size_t) field->width * field->height;
  const int wide = shadow_width (field);

  for (int y = 0; y < field->height && wide > 0; y++)
    for (int x = 0; x < field->width; x++)
      for (int d = is_outside (field, x, y) ? 0 : 4; d < 4; d++) {
        if (!leaves_outside (field, x, y, d))
          continue;
        const int run = run_length (field, x + step_x[d], y + step_y[d], d);
        for (int k = 1; k <= MIN (run, wide); k++)
          field->inside[(size_t) (y + k * step_y[d]) * field->width + x + k * step_x[d]]
              = SHADOW;
      }
  for (size_t i = 0; i < n; i++)
    if (field->inside[i] == SHADOW)
      field->inside[i] = 0;
}

// The cell on the right, or on the left, of whoever leaves corner (x, y) in a direction.
static int
cell_ahead (const OdlSnakeField *field, int x, int y, int direction, bool right)
{
  static const int right_x[4] = { 0, -1, -1, 0 }, right_y[4] = { 0, 0, -1, -1 };
  static const int left_x[4] = { 0, 0, -1, -1 }, left_y[4] = { -1, 0, 0, -1 };

  return right ? cell_at (field, x + right_x[direction], y + right_y[direction])
               : cell_at (field, x + left_x[direction], y + left_y[direction]);
}

// Walks along a line that has the inside on its right, from a corner to the east, and
// marks its steps to the east. Cells that only touch at a corner are apart.
static OdlOutline
follow (const OdlSnakeField *field, int x0, int y0, uint8_t *seen)
{
  GArray *points = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  int x = x0, y = y0, direction = 0;
  double twice = 0;

  do {
    if (direction == 0)
      seen[(size_t) y * field->width + x] = 1;
    const int next_x = x + step_x[direction], next_y = y + step_y[direction];
    twice += (double) x * next_y - (double) next_x * y;
    x = next_x;
    y = next_y;
    const int before = direction;
    if (cell_ahead (field, x, y, direction, true) != ODL_SNAKES_INSIDE)
      direction = (direction + 1) % 4;
    else if (cell_ahead (field, x, y, direction, false) == ODL_SNAKES_INSIDE)
      direction = (direction + 3) % 4;
    const double point[2] = { x, y };
    if (direction != before)
      g_array_append_val (points, point);
  } while (x != x0 || y != y0 || direction != 0);
  const int n = (int) points->len;
  return (OdlOutline){ .points = (double (*)[2]) (void *) g_array_free (points, FALSE),
                       .n = n,
                       .area = twice / 2 };
}

static int
compare_outlines (const void *a, const void *b)
{
  const OdlOutline *s = a, *t = b;
  const double difference = fabs (t->area) - fabs (s->area);

  return difference != 0 ? (difference > 0 ? 1 : -1) : s->order - t->order;
}

static void
clear_outline (void *data)
{
  g_free (((OdlOutline *) data)->points);
}

// All outlines of at least `least` cells, the largest first, of equal ones that which was
// found first; at most ODL_CONTOUR_MOST. Their points are the
// corners of cells where the line turns. Transfer full; an array of OdlOutline that frees
// its points.
static GArray *
odl_snake_outlines (const OdlSnakeField *field, double least)
{
  GArray *outlines = g_array_new (FALSE, FALSE, sizeof (OdlOutline));
  g_autofree uint8_t *seen = g_new0 (uint8_t, (size_t) field->width * field->height);

  g_array_set_clear_func (outlines, clear_outline);
  for (int y = 0; y < field->height; y++)
    for (int x = 0; x < field->width; x++) {
      const size_t at = (size_t) y * field->width + x;
      if (field->inside[at] != ODL_SNAKES_INSIDE || seen[at] != 0
          || is_inside (field, x, y - 1))
        continue;
      OdlOutline outline = follow (field, x, y, seen);
      outline.order = (int) outlines->len;
      if (fabs (outline.area) >= least)
        g_array_append_val (outlines, outline);
      else
        g_free (outline.points);
    }
  g_array_sort (outlines, compare_outlines);
  if (outlines->len > ODL_CONTOUR_MOST)
    g_array_set_size (outlines, ODL_CONTOUR_MOST);
  return outlines;
}

// The inverse of 1 − α D² + β D⁴ falls below FAINTEST_TAP within these, for α, β ≤ 2.
#define KERNEL 32
#define FAINTEST_TAP 1e-8
#define KERNEL_PERIOD 256

#define FEWEST_POINTS 8

// Places of a line that are smoothed together.
#define LANES 16

typedef struct {
  double taps[KERNEL + 1];
  int last; // beyond this one none is as large as FAINTEST_TAP
} Kernel;

typedef double Point[2];

typedef struct {
  Point *points;
  Point *spare;
  double *line; // of one coordinate, with what follows a closed line at either end
  int n, room;
  bool gone;
} Snake;

// The inverse of the circulant matrix, from its eigenvalues; on a line that is shorter
// than the kernel the taps go round it more than once, as they should.
static Kernel
make_kernel (double tension, double rigidity)
{
  Kernel kernel = { 0 };

  for (int k = 0; k < KERNEL_PERIOD; k++) {
    const double turn = 2 * G_PI * k / KERNEL_PERIOD, d = 2 - 2 * cos (turn);
    for (int j = 0; j <= KERNEL; j++)
      kernel.taps[j]
          += cos (j * turn) / (1 + tension * d + rigidity * d * d) / KERNEL_PERIOD;
  }
  kernel.last = KERNEL;
  while (kernel.last > 0 && fabs (kernel.taps[kernel.last]) < FAINTEST_TAP)
    kernel.last--;
  return kernel;
}

static double
length_of (Point *points, int n)
{
  double length = 0;

  for (int i = 0; i < n; i++) {
    const double *a = points[i], *b = points[(i + 1) % n];
    length += hypot (b[0] - a[0], b[1] - a[1]);
  }
  return length;
}

static double
area_of (Point *points, int n)
{
  double twice = 0;

  for (int i = 0; i < n; i++) {
    const double *a = points[i], *b = points[(i + 1) % n];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return twice / 2;
}

// `count` points at equal distances along a closed line.
static void
spread (Point *from, int n, Point *to, int count)
{
  const double length = length_of (from, n);
  double before = 0; // length up to point i
  int i = 0;

  for (int k = 0; k < count; k++) {
    const double wanted = length * k / count;
    double part = 0;
    for (;; i++) {
      const double *a = from[i % n], *b = from[(i + 1) % n];
      part = hypot (b[0] - a[0], b[1] - a[1]);
      if (before + part > wanted || i + 1 >= n)
        break;
      before += part;
    }
    const double *a = from[i % n], *b = from[(i + 1) % n];
    const double t = part > 0 ? MIN ((wanted - before) / part, 1) : 0;
    to[k][0] = a[0] + t * (b[0] - a[0]);
    to[k][1] = a[1] + t * (b[1] - a[1]);
  }
}

static void
respread (Snake *snake, double spacing)
{
  const double wanted = length_of (snake->points, snake->n) / spacing;
  const int count = (int) CLAMP (wanted, FEWEST_POINTS, snake->room);
  Point *points = snake->spare;

  spread (snake->points, snake->n, points, count);
  snake->spare = snake->points;
  snake->points = points;
  snake->n = count;
}

// The force at a place, between the four cells about it.
static void
force_at (const OdlSnakeField *field, const double *at, double force[2])
{
  const double x = CLAMP (at[0] - 0.5, 0, field->width - 1);
  const double y = CLAMP (at[1] - 0.5, 0, field->height - 1);
  const int i = MIN ((int) x, MAX (field->width - 2, 0));
  const int j = MIN ((int) y, MAX (field->height - 2, 0));
  const size_t right = field->width > 1, down = field->height > 1 ? field->width : 0;
  const size_t k = (size_t) j * field->width + i;
  const double s = x - i, t = y - j;
  const float *parts[2] = { field->u, field->v };

  for (int c = 0; c < 2; c++) {
    const float *f = parts[c] + k;
    const double up = (1 - s) * (double) f[0] + s * (double) f[right];
    const double low = (1 - s) * (double) f[down] + s * (double) f[down + right];
    force[c] = (1 - t) * up + t * low;
  }
}

// Sums over the taps of LANES places; `line` reaches KERNEL places farther on both sides.
ODL_ROW_LOOP static void
smooth (const Kernel *kernel, const double *line, double sums[LANES])
{
  for (int k = 0; k < LANES; k++)
    sums[k] = kernel->taps[0] * line[k];
  for (int j = 1; j <= kernel->last; j++)
    for (int k = 0; k < LANES; k++)
      sums[k] += kernel->taps[j] * (line[k - j] + line[k + j]);
}

// The points that `pushed` asks for, as the line allows.
static void
relax (Snake *snake,
       const OdlSnakes *snakes,
       Point *pushed,
       const OdlSnakeField *field,
       const Kernel *kernel)
{
  const double most[2] = { field->width, field->height };
  const int n = snake->n;

  for (int c = 0; c < 2; c++) {
    double sums[LANES];
    // The closed line, laid out from KERNEL places before its start.
    for (int k = 0, i = (n - KERNEL % n) % n; k < n + LANES + 2 * KERNEL; k++) {
      snake->line[k] = pushed[i][c];
      i = i + 1 < n ? i + 1 : 0;
    }
    for (int i = 0; i < n; i++) {
      if (i % LANES == 0)
        smooth (kernel, snake->line + KERNEL + i, sums);
      if (!snakes->pinned || (snake->points[i][c] > 0 && snake->points[i][c] < most[c]))
        snake->points[i][c] = CLAMP (sums[i % LANES], 0, most[c]);
    }
  }
}

static void
move (Snake *snake,
      const OdlSnakes *snakes,
      const OdlSnakeField *field,
      const Kernel *kernel)
{
  Point *pushed = snake->spare;

  for (int i = 0; i < snake->n; i++) {
    double force[2];
    force_at (field, snake->points[i], force);
    for (int c = 0; c < 2; c++)
      pushed[i][c] = snake->points[i][c] + ODL_SNAKES_SPEED * force[c];
  }
  relax (snake, snakes, pushed, field, kernel);
}

// The mean distance of edges from a place, along a direction, in samples.
static double
edges_along (const OdlSnakes *snakes,
             const double at[2],
             const double normal[2],
             int reach)
{
  double sum = 0, weights = 0;

  for (int k = -2 * reach; k <= 2 * reach; k++) {
    const double x = at[0] + 0.5 * k * normal[0], y = at[1] + 0.5 * k * normal[1];
    if (!(x >= 0 && y >= 0 && x < snakes->width && y < snakes->height))
      continue;
    const double edge = (double) snakes->edge (snakes->data, (int) x, (int) y);
    if (!(edge > 0 && edge < G_MAXFLOAT))
      continue;
    sum += edge * edge * 0.5 * k;
    weights += edge * edge;
  }
  return weights > 0 ? sum / weights : 0;
}

static void
settle (Snake *snake,
        const OdlSnakes *snakes,
        const OdlSnakeField *field,
        const Kernel *kernel)
{
  const int n = snake->n;
  const double f = field->factor;
  Point *pushed = snake->spare;

  for (int i = 0; i < n; i++) {
    const double *before = snake->points[i > 0 ? i - 1 : n - 1];
    const double *after = snake->points[i + 1 < n ? i + 1 : 0];
    const double dx = after[0] - before[0], dy = after[1] - before[1];
    const double length = hypot (dx, dy);
    const double normal[2]
        = { length > 0 ? -dy / length : 0, length > 0 ? dx / length : 0 };
    const double at[2] = { f * snake->points[i][0], f * snake->points[i][1] };
    const double distance = edges_along (snakes, at, normal, MAX (field->factor, 2)) / f;
    for (int c = 0; c < 2; c++)
      pushed[i][c] = snake->points[i][c] + distance * normal[c];
  }
  relax (snake, snakes, pushed, field, kernel);
}

static void
run_snake (Snake *snake,
           const OdlSnakes *snakes,
           const OdlSnakeField *field,
           const Kernel *kernel,
           double spacing,
           double least)
{
  for (int step = 0; step < ODL_SNAKES_STEPS && !snake->gone; step++) {
    move (snake, snakes, field, kernel);
    if (step % ODL_SNAKES_SPREAD == ODL_SNAKES_SPREAD - 1)
      respread (snake, spacing);
    snake->gone = fabs (area_of (snake->points, snake->n)) < least;
  }
  for (int i = 0; i < ODL_SNAKES_SETTLES && !snake->gone; i++)
    settle (snake, snakes, field, kernel);
}

// ---- by hand -------------------------------------------------------------------------

typedef struct {
  int snake;
  Point from, to; // cells
} Pull;

static double
distance_to (const Point a, const Point b)
{
  return hypot (a[0] - b[0], a[1] - b[1]);
}

static int
nearest_point (const Snake *snake, const Point at)
{
  int nearest = 0;

  for (int i = 1; i < snake->n; i++)
    if (distance_to (snake->points[i], at) < distance_to (snake->points[nearest], at))
      nearest = i;
  return nearest;
}

// Which of the snakes has the nearest point; −1: all are gone.
static int
nearest_snake (const Snake *snakes, int n, const Point at)
{
  int nearest = -1;
  double least = INFINITY;

  for (int i = 0; i < n; i++) {
    if (snakes[i].gone)
      continue;
    const double distance
        = distance_to (snakes[i].points[nearest_point (&snakes[i], at)], at);
    if (distance < least) {
      nearest = i;
      least = distance;
    }
  }
  return nearest;
}

// Puts the points of pulls 0 … last of one snake where they belong.
static void
hold (Snake *snakes, const Pull *pulls, int last)
{
  for (int k = 0; k <= last; k++)
    if (pulls[k].snake == pulls[last].snake) {
      Snake *snake = &snakes[pulls[k].snake];
      memcpy (snake->points[nearest_point (snake, pulls[k].to)], pulls[k].to,
              sizeof pulls[k].to);
    }
}

// Moves a point to where it is pulled, and those to one side of it the less, the longer
// the line is between them; `side` is 1 or −1.
static void
drag (const Snake *snake, int middle, const Point way, int side, Point *moved)
{
  const double reach = fmax (hypot (way[0], way[1]), ODL_SNAKES_DRAGGED);
  double length = 0;
  int i = middle;

  for (int k = 0; k < snake->n / 2 && length < reach; k++) {
    const double share = 1 - length * length / (reach * reach);
    const int next = (i + side + snake->n) % snake->n;
    for (int c = 0; c < 2; c++)
      moved[i][c] = snake->points[i][c] + share * share * way[c];
    length += distance_to (snake->points[i], snake->points[next]);
    i = next;
  }
}

// Pull k, of which `from` is in cells, after those before it.
static void
pull_one (Snake *all,
          Pull *pulls,
          int k,
          const OdlSnakes *snakes,
          const OdlSnakeField *field,
          const Kernel *kernel,
          double spacing)
{
  Snake *snake = &all[pulls[k].snake];
  const int middle = nearest_point (snake, pulls[k].from);
  const Point way = { pulls[k].to[0] - snake->points[middle][0],
                      pulls[k].to[1] - snake->points[middle][1] };
  Point *moved = snake->spare;

  memcpy (moved, snake->points, (size_t) snake->n * sizeof *moved);
  drag (snake, middle, way, 1, moved);
  drag (snake, middle, way, -1, moved);
  snake->spare = snake->points;
  snake->points = moved;
  respread (snake, spacing);
  hold (all, pulls, k);
  for (int i = 0; i < ODL_SNAKES_SETTLES; i++) {
    settle (snake, snakes, field, kernel);
    hold (all, pulls, k);
  }
}

static void
pull (Snake *all,
      int n,
      const OdlSnakes *snakes,
      const OdlSnakeField *field,
      const Kernel *kernel,
      double spacing)
{
  g_autofree Pull *pulls = g_new0 (Pull, MAX (snakes->n_pulls, 1));

  for (int k = 0; k < snakes->n_pulls; k++) {
    for (int c = 0; c < 2; c++) {
      const double most = c == 0 ? field->width : field->height;
      pulls[k].from[c] = CLAMP (snakes->pulls[4 * k + c] / field->factor, 0, most);
      pulls[k].to[c] = CLAMP (snakes->pulls[4 * k + 2 + c] / field->factor, 0, most);
    }
    pulls[k].snake = nearest_snake (all, n, pulls[k].from);
    if (pulls[k].snake >= 0)
      pull_one (all, pulls, k, snakes, field, kernel, spacing);
  }
}

// Room for a snake may be twice what it starts with, but all of it for no more than there
// is.
static void
start (Snake *snakes, const GArray *outlines, double spacing)
{
  for (guint i = 0; i < outlines->len; i++) {
    const OdlOutline *outline = &g_array_index (outlines, OdlOutline, i);
    Snake *snake = &snakes[i];
    const double wanted = length_of (outline->points, outline->n) / spacing;
    snake->n = MAX ((int) wanted, FEWEST_POINTS);
    snake->room = snake->n;
    snake->points = g_new (Point, snake->room);
    snake->spare = g_new (Point, snake->room);
    snake->line = g_new (double, snake->room + LANES + 2 * KERNEL);
    spread (outline->points, outline->n, snake->points, snake->n);
  }
}

static double
spacing_for (const GArray *outlines)
{
  double length = 0;

  for (guint i = 0; i < outlines->len; i++) {
    const OdlOutline *outline = &g_array_index (outlines, OdlOutline, i);
    length += length_of (outline->points, outline->n);
  }
  // Each may have FEWEST_POINTS though it is shorter.
  const int most = ODL_CONTOUR_MOST_POINTS - ODL_CONTOUR_MOST * FEWEST_POINTS;
  return MAX (ODL_SNAKES_SPACING, length / most);
}

static void
hand_out (const Snake *snakes,
          int n,
          const OdlSnakeField *field,
          const OdlSnakes *asked,
          float *numbers)
{
  const double f = field->factor;
  int count = 0, points = 0;

  for (int i = 0; i < n; i++) {
    if (snakes[i].gone)
      continue;
    for (int k = 0; k < snakes[i].n; k++, points++) {
      float *to = numbers + ODL_CONTOUR_POINTS + 2 * points;
      to[0] = (float) MIN (f * snakes[i].points[k][0], asked->width);
      to[1] = (float) MIN (f * snakes[i].points[k][1], asked->height);
    }
    numbers[ODL_CONTOUR_ENDS + count++] = (float) points;
  }
  numbers[ODL_CONTOUR_COUNT] = (float) count;
  numbers[ODL_CONTOUR_STARTED] = (float) n;
}

void
odl_snakes_find (const OdlSnakes *snakes, float *numbers)
{
  OdlSnakeField field;

  memset (numbers, 0, (size_t) odl_contour_numbers (snakes->height) * sizeof *numbers);
  if (!odl_snake_field_init (&field, snakes))
    return;
  odl_snake_take_shadow_off (&field);
  const double least
      = MAX (snakes->smallest * field.width * field.height, ODL_SNAKES_FEWEST_CELLS);
  g_autoptr (GArray) outlines = odl_snake_outlines (&field, least);
  const int n = (int) outlines->len;
  g_autofree Snake *all = g_new0 (Snake, MAX (n, 1));
  const Kernel kernel = make_kernel (snakes->tension, snakes->rigidity);
  const double spacing = spacing_for (outlines);

  start (all, outlines, spacing);
  // The longest come first; whoever is done takes the next one.
  atomic_int next = 0;
  ODL_PARALLEL_FOR
  for (int thread = 0; thread < odl_parallel_at_most (n); thread++)
    for (int i; (i = atomic_fetch_add (&next, 1)) < n;)
      run_snake (&all[i], snakes, &field, &kernel, spacing, least / 4);
  pull (all, n, snakes, &field, &kernel, spacing);
  hand_out (all, n, &field, snakes, numbers);
  odl_contour_complete (numbers, snakes->width, snakes->height);
  for (int i = 0; i < n; i++) {
    g_free (all[i].points);
    g_free (all[i].spare);
    g_free (all[i].line);
  }
  odl_snake_field_clear (&field);
}
