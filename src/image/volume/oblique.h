// SPDX-License-Identifier: MIT
// One of the three planes of a volume, turned about the cross-hair. Directions are those
// of pixels of the picture of planes: along x, y and z of the volume as it is stored, of
// length 1, where a pixel is as long as the shortest side of a voxel. Any thread.
#pragma once

#include "image/volume/planes.h"

// The plane as it lies when nobody has turned it.
OdlOblique odl_oblique_straight (const OdlPlanes *planes, OdlPlaneKind plane);

// Turns it about the normal of plane `seen_in`, which may be itself: clockwise in its
// picture.
void odl_oblique_turn (const OdlPlanes *planes,
                       OdlOblique *oblique,
                       OdlPlaneKind seen_in,
                       double radians);

// Turns it about its own picture's upright (to the right) and level (downwards) line.
void odl_oblique_lean (const OdlPlanes *planes,
                       OdlOblique *oblique,
                       double right,
                       double down);

// Its angle with the plane as it was, 0 … π/2.
double odl_oblique_angle (const OdlPlanes *planes, const OdlOblique *oblique);

// The direction of the line in which plane `of` cuts plane `seen_in`, in the picture of
// that: to the right and downwards, of length 1. False: they are parallel.
bool odl_oblique_trace (const OdlPlanes *planes,
                        const OdlOblique *oblique,
                        OdlPlaneKind of,
                        OdlPlaneKind seen_in,
                        double trace[2]);

// The axis (0 x, 1 y, 2 z) that it is most nearly across, and the direction (1 or −1)
// that leads to the same side as the patient's axis did before it was turned.
int odl_oblique_through (const OdlPlanes *planes, const OdlOblique *oblique, int *sign);

// Where its picture leads to the right and downwards, of a volume whose axes lead there.
void odl_oblique_cosines (const OdlOblique *oblique,
                          const double axes[3][3],
                          double cosines[6]);

// The voxel at a pixel of its picture, from the picture's upper left corner; `look` says
// where the cross-hair is. False: there is none.
bool odl_oblique_find (const OdlPlanes *planes,
                       const OdlPlanesLook *look,
                       double x,
                       double y,
                       OdlVoxel *voxel);

// Scaled values of row `row` of its picture, interpolated between eight voxels; what lies
// outside of the volume is 0. Thick planes are sampled every pixel along their normal.
void odl_oblique_read (OdlImage *volume,
                       const OdlPlanes *planes,
                       const OdlPlanesLook *look,
                       int channel,
                       int row,
                       float *values);

// The centre of the cross-hair in the picture of `plane`, from the corner of that.
void odl_planes_centre (const OdlPlanes *planes,
                        OdlPlaneKind plane,
                        const OdlVoxel *voxel,
                        double centre[2]);
