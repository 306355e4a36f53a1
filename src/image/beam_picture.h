// SPDX-License-Identifier: MIT
// OdlBeamPicture: the pixels of a picture that was made of ultrasound beams, a sector of
// a curvilinear array, a parallelogram of a linear one. Plain values. Any thread.
#pragma once

#include "image/beams.h"
#include "image/display/overlay.h"

// What lies so little beside the outermost samples, in columns and rows, counts as on
// them: places of pixels, which are on them by construction, are rounded. As in
// shaders/scan_convert.comp.
#define ODL_BEAM_PICTURE_EDGE 0.01

// Pixels are squares. No field has padding before or behind it.
typedef struct {
  OdlBeams beams; // array NONE: the picture was not made of beams
  int columns, rows; // of beam data, one number for each sample
  int width, height; // of the picture
  double left, top; // of the centre of its first pixel, mm
  double pixel_mm;
} OdlBeamPicture;

// The one of `width` ≥ 2 columns that holds all samples; height 0: as many rows as the
// beams fill, at most ODL_BEAM_PICTURE_MOST. Beams are sound.
#define ODL_BEAM_PICTURE_MOST 4096
OdlBeamPicture
odl_beam_picture_of (const OdlBeams *beams, int columns, int rows, int width, int height);

// Covers all pixels whose middle lies beyond the outermost samples.
OdlOverlay *odl_beam_picture_outside (const OdlBeamPicture *sector);
