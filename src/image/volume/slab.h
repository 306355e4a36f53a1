// SPDX-License-Identifier: MIT
// Thick slices: the mean, the largest or the smallest of the voxels that lie one behind
// the other in a slab about a plane. Any thread.
#pragma once

#include "image/image.h"

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
