// SPDX-License-Identifier: MIT
// The three orthogonal planes of a volume in one picture, with a cross-hair at their
// intersection. Adjacent planes share an axis, so the lines of the cross-hair
// continue:
//
//   axial   (x →, y ↓) |
//   --------------------+--------------------
//   coronal (x →, z ↑) | sagittal (y →, z ↑)
//
// The names assume slices across the body's long axis, the lowest first. Pixels are
// square with the volume's smallest spacing as side; along axes with larger voxels,
// values are interpolated linearly. Any thread.
#pragma once

#include "image/slab.h"

G_BEGIN_DECLS

// Upper limit of a voxel's longest side over its shortest.
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
  int across, down, through; // axes of the volume: 0 x, 1 y, 2 z
  int x, y, width, height; // position in the picture
} OdlPlanePlace;

typedef struct {
  int width, height; // of the picture
  int extent[3];
  double scale[3]; // pixels per voxel along each axis
  double spacing_mm; // of pixels; 0: unknown
  OdlPlanePlace planes[ODL_N_PLANES];
} OdlPlanes;

// Layout of the picture. Unknown spacings count as the smallest known one.
OdlPlanes odl_planes_of (const OdlImageInfo *volume);

// The planes through `voxel`, each as thick as `slab` says (NULL: one voxel), with the
// type and metadata of `volume`; the cross-hair is the overlay. ODL_ERROR_TOO_LARGE.
OdlImage *odl_planes_compose (OdlImage *volume,
                              const OdlVoxel *voxel,
                              const OdlSlab *slab,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The plane at pixel (x, y), from the picture's top left corner; ODL_N_PLANES: none.
// Sets the two coordinates of `voxel` that this plane shows.
OdlPlaneKind
odl_planes_find (const OdlPlanes *planes, double x, double y, OdlVoxel *voxel);

G_END_DECLS
