// SPDX-License-Identifier: MIT
#include "image/grips.h"

#include <math.h>

#include "image/volume/oblique.h"

// Of the volume that a box keeps at least along each axis.
#define LEAST_BOX 0.02
// Pixels between a handle and the edge of its plane, or the cross-hair.
#define MARGIN 4

OdlBox
odl_box_whole (void)
{
  return (OdlBox){ .shown = true, .high = { 1, 1, 1 } };
}

bool
odl_box_cuts (const OdlBox *box)
{
  for (int axis = 0; box->shown && axis < 3; axis++)
    if (box->low[axis] > 0 || box->high[axis] < 1)
      return true;
  return false;
}

static int
axis_of (const OdlPlanes *planes, OdlPlaneKind plane, int side)
{
  const OdlPlanePlace *place = &planes->planes[plane];

  return side == 0 ? place->across : place->down;
}

void
odl_planes_box_ends (const OdlPlanes *planes,
                     OdlPlaneKind plane,
                     const OdlBox *box,
                     int side,
                     double ends[2])
{
  const int axis = axis_of (planes, plane, side);
  const double length = planes->extent[axis] * planes->scale[axis];

  const bool mirrored = planes->mirrored[axis];

  ends[0] = length * (mirrored ? 1 - box->high[axis] : box->low[axis]);
  ends[1] = length * (mirrored ? 1 - box->low[axis] : box->high[axis]);
}

static void
set_side (OdlBox *box, int axis, bool high, double at)
{
  if (high)
    box->high[axis] = CLAMP (at, box->low[axis] + LEAST_BOX, 1);
  else
    box->low[axis] = CLAMP (at, 0, box->high[axis] - LEAST_BOX);
}

// How far it is from the cross-hair to the edge of the plane, along the trace.
static double
way_out (const OdlPlanePlace *place,
         const double centre[2],
         const double trace[2],
         double sign)
{
  const double size[2] = { place->width, place->height };
  double least = INFINITY;

  for (int i = 0; i < 2; i++) {
    const double step = sign * trace[i];
    if (step != 0)
      least = fmin (least, ((step > 0 ? size[i] : 0) - centre[i]) / step);
  }
  return least;
}

static int
add_traces (const OdlPlanes *planes,
            const OdlPlanesLook *look,
            OdlPlaneKind seen_in,
            OdlPlanesGrip *grips)
{
  const OdlPlanePlace *place = &planes->planes[seen_in];
  const double far = ODL_PLANES_HANDLE_SHARE * MIN (place->width, place->height);
  double centre[2], trace[2];

  if (!odl_oblique_trace (planes, &look->oblique, look->oblique.plane, seen_in, trace))
    return 0;
  odl_planes_centre (planes, seen_in, &look->voxel, centre);
  int n = 0;
  for (int i = 0; i < 2; i++) {
    const double sign = i == 0 ? -1 : 1;
    const double way = fmin (far, way_out (place, centre, trace, sign) - MARGIN);
    if (way > MARGIN)
      grips[n++]
          = (OdlPlanesGrip){ seen_in, place->x + centre[0] + sign * way * trace[0],
                             place->y + centre[1] + sign * way * trace[1], -1, i == 1 };
  }
  return n;
}

static int
add_sides (const OdlPlanes *planes,
           const OdlBox *box,
           OdlPlaneKind seen_in,
           OdlPlanesGrip *grips)
{
  const OdlPlanePlace *place = &planes->planes[seen_in];
  double ends[2][2];

  for (int side = 0; side < 2; side++)
    odl_planes_box_ends (planes, seen_in, box, side, ends[side]);
  for (int i = 0; i < 4; i++) {
    const int side = i / 2, end = i % 2, axis = axis_of (planes, seen_in, side);
    const double at = ends[side][end], middle = (ends[!side][0] + ends[!side][1]) / 2;
    grips[i] = (OdlPlanesGrip){ seen_in, place->x + (side == 0 ? at : middle),
                                place->y + (side == 0 ? middle : at), axis,
                                planes->mirrored[axis] != (end == 1) };
  }
  return 4;
}

int
odl_planes_grips (const OdlPlanes *planes,
                  const OdlPlanesLook *look,
                  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS])
{
  const OdlOblique *oblique = &look->oblique;
  int n = 0;

  for (int plane = 0; plane < ODL_N_PLANES; plane++) {
    const bool turned = oblique->turned && plane == (int) oblique->plane;
    if (oblique->turned && !turned)
      n += add_traces (planes, look, (OdlPlaneKind) plane, grips + n);
    if (look->box.shown && !turned)
      n += add_sides (planes, &look->box, (OdlPlaneKind) plane, grips + n);
  }
  return n;
}

void
odl_planes_drag (const OdlPlanes *planes,
                 const OdlPlanesGrip *grip,
                 const double from[2],
                 const double to[2],
                 OdlPlanesLook *look)
{
  const OdlPlanePlace *place = &planes->planes[grip->seen_in];
  double centre[2];

  if (grip->axis < 0) {
    odl_planes_centre (planes, grip->seen_in, &look->voxel, centre);
    const double x = place->x + centre[0], y = place->y + centre[1];
    odl_oblique_turn (planes, &look->oblique, grip->seen_in,
                      atan2 (to[1] - y, to[0] - x) - atan2 (from[1] - y, from[0] - x));
    return;
  }
  const bool across = grip->axis == place->across;
  const double length = planes->extent[grip->axis] * planes->scale[grip->axis];
  const double at = (across ? to[0] - place->x : to[1] - place->y) / length;
  set_side (&look->box, grip->axis, grip->high,
            planes->mirrored[grip->axis] ? 1 - at : at);
}

void
odl_planes_push_box (const OdlPlanes *planes,
                     OdlPlaneKind plane,
                     int x,
                     int y,
                     bool opposite,
                     double share,
                     OdlBox *box)
{
  const int axis = axis_of (planes, plane, x != 0 ? 0 : 1);
  const int way = (x != 0 ? x : y) * (planes->mirrored[axis] ? -1 : 1); // along the axis
  const bool high = (way > 0) != opposite;

  set_side (box, axis, high, (high ? box->high : box->low)[axis] + way * share);
}
