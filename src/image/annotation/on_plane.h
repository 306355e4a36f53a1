// SPDX-License-Identifier: MIT
// Where something lies that was measured on a plane of a volume: which plane, where that
// cuts the volume, how thick and how turned it is. Positions are pixels of the plane,
// from its upper left corner (image/volume/planes.h). Any thread.
#pragma once

#include "image/annotation/scale.h"
#include "image/volume/planes.h"

// Zero: on no plane, but on a picture as it came.
typedef struct {
  bool used;
  OdlPlaneKind plane;
  bool as_stored; // x counts as left, y as back and z as head, as in files of before
  // As far as this plane depends on it; the rest is zero. The cross-hair of a straight
  // one is a voxel along the axis of the volume that it is across, in the place of the
  // patient's axis: which that is the volume says (odl_on_plane_look).
  OdlPlanesLook look;
} OdlOnPlane;

// The plane of a volume that is looked at in this way. A turned one lies where the
// cross-hair is.
OdlOnPlane odl_on_plane_make (const OdlPlanes *planes,
                              OdlPlaneKind plane,
                              const OdlPlanesLook *look);

// How a volume is looked at so that the plane is among its planes.
OdlPlanesLook odl_on_plane_look (const OdlOnPlane *on, const OdlImageInfo *volume);

bool odl_on_plane_is_same (const OdlOnPlane *a, const OdlOnPlane *b);

// How large its pixels are: by the spacing of both of its axes, whatever the third one's.
// Unknown where one of them is, on planes across slices of a tilted gantry (`skewed`),
// and on turned planes of voxels that are longer than the picture can stretch them.
OdlScale
odl_on_plane_scale (const OdlImageInfo *volume, const OdlOnPlane *on, bool tilted);

// Makes one that is `as_stored` one by the patient's axes, with `n` points on it, so that
// all keep their voxels.
void
odl_on_plane_settle (OdlOnPlane *on, const OdlImageInfo *volume, OdlPoint *points, int n);

// Its part of a picture that odl_planes_compose has made of `volume`; shares the samples.
OdlImage *
odl_on_plane_cut (OdlImage *picture, const OdlImageInfo *volume, OdlPlaneKind plane);

// The plane of `volume`, which it fits, as a picture. ODL_ERROR_TOO_LARGE.
OdlImage *odl_on_plane_compose (OdlImage *volume, const OdlOnPlane *on, GError **error);

// "coronal:12", with voxels counted from 0 as they are stored; then, if it is thick,
// ":mean:10" (units of the smallest spacing). A turned one has the cross-hair and its two
// directions: "coronal:1/2/3:turned:1/0/0/0/0/-1". Without blanks, in the C locale.
// Transfer full.
char *odl_on_plane_to_text (const OdlOnPlane *on);

// The same from such a text, whatever the volume's size; numbers beyond any volume become
// one that is. False: it is none.
bool odl_on_plane_from_text (const char *text, OdlOnPlane *on);

// Whether a volume of this description has it, and is at least as thick as it.
bool odl_on_plane_fits (const OdlOnPlane *on, const OdlImageInfo *volume);
