// SPDX-License-Identifier: MIT
// When the frames of a DICOM cine are shown (PS3.3 C.7.6.5, C.7.6.6).
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

typedef struct {
  double rate; // frames per second; 0: not said
  const char *name; // of the attribute that said it; NULL
  double *increments_ms; // one for each declared frame, the first one 0; NULL: constant
  uint32_t n;
} OdlDicomTiming;

void odl_dicom_timing_clear (OdlDicomTiming *timing);

// Says so in the picture, for the frames that it says it has.
void odl_dicom_timing_apply (const OdlDicomTiming *timing, OdlPicture *picture);

G_END_DECLS

#ifdef __cplusplus
class DcmItem;

// Reads the first of what Frame Increment Pointer names, Frame Time Vector, Frame Time,
// Cine Rate and Recommended Display Frame Rate that makes sense; warns of what does not.
void odl_dicom_timing_read (OdlDicomTiming *timing,
                            DcmItem *dataset,
                            uint32_t frames,
                            OdlPicture *picture);
#endif
