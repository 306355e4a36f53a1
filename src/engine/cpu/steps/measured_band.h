// SPDX-License-Identifier: MIT
// A detail band where it lies in the picture of all bands, for what is measured in it.
#pragma once

#include "engine/cpu/steps/work.h"

// Bands are measured in so many parts at most, whose sums are added in their order.
#define ODL_CPU_BAND_PARTS 16

// In parts of rows.
typedef struct {
  const OdlCpuWork *work;
  int left, top, width, height; // in the picture of all bands
  int front; // planes of octants that lie before it
  int planes; // of all channels
  int shift; // a sample of the mask stands for 2^shift along either side
  int parts;
} OdlCpuBand;

// `octant`: as in plan/numbers.h; those of a picture are 1 … 3.
OdlCpuBand odl_cpu_band (const OdlCpuWork *work, int octant);
// The first row of a part, or of the end.
int odl_cpu_band_first (const OdlCpuBand *band, int part);

// One row after the other.
typedef struct {
  const float *details;
  const float *mask; // NULL: all are inside
  float *wide; // the row of a mask whose samples stand for several details; else NULL
  int plane, y; // of that row
} OdlCpuBandRow;

OdlCpuBandRow odl_cpu_band_start (const OdlCpuBand *band);
void odl_cpu_band_go (OdlCpuBandRow *row, const OdlCpuBand *band, int plane, int y);
void odl_cpu_band_end (OdlCpuBandRow *row);

static inline bool
odl_cpu_band_inside (const OdlCpuBandRow *row, int x)
{
  return row->mask == NULL || row->mask[x] > 0.5F;
}

// THRESHOLD of octants with a `side`: rows of one plane of all bands, LLL excepted.
void odl_cpu_neighbour_rows (const OdlCpuWork *work, int plane, int from, int to);
