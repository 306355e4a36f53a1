// SPDX-License-Identifier: MIT
// The lines over three planes in pictures to take away: cross-hair, traces of a turned
// plane, box, and handles. The canvas has its own (widgets/viewport/plane_lines.c).
#include <math.h>

#include "image/grips.h"
#include "image/volume/oblique.h"

// Pixels from the centre of the cross-hair to its lines.
#define OPENING 8
// From the middle of a handle to its edges; less in planes that are lower than so many
// times that.
#define HANDLE 3
#define ROOM 12
// Of a dashed line: on, and from one to the next.
#define DASH 4
#define DASHES 7

typedef struct {
  const OdlPlanes *planes;
  const OdlPlanesLook *look;
  size_t stride;
  uint8_t *bits;
} Sheet;

static void
draw (const Sheet *sheet, const OdlPlanePlace *place, int x, int y)
{
  if (x < 0 || y < 0 || x >= place->width || y >= place->height)
    return;
  x += place->x;
  sheet->bits[(place->y + y) * sheet->stride + (size_t) x / 8] |= (uint8_t) (1 << x % 8);
}

// The line in which plane `of` cuts the plane `seen_in`. The centre stays open so that
// the voxel is visible; small planes have a smaller opening.
static void
draw_trace (const Sheet *sheet, OdlPlaneKind of, OdlPlaneKind seen_in)
{
  const OdlPlanePlace *place = &sheet->planes->planes[seen_in];
  const int opening = MIN (OPENING, MIN (place->width, place->height) / 8);
  double at[2], trace[2];

  odl_planes_centre (sheet->planes, seen_in, &sheet->look->voxel, at);
  if (!odl_oblique_trace (sheet->planes, &sheet->look->oblique, of, seen_in, trace))
    return;
  // A pixel for each step along the longer side.
  const double stride = fmax (fabs (trace[0]), fabs (trace[1]));
  const int n = place->width + place->height;
  for (int i = -n; i <= n; i++)
    if (abs (i) / stride > opening)
      draw (sheet, place, (int) floor (at[0] + i * trace[0] / stride),
            (int) floor (at[1] + i * trace[1] / stride));
}

static void
draw_box (const Sheet *sheet, OdlPlaneKind plane)
{
  const OdlPlanePlace *place = &sheet->planes->planes[plane];
  double across[2], down[2];

  odl_planes_box_ends (sheet->planes, plane, &sheet->look->box, 0, across);
  odl_planes_box_ends (sheet->planes, plane, &sheet->look->box, 1, down);
  const int x[2] = { (int) across[0], (int) ceil (across[1]) - 1 };
  const int y[2] = { (int) down[0], (int) ceil (down[1]) - 1 };
  for (int i = 0; i < 2; i++) {
    for (int at = x[0]; at <= x[1]; at++)
      if (at % DASHES < DASH)
        draw (sheet, place, at, y[i]);
    for (int at = y[0]; at <= y[1]; at++)
      if (at % DASHES < DASH)
        draw (sheet, place, x[i], at);
  }
}

static void
draw_grip (const Sheet *sheet, const OdlPlanesGrip *grip)
{
  const OdlPlanePlace *place = &sheet->planes->planes[grip->seen_in];
  const int half = MIN (HANDLE, MIN (place->width, place->height) / ROOM);

  for (int dy = -half; dy <= half; dy++)
    for (int dx = -half; dx <= half; dx++)
      draw (sheet, place, (int) floor (grip->x - place->x) + dx,
            (int) floor (grip->y - place->y) + dy);
}

OdlOverlay *
odl_planes_overlay (const OdlPlanes *planes, const OdlPlanesLook *look)
{
  const size_t stride = odl_overlay_stride ((size_t) planes->width);
  g_autofree uint8_t *bits = g_malloc0 (stride * planes->height);
  const Sheet sheet = { planes, look, stride, bits };
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  const int n = odl_planes_grips (planes, look, grips);

  for (int seen_in = 0; seen_in < ODL_N_PLANES; seen_in++) {
    for (int of = 0; of < ODL_N_PLANES; of++)
      if (of != seen_in)
        draw_trace (&sheet, (OdlPlaneKind) of, (OdlPlaneKind) seen_in);
    if (look->box.shown
        && !(look->oblique.turned && seen_in == (int) look->oblique.plane))
      draw_box (&sheet, (OdlPlaneKind) seen_in);
  }
  for (int i = 0; i < n; i++)
    draw_grip (&sheet, &grips[i]);
  return odl_overlay_new (planes->width, planes->height, bits);
}
