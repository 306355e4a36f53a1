// SPDX-License-Identifier: MIT
// How much a picture differs from the one before it, whatever its noise: where a scene
// ends.
#pragma once

#include "image/image.h"

#define ODL_IMAGE_CELLS 16 // along either side
#define ODL_IMAGE_N_CELLS (ODL_IMAGE_CELLS * ODL_IMAGE_CELLS)

// The means of the cells of slice 0, frame 0, in which the noise of single samples
// vanishes, green standing for colour. Reads 64 rows of the image. Any thread.
void odl_image_cells (const OdlImage *image, float cells[ODL_IMAGE_N_CELLS]);

// The change between the cells of two pictures.
typedef struct {
  double change; // Σ|a − b| / Σ max (a, b), from 0 to 1, whatever the brightness
  double step; // the mean of |a − b|
} OdlChange;

OdlChange odl_image_change (const float a[ODL_IMAGE_N_CELLS],
                            const float b[ODL_IMAGE_N_CELLS]);

// A cut changes more than a quarter, and more than 0.02 of full scale in the mean of all
// cells: in pictures that are nearly black, little is much. Measured on real sequences: a
// beating heart changes by 0.05 to 0.09 a frame, an angiography by 0.01 to 0.09, a probe
// that is moved across a phantom by 0.1.
#define ODL_IMAGE_CUT_CHANGE 0.25
#define ODL_IMAGE_CUT_STEP 0.02
static inline bool
odl_image_change_is_cut (const OdlChange *change)
{
  return change->change > ODL_IMAGE_CUT_CHANGE && change->step > ODL_IMAGE_CUT_STEP;
}
