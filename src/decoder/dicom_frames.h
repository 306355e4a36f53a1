// SPDX-License-Identifier: MIT
// Which pieces of encapsulated pixels make which frame (PS3.5 A.4). An offset table that
// proves right in its last entry is believed, so that a long cine opens without a walk
// through the file; else the pieces themselves tell.
#pragma once

#include "decoder/dicom_header.h"

G_BEGIN_DECLS

typedef struct {
  GArray *starts; // size_t: where the first item of each frame begins; then the end
  uint32_t n; // frames that are there, at most those declared
  bool last_is_cut; // the last one is not whole
  bool by_table; // the pieces have not been looked at
} OdlDicomFrames;

// Finds the frames that `header` announces; none is no error.
void odl_dicom_frames_find (OdlDicomFrames *frames,
                            const OdlDicomScan *scan,
                            const OdlDicomHeader *header);
void odl_dicom_frames_clear (OdlDicomFrames *frames);

// The bytes of frame `index` < n: one piece where it lies, several put together in
// `joined`. Sets `size`, which may be 0. A table that proves wrong here is given up if
// the pieces tell of as many frames.
const uint8_t *odl_dicom_frames_get (OdlDicomFrames *frames,
                                     const OdlDicomScan *scan,
                                     const OdlDicomHeader *header,
                                     uint32_t index,
                                     GByteArray *joined,
                                     size_t *size);

G_END_DECLS
