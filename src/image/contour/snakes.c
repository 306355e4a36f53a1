// SPDX-License-Identifier: MIT
// The contours as they move. Points are in cells until they are handed out.
#include "image/contour/snakes.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clones.h"
#include "base/parallel.h"
#include "image/contour/internal.h"

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
