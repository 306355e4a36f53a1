// SPDX-License-Identifier: MIT
// Registration of one volume to another, as morphon.h says of pictures, by six quadrature
// filters along the vertices of an icosahedron and equations in three unknowns.
#pragma once

#include <stdbool.h>

#include "base/progress.h"

#define ODL_MORPHON3_FILTERS 6

// Volumes are slice by slice, row by row without gaps, in any unit. Borders are mirrored.
// Displacements are voxels along each axis, whatever their spacing.
typedef struct {
  int size[3]; // along x, y, z
  const float *moving, *reference;
  int scales; // at most so many; each is half as large along those axes that are long
              // enough
  int iterations; // at each of them
  double smoothing; // σ of the Gaussian, voxels of each scale
  int side; // of the filters, odd
  const float *even[ODL_MORPHON3_FILTERS]; // side³, true convolution, symmetric
  const float *odd[ODL_MORPHON3_FILTERS]; // likewise, antisymmetric
  double directions[ODL_MORPHON3_FILTERS][3];
  OdlProgress *progress; // NULL: nobody waits
} OdlMorphon3;

// Finds where to look in the moving volume: moving (x + d[0], y + d[1], z + d[2]) is what
// the reference has at (x, y, z). Runs on all cores; the result does not depend on their
// number. False: there is not enough memory, or it was stopped, and all is 0. Any thread.
bool odl_morphon3_find (const OdlMorphon3 *morphon, float *const d[3]);

// Row y of slice z of a volume deformed so, interpolated by cubics (Keys, a = −½); beyond
// its border it goes on as at the border.
void odl_morphon3_warp_row (const float *volume,
                            const int size[3],
                            const float *const d[3],
                            int y,
                            int z,
                            float *row);
