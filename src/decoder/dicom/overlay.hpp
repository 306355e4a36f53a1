// SPDX-License-Identifier: MIT
// Overlays of a DICOM data set (PS3.3 C.9.2, C.9.3): groups 6000 to 601E.
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "decoder/dicom/pixels/pixels.h"

// Draws all overlays of `frame` into that of the picture, whose samples have been
// allocated; what lies outside of it is cut off. Those that are kept in bits of the
// samples need `samples`, NULL where there are none. Warns of what cannot be drawn.
void odl_dicom_overlays_draw (const OdlDicomHeader *header,
                              DcmItem *dataset,
                              uint32_t frame,
                              const OdlDicomSamples *samples,
                              OdlPicture *picture);
