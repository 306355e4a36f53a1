// SPDX-License-Identifier: MIT
#include "image/display/graphics.h"

#include <math.h>

#define STEPS_OF_CURVE 16 // from one point to the next
#define STEPS_OF_ELLIPSE 128

static void
words_clear (void *data)
{
  g_free (((OdlGraphicsWords *) data)->text);
}

OdlGraphics *
odl_graphics_new (void)
{
  OdlGraphics *graphics = g_new0 (OdlGraphics, 1);

  g_atomic_ref_count_init (&graphics->ref_count);
  graphics->points = g_array_new (FALSE, FALSE, sizeof (OdlPoint));
  graphics->lines = g_array_new (FALSE, FALSE, sizeof (OdlGraphicsLine));
  graphics->words = g_array_new (FALSE, FALSE, sizeof (OdlGraphicsWords));
  g_array_set_clear_func (graphics->words, words_clear);
  return graphics;
}

OdlGraphics *
odl_graphics_ref (OdlGraphics *graphics)
{
  g_atomic_ref_count_inc (&graphics->ref_count);
  return graphics;
}

void
odl_graphics_unref (OdlGraphics *graphics)
{
  if (graphics == NULL || !g_atomic_ref_count_dec (&graphics->ref_count))
    return;
  g_array_unref (graphics->points);
  g_array_unref (graphics->lines);
  g_array_unref (graphics->words);
  odl_overlay_unref (graphics->overlay);
  odl_overlay_unref (graphics->shutter);
  g_free (graphics);
}

static OdlPoint
near (OdlPoint point)
{
  return (OdlPoint){ CLAMP (point.x, -ODL_GRAPHICS_REACH, ODL_GRAPHICS_REACH),
                     CLAMP (point.y, -ODL_GRAPHICS_REACH, ODL_GRAPHICS_REACH) };
}

bool
odl_graphics_add_line (OdlGraphics *graphics,
                       const OdlPoint *points,
                       guint n,
                       bool filled)
{
  const OdlGraphicsLine line = { graphics->points->len, n, filled };

  if (n == 0 || n > ODL_GRAPHICS_MOST_POINTS - graphics->points->len)
    return false;
  for (guint i = 0; i < n; i++) {
    const OdlPoint point = near (points[i]);
    g_array_append_val (graphics->points, point);
  }
  g_array_append_val (graphics->lines, line);
  return true;
}

static double
catmull_rom (double before, double from, double to, double after, double t)
{
  return from
         + t / 2
               * (to - before
                  + t
                        * (2 * before - 5 * from + 4 * to - after
                           + t * (3 * (from - to) + after - before)));
}

bool
odl_graphics_add_curve (OdlGraphics *graphics,
                        const OdlPoint *points,
                        guint n,
                        bool filled)
{
  const bool closed
      = n > 2 && points[0].x == points[n - 1].x && points[0].y == points[n - 1].y;
  g_autoptr (GArray) line = g_array_new (FALSE, FALSE, sizeof (OdlPoint));

  if (n < 3 || n > ODL_GRAPHICS_MOST_POINTS / STEPS_OF_CURVE)
    return odl_graphics_add_line (graphics, points, n, filled);
  g_array_append_val (line, points[0]);
  for (guint i = 0; i + 1 < n; i++) {
    const OdlPoint *before = &points[i > 0 ? i - 1 : closed ? n - 2 : 0];
    const OdlPoint *after = &points[i + 2 < n ? i + 2 : closed ? 1 : n - 1];
    const OdlPoint *a = &points[i], *b = &points[i + 1];
    for (int step = 1; step <= STEPS_OF_CURVE; step++) {
      const double t = (double) step / STEPS_OF_CURVE;
      const OdlPoint point = { catmull_rom (before->x, a->x, b->x, after->x, t),
                               catmull_rom (before->y, a->y, b->y, after->y, t) };
      g_array_append_val (line, point);
    }
  }
  return odl_graphics_add_line (graphics, (const OdlPoint *) (void *) line->data,
                                line->len, filled);
}

bool
odl_graphics_add_ellipse (OdlGraphics *graphics,
                          OdlPoint centre,
                          OdlPoint a,
                          OdlPoint b,
                          bool filled)
{
  OdlPoint line[STEPS_OF_ELLIPSE + 1];

  for (int i = 0; i <= STEPS_OF_ELLIPSE; i++) {
    const double angle = 2 * G_PI * i / STEPS_OF_ELLIPSE;
    line[i] = (OdlPoint){ centre.x + a.x * cos (angle) + b.x * sin (angle),
                          centre.y + a.y * cos (angle) + b.y * sin (angle) };
  }
  return odl_graphics_add_line (graphics, line, G_N_ELEMENTS (line), filled);
}

bool
odl_graphics_add_words (OdlGraphics *graphics, const OdlGraphicsWords *words)
{
  OdlGraphicsWords own = *words;

  if (graphics->words->len >= ODL_GRAPHICS_MOST_WORDS)
    return false;
  own.text = g_strdup (words->text);
  own.anchor = near (words->anchor);
  for (int i = 0; i < 2; i++)
    own.box[i] = near (words->box[i]);
  g_array_append_val (graphics->words, own);
  return true;
}

const OdlOverlay *
odl_graphics_join_overlays (const OdlOverlay *a, const OdlOverlay *b)
{
  if (a == NULL || b == NULL)
    return odl_overlay_ref (a != NULL ? a : b);
  OdlOverlay *sum = odl_overlay_new (a->width, a->height, a->bits);
  for (size_t i = 0; i < a->stride * (size_t) a->height; i++)
    sum->bits[i] |= b->bits[i];
  return sum;
}

bool
odl_graphics_is_empty (const OdlGraphics *graphics)
{
  return graphics->lines->len == 0 && graphics->words->len == 0
         && graphics->overlay == NULL && graphics->shutter == NULL;
}
