// SPDX-License-Identifier: MIT
// How many slices and volumes a file holds, and where they lie.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  int slices; // of a volume; 1: pictures
  int volumes;
  bool is_sequence; // each volume is a picture that no file has called a slice
  bool is_placed; // the next three are known
  double position_mm[3]; // centre of the first voxel, LPS
  double orientation[6]; // unit vectors along rows and columns, LPS
  double slice_step_mm[3]; // from slice to slice, LPS
  double interval_s; // from volume to volume; 0: unknown
  const int64_t *times_ns; // of each volume, where intervals differ; the source's; NULL
} OdlVolumeShape;
