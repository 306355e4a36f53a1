// SPDX-License-Identifier: MIT
// What can be taken hold of in the picture of three planes: the traces of a turned plane,
// and the sides of a box. Positions are pixels of the picture. Any thread.
#pragma once

#include "image/volume/planes.h"

typedef struct {
  OdlPlaneKind seen_in;
  double x, y;
  int axis; // which a side of the box is across: 0 x, 1 y, 2 z; −1: a trace
  bool high; // the side at the higher end of the axis
} OdlPlanesGrip;

// Two traces with two grips each; four sides of the box in each plane.
#define ODL_PLANES_MOST_GRIPS 16

// All that there are; returns their number.
int odl_planes_grips (const OdlPlanes *planes,
                      const OdlPlanesLook *look,
                      OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS]);

// A drag of that one: turns the plane by the angle about the cross-hair from the one
// place to the other, or puts the side of the box there.
void odl_planes_drag (const OdlPlanes *planes,
                      const OdlPlanesGrip *grip,
                      const double from[2],
                      const double to[2],
                      OdlPlanesLook *look);

// Moves sides of the box by one `share` of the volume: along one axis of the picture of
// `plane`, in the direction `x`, `y` (−1, 0, 1), the side that lies there, or with
// `opposite` the one that follows.
void odl_planes_push_box (const OdlPlanes *planes,
                          OdlPlaneKind plane,
                          int x,
                          int y,
                          bool opposite,
                          double share,
                          OdlBox *box);

// A box about the whole volume, shown.
OdlBox odl_box_whole (void);

// Whether it leaves anything out.
bool odl_box_cuts (const OdlBox *box);

// The two sides of the box in the picture of a plane, from the corner of that, lower
// first: `side` 0 across, 1 down.
void odl_planes_box_ends (const OdlPlanes *planes,
                          OdlPlaneKind plane,
                          const OdlBox *box,
                          int side,
                          double ends[2]);
