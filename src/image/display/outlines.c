// SPDX-License-Identifier: MIT
#include "image/display/outlines.h"

static void
clear_area (void *data)
{
  g_free (((OdlOutlinesArea *) data)->name);
}

static void
clear_picture (void *data)
{
  g_free (((OdlOutlinesPicture *) data)->argb);
}

OdlOutlines *
odl_outlines_new (void)
{
  OdlOutlines *self = g_new0 (OdlOutlines, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->pictures = g_array_new (FALSE, FALSE, sizeof (OdlOutlinesPicture));
  g_array_set_clear_func (self->pictures, clear_picture);
  self->points = g_array_new (FALSE, FALSE, sizeof (OdlPoint));
  self->lines = g_array_new (FALSE, FALSE, sizeof (OdlOutlinesLine));
  self->areas = g_array_new (FALSE, FALSE, sizeof (OdlOutlinesArea));
  g_array_set_clear_func (self->areas, clear_area);
  return self;
}

OdlOutlines *
odl_outlines_ref (OdlOutlines *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
odl_outlines_unref (OdlOutlines *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->pictures);
  g_array_unref (self->points);
  g_array_unref (self->lines);
  g_array_unref (self->areas);
  g_free (self);
}

void
odl_outlines_begin (OdlOutlines *self, const char *name, const double colour[3])
{
  const OdlOutlinesArea area = { .name = g_strdup (name),
                                 .colour = { colour[0], colour[1], colour[2] },
                                 .first = self->lines->len };

  g_array_append_val (self->areas, area);
}

void
odl_outlines_add_line (OdlOutlines *self, const OdlPoint *points, guint n, bool closed)
{
  const OdlOutlinesLine line = { self->points->len, n, closed };

  g_return_if_fail (self->areas->len > 0);
  if (n > ODL_OUTLINES_MOST_POINTS - self->points->len) {
    self->is_cut = true;
    return;
  }
  g_array_append_vals (self->points, points, n);
  g_array_append_val (self->lines, line);
  g_array_index (self->areas, OdlOutlinesArea, self->areas->len - 1).n++;
}

void
odl_outlines_take_picture (OdlOutlines *self,
                           uint32_t *argb,
                           int width,
                           int height,
                           OdlPoint corner)
{
  const OdlOutlinesPicture picture = { corner, width, height, argb };

  g_array_append_val (self->pictures, picture);
}

bool
odl_outlines_is_empty (const OdlOutlines *self)
{
  return self->lines->len == 0 && self->pictures->len == 0;
}

// ---- masks ---------------------------------------------------------------------------

// Edges between a sample inside and one that is not lead clockwise about the inside, from
// corner to corner of samples.
enum { RIGHT, DOWN, LEFT, UP, N_WAYS };

static const int steps[N_WAYS][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };

typedef struct {
  int width; // corners in a row
  uint8_t *ways; // of each corner, 1 << way of the edges that begin there
} Edges;

static bool
is_inside (const uint8_t *mask, int width, int height, int x, int y)
{
  return x >= 0 && y >= 0 && x < width && y < height
         && mask[(size_t) y * (size_t) width + (size_t) x] != 0;
}

static uint8_t *
corner_at (const Edges *edges, int x, int y)
{
  return &edges->ways[(size_t) y * (size_t) edges->width + (size_t) x];
}

static void
mark_edges (const Edges *edges, const uint8_t *mask, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      if (!mask[(size_t) y * (size_t) width + (size_t) x])
        continue;
      if (!is_inside (mask, width, height, x, y - 1))
        *corner_at (edges, x, y) |= 1 << RIGHT;
      if (!is_inside (mask, width, height, x + 1, y))
        *corner_at (edges, x + 1, y) |= 1 << DOWN;
      if (!is_inside (mask, width, height, x, y + 1))
        *corner_at (edges, x + 1, y + 1) |= 1 << LEFT;
      if (!is_inside (mask, width, height, x - 1, y))
        *corner_at (edges, x, y + 1) |= 1 << UP;
    }
}

// Where two edges begin in a corner the one to the right stays with its sample.
static int
next_way (uint8_t ways, int way)
{
  static const int turns[] = { 1, 0, 3 };

  for (size_t i = 0; i < G_N_ELEMENTS (turns); i++)
    if (ways & 1 << (way + turns[i]) % N_WAYS)
      return (way + turns[i]) % N_WAYS;
  return way;
}

// Follows the line that begins at a corner, and takes its edges away.
static void
follow (const Edges *edges, int x, int y, OdlPoint corner, GArray *points)
{
  const int first[] = { x, y };
  int way = -1;

  g_array_set_size (points, 0);
  do {
    uint8_t *at = corner_at (edges, x, y);
    const int before = way;
    way = before < 0 ? __builtin_ctz (*at) : next_way (*at, before);
    if (way != before) {
      const OdlPoint point = { corner.x + x, corner.y + y };
      g_array_append_val (points, point);
    }
    *at &= (uint8_t) ~(1 << way);
    x += steps[way][0];
    y += steps[way][1];
  } while (x != first[0] || y != first[1]);
}

void
odl_outlines_add_mask (OdlOutlines *self,
                       const uint8_t *mask,
                       int width,
                       int height,
                       OdlPoint corner)
{
  const Edges edges
      = { width + 1, g_malloc0 ((size_t) (width + 1) * (size_t) (height + 1)) };
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (OdlPoint));

  mark_edges (&edges, mask, width, height);
  for (int y = 0; y <= height; y++)
    for (int x = 0; x <= width; x++)
      while (*corner_at (&edges, x, y) != 0) {
        follow (&edges, x, y, corner, points);
        odl_outlines_add_line (self, (const OdlPoint *) (void *) points->data,
                               points->len, true);
      }
  g_free (edges.ways);
}
