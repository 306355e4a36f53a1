// SPDX-License-Identifier: MIT
// Which pieces of encapsulated pixels make which frame (PS3.5 A.4). An offset table that
// proves right in its last entry is believed; else the pieces themselves tell, the first
// few at once and the others when a frame beyond is wanted: so a long cine opens without
// a walk through the file.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  GArray *starts; // size_t: where the first item of each frame begins; then the end
  uint32_t n; // frames that are there, at most those declared; while `next` is set, that
              // may be there
  bool has_more; // than those declared, as far as is known
  bool last_is_cut; // the last one is not whole
  bool by_table; // the pieces have not been looked at
  // Where the pieces begin that have not been looked at; 0: there are none. Until then
  // `starts` has no end.
  size_t next;
  OdlDicomSpan last; // the last piece before that which is not empty
  bool one_each; // those beyond are taken for a frame each
} OdlDicomFrames;

// Finds the frames that `header` announces; none is no error.
void odl_dicom_frames_find (OdlDicomFrames *frames,
                            const OdlDicomScan *scan,
                            const OdlDicomHeader *header);
void odl_dicom_frames_clear (OdlDicomFrames *frames);

// Looks on until frame `index` is found. False: it is not there, and `n` is true.
bool odl_dicom_frames_reach (OdlDicomFrames *frames,
                             const OdlDicomScan *scan,
                             const OdlDicomHeader *header,
                             uint32_t index);

// The bytes of frame `index`, which has been reached: one piece where it lies, several
// put together in `joined`. Sets `size`, which may be 0. A table that proves wrong here
// is given up if the pieces tell of as many frames.
const uint8_t *odl_dicom_frames_get (OdlDicomFrames *frames,
                                     const OdlDicomScan *scan,
                                     const OdlDicomHeader *header,
                                     uint32_t index,
                                     GByteArray *joined,
                                     size_t *size);

G_END_DECLS
