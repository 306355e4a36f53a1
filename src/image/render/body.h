// SPDX-License-Identifier: MIT
// A volume made ready to be looked at from outside: 16 bits for each voxel, between the
// least and the largest value that there is. Immutable, any thread.
#pragma once

#include "image/image.h"

// Voxels along each axis of a brick.
#define ODL_BRICK_SIDE 8

// The least and the largest value of a brick and of the voxels around it, that is, of all
// that interpolation takes in at places within it.
typedef struct {
  uint16_t low, high;
} OdlBrick;

typedef struct {
  gatomicrefcount ref_count;
  int size[3]; // voxels along x, y, z
  double side[3]; // lengths along them, the shortest voxel's shortest side being 1
  int stored[3]; // which of them leads to the left, back and head
  int leads[3]; // 1: that way along each of them; −1: the other way
  double low, high; // scaled values of 0 and 65535; low < high
  uint16_t *values; // x fastest, then y
  int n_bricks[3]; // along x, y, z
  OdlBrick *bricks; // x fastest, then y; the last ones may be smaller
} OdlBody;

// Colours are taken as their mean. ODL_ERROR_TOO_LARGE.
OdlBody *odl_body_new (const OdlImage *volume, GError **error) G_GNUC_WARN_UNUSED_RESULT;
OdlBody *odl_body_ref (OdlBody *body);
void odl_body_unref (OdlBody *body);

// The value at voxel coordinates (the centre of the first one is 0), interpolated
// linearly between the eight voxels around; beyond the outermost ones theirs. 0 … 1.
float odl_body_at (const OdlBody *body, const float at[3]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBody, odl_body_unref)
