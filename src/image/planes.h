// SPDX-License-Identifier: MIT
// Three planes of a volume in one picture, with a cross-hair where they meet:
//
//   axial   (x →, y ↓) |
//   --------------------+--------------------
//   coronal (x →, z ↑) | sagittal (y →, z ↑)
//
// so that a line of the cross-hair goes on from one plane to the next. The names are
// those of a volume whose slices lie across the body's long axis, the first one lowest. A
// pixel of the picture is as wide and as high as the smallest spacing of the volume;
// where voxels are longer, values between two of them are interpolated linearly. Any
// thread.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// The longest side of a voxel counts as at most so many of its shortest ones.
#define ODL_PLANES_MOST_STRETCH 16.0

typedef struct {
  int at[3]; // x, y, z, from 0
} OdlVoxel;

typedef enum {
  ODL_PLANE_AXIAL,
  ODL_PLANE_CORONAL,
  ODL_PLANE_SAGITTAL,
  ODL_N_PLANES,
} OdlPlaneKind;

typedef struct {
  int across, down, through; // the volume's axes: 0 x, 1 y, 2 z
  int x, y, width, height; // place in the picture
} OdlPlanePlace;

typedef struct {
  int width, height; // of the picture
  int extent[3];
  double scale[3]; // pixels of a voxel along each axis
  double spacing_mm; // of pixels; 0: unknown
  OdlPlanePlace planes[ODL_N_PLANES];
} OdlPlanes;

// The picture of such a volume. Of its spacings those that are unknown count as the
// smallest one that is known.
OdlPlanes odl_planes_of (const OdlImageInfo *volume);

// The planes through `voxel`, of the type and with the meaning of `volume`; the overlay
// is the cross-hair. ODL_ERROR_TOO_LARGE.
OdlImage *odl_planes_compose (OdlImage *volume, const OdlVoxel *voxel, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Which plane has the pixel at (x, y), in pixels from the picture's upper left corner;
// ODL_N_PLANES: none. What of `voxel` the plane shows becomes what lies there.
OdlPlaneKind
odl_planes_find (const OdlPlanes *planes, double x, double y, OdlVoxel *voxel);

G_END_DECLS
