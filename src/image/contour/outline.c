// SPDX-License-Identifier: MIT
// Outlines of a mask, along the borders of its cells.
#include <math.h>

#include "image/contour/internal.h"

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

void
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

GArray *
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
