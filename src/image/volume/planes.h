// SPDX-License-Identifier: MIT
// The three orthogonal planes of a volume in one picture, with a cross-hair at their
// intersection. Adjacent planes share an axis, so the lines of the cross-hair
// continue:
//
//   axial   (left →, back ↓) |
//   -------------------------+--------------------------
//   coronal (left →, head ↑) | sagittal (back →, head ↑)
//
// These are the patient's axes, and the axes of the volume that lie nearest to them
// (OdlImageInfo.patient_axes), so that the patient's right is at the left, however slices
// are stored. Where they are not known, x counts as left, y as back and z as head. Pixels
// are square with the volume's smallest spacing as side; along axes with larger voxels,
// values are interpolated linearly. Any thread.
#pragma once

#include "image/image.h"

// Thick slices: the mean, the largest or the smallest of the voxels that lie one behind
// the other in a slab about a plane. Any thread.

typedef enum {
  ODL_SLAB_SLICE, // one voxel thick
  ODL_SLAB_MEAN,
  ODL_SLAB_MAXIMUM,
  ODL_SLAB_MINIMUM,
  ODL_N_SLABS,
} OdlSlabKind;

// In recipes of views and actions: "slice", "mean", "maximum", "minimum".
extern const char *const odl_slab_names[ODL_N_SLABS + 1];

typedef struct {
  OdlSlabKind kind;
  double thickness; // in units of the volume's smallest spacing, at least 1
} OdlSlab;

// Voxels along one axis.
typedef struct {
  int first, count;
} OdlSlabRange;

// The voxels of a slab about voxel `at` of an axis of `extent` voxels that are `size`
// units thick: at least one. A slab that reaches over an end is moved inwards, so that it
// keeps its thickness.
OdlSlabRange odl_slab_range (const OdlSlab *slab, double size, int extent, int at);

// A plane of a volume: its axes (0 x, 1 y, 2 z), of which `across` is not 2 and `down`
// is not 0, and where it lies.
typedef struct {
  int channel;
  int across, down, through;
  OdlSlabKind kind;
  OdlSlabRange range; // along `through`
} OdlSlabPlane;

// Scaled values, row by row: values[down · extent(across) + across].
void odl_slab_read (OdlImage *volume, const OdlSlabPlane *plane, float *values);

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
  int across, down, through; // axes of the volume as it is stored: 0 x, 1 y, 2 z
  int x, y, width, height; // position in the picture
} OdlPlanePlace;

typedef struct {
  int width, height; // of the picture
  int extent[3];
  double scale[3]; // pixels per voxel along each axis
  int leads[3]; // 1: to the left, back or head along each axis; −1: the other way
  bool mirrored[3]; // whether voxels are counted leftwards or upwards in the picture
  double spacing_mm; // of pixels; 0: unknown
  OdlPlanePlace planes[ODL_N_PLANES];
} OdlPlanes;

// One of the planes, turned about the cross-hair (image/volume/oblique.h). Zero: none is.
typedef struct {
  bool turned; // also where it lies straight, but shows the handles to turn it by
  OdlPlaneKind plane;
  double across[3], down[3]; // unit vectors along x, y and z as stored, in pixels
} OdlOblique;

// The part of a volume that its rendered view shows (image/grips.h), as fractions of its
// sides, 0 … 1 along x, y and z. Zero: there is none.
typedef struct {
  bool shown;
  double low[3], high[3];
} OdlBox;

// How a volume is looked at. Zero: thin planes, all of them straight.
typedef struct {
  OdlVoxel voxel; // of the cross-hair
  OdlSlab slab; // how thick they are
  OdlOblique oblique;
  OdlBox box; // its outline
} OdlPlanesLook;

// From the cross-hair to the handles on the traces of a turned plane, in pixels of the
// picture.
#define ODL_PLANES_HANDLE_SHARE 0.35 // of the shorter side of a plane

// Layout of the picture. Unknown spacings count as the smallest known one.
OdlPlanes odl_planes_of (const OdlImageInfo *volume);

// The planes with the type and metadata of `volume`; the cross-hair is the overlay, with
// the traces of a turned plane and their handles. ODL_ERROR_TOO_LARGE.
OdlImage *odl_planes_compose (OdlImage *volume, const OdlPlanesLook *look, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// The lines over that picture.
OdlOverlay *odl_planes_overlay (const OdlPlanes *planes, const OdlPlanesLook *look);

// The plane at pixel (x, y), from the picture's top left corner; ODL_N_PLANES: none.
// Sets the two coordinates of `voxel` that this plane shows when it lies straight.
OdlPlaneKind
odl_planes_find (const OdlPlanes *planes, double x, double y, OdlVoxel *voxel);
