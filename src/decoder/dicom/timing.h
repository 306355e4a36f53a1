// SPDX-License-Identifier: MIT
// Frame timing of DICOM cines (PS3.3 C.7.6.5, C.7.6.6).
#pragma once

#include "decoder/picture.h"

G_BEGIN_DECLS

typedef struct {
  double rate; // frames per second; 0: unknown
  const char *name; // of the attribute used; NULL
  double *increments_ms; // one per declared frame, the first is 0; NULL: constant
  uint32_t n;
} OdlDicomTiming;

void odl_dicom_timing_clear (OdlDicomTiming *timing);

// Writes the timing into the picture, for the number of frames it reports.
void odl_dicom_timing_apply (const OdlDicomTiming *timing, OdlPicture *picture);

G_END_DECLS

#ifdef __cplusplus
class DcmItem;

// Reads the first valid one of: the attribute named by Frame Increment Pointer, Frame
// Time Vector, Frame Time, Cine Rate, Recommended Display Frame Rate. Warns about
// invalid ones.
void odl_dicom_timing_read (OdlDicomTiming *timing,
                            DcmItem *dataset,
                            uint32_t frames,
                            OdlPicture *picture);
#endif
