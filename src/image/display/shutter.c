// SPDX-License-Identifier: MIT
#include "image/display/shutter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/display/overlay.h"

static bool
are_places (const double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!(fabs (numbers[i]) <= ODL_SHUTTER_MOST_PLACE))
      return false;
  return true;
}

bool
odl_shutter_set_rectangle (OdlShutter *shutter, const double edges[4])
{
  shutter->has_rectangle = true;
  shutter->left = edges[0];
  shutter->right = edges[1];
  shutter->upper = edges[2];
  shutter->lower = edges[3];
  return are_places (edges, 4) && edges[0] <= edges[1] && edges[2] <= edges[3];
}

bool
odl_shutter_set_circle (OdlShutter *shutter, const double row_column_radius[3])
{
  shutter->has_circle = true;
  shutter->centre = (OdlPoint){ row_column_radius[1], row_column_radius[0] };
  shutter->radius = row_column_radius[2];
  return are_places (row_column_radius, 3) && shutter->radius > 0;
}

bool
odl_shutter_set_polygon (OdlShutter *shutter, const double *rows_columns, gsize n)
{
  if (n % 2 != 0 || n < 6 || n / 2 > ODL_SHUTTER_MOST_VERTICES
      || !are_places (rows_columns, n))
    return false;
  shutter->n_vertices = (guint) n / 2;
  for (gsize i = 0; i < n / 2; i++)
    shutter->vertices[i] = (OdlPoint){ rows_columns[2 * i + 1], rows_columns[2 * i] };
  return true;
}

// Marks columns of a row as shown, both ends included.
static void
show (double first, double last, int width, uint8_t *shown)
{
  const double end = MIN (floor (last), width);

  for (double column = MAX (ceil (first), 1); column <= end; column++)
    shown[(gsize) column - 1] = 1;
}

static void
show_rectangle (const OdlShutter *shutter, double row, int width, uint8_t *shown)
{
  if (row >= shutter->upper && row <= shutter->lower)
    show (shutter->left, shutter->right, width, shown);
}

static void
show_circle (const OdlShutter *shutter, double row, int width, uint8_t *shown)
{
  const double away = (row - shutter->centre.y) * shutter->aspect;
  const double square = shutter->radius * shutter->radius - away * away;
  const double reach = sqrt (MAX (square, 0));

  if (square >= 0)
    show (shutter->centre.x - reach, shutter->centre.x + reach, width, shown);
}

static int
compare (const void *a, const void *b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

// By the even-odd rule; edges and corners belong to it.
static void
show_polygon (const OdlShutter *shutter, double row, int width, uint8_t *shown)
{
  double crossings[ODL_SHUTTER_MOST_VERTICES];
  gsize n = 0;

  crossings[0] = 0;
  for (guint i = 0; i < shutter->n_vertices; i++) {
    const OdlPoint a = shutter->vertices[i];
    const OdlPoint b = shutter->vertices[(i + 1) % shutter->n_vertices];
    if (a.y == row)
      show (a.x, a.x, width, shown);
    if (a.y == row && b.y == row)
      show (MIN (a.x, b.x), MAX (a.x, b.x), width, shown);
    else if ((a.y <= row) != (b.y <= row))
      crossings[n++] = a.x + (row - a.y) / (b.y - a.y) * (b.x - a.x);
  }
  qsort (crossings, n, sizeof *crossings, compare);
  for (gsize i = 0; i + 1 < n; i += 2)
    show (crossings[i], crossings[i + 1], width, shown);
}

gsize
odl_shutter_cover (const OdlShutter *shutter, int width, int height, uint8_t *bits)
{
  const struct {
    bool there;
    void (*show) (const OdlShutter *shutter, double row, int width, uint8_t *shown);
  } shapes[] = {
    { shutter->has_rectangle, show_rectangle },
    { shutter->has_circle, show_circle },
    { shutter->n_vertices > 0, show_polygon },
  };
  g_autofree uint8_t *shown = g_malloc ((gsize) width);
  gsize covered = 0;

  for (int y = 0; y < height; y++) {
    uint8_t *row = bits + (gsize) y * odl_overlay_stride ((size_t) width);
    for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++) {
      if (!shapes[i].there)
        continue;
      memset (shown, 0, (gsize) width);
      shapes[i].show (shutter, y + 1.0, width, shown);
      for (int x = 0; x < width; x++)
        row[x / 8] |= (uint8_t) (!shown[x] << (x % 8));
    }
    for (int x = 0; x < width; x++)
      covered += row[x / 8] >> (x % 8) & 1;
  }
  return covered;
}
