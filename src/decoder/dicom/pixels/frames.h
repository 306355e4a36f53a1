// SPDX-License-Identifier: MIT
// Assigns fragments of encapsulated pixel data to frames (PS3.5 A.4). An offset table
// whose last entry is verified is used as is. Otherwise the fragments are scanned: the
// first few at once, the rest when a later frame is requested, so that long cines open
// quickly.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  GArray *starts; // size_t: offset of each frame's first item, then the end
  uint32_t
      n; // available frames, at most the declared number; an estimate while `next` is set
  bool has_more; // more than declared, as far as known
  bool last_is_cut; // the last frame is truncated
  bool by_table; // from the offset table; fragments have not been scanned
  // Offset of the first fragment not scanned; 0: all scanned. While it is set,
  // `starts` has no end entry.
  size_t next;
  OdlDicomSpan last; // the last non-empty fragment before `next`
  bool one_each; // assumes one fragment per frame beyond `next`
} OdlDicomFrames;

// Locates the frames declared by `header`; finding none is no error.
void odl_dicom_frames_find (OdlDicomFrames *frames,
                            const OdlDicomScan *scan,
                            const OdlDicomHeader *header);
void odl_dicom_frames_clear (OdlDicomFrames *frames);

// Continues scanning up to frame `index`. False: there is no such frame; `n` is now
// exact.
bool odl_dicom_frames_reach (OdlDicomFrames *frames,
                             const OdlDicomScan *scan,
                             const OdlDicomHeader *header,
                             uint32_t index);

// The bytes of frame `index`, which must have been located: a single fragment in
// place, several concatenated in `joined`. Sets `size`, which may be 0. If an offset
// table turns out wrong here, it is dropped, provided that scanning finds the same
// number of frames.
const uint8_t *odl_dicom_frames_get (OdlDicomFrames *frames,
                                     const OdlDicomScan *scan,
                                     const OdlDicomHeader *header,
                                     uint32_t index,
                                     GByteArray *joined,
                                     size_t *size);

// The fragments of a stream that is not divided into frames (OdlDicomSpan), in order.
// `cut`: the file ends within the last one. Transfer full.
GArray *odl_dicom_fragments (const OdlDicomScan *scan, bool *cut);

G_END_DECLS
