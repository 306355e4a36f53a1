// SPDX-License-Identifier: MIT
// What the files of OdlSegments share.
#pragma once

#include "decoder/protocol.h"
#include "source/dicom/segments.h"

// Cosines that differ by less are alike.
#define ODL_SEGMENTS_SAME_DIRECTION 1e-3

struct _OdlSegments {
  gatomicrefcount ref_count;
  char *path;
  OdlDecoderSegments head;
  OdlDecoderSegment *segments; // head.n_segments
  OdlDecoderSegmentFrame *frames; // head.n_frames
  guint *first_point; // of each contour
  double *points; // three for each of head.n_points
  uint8_t *
      *bits; // of each frame of a segmentation, as OdlOverlay; NULL: contours, labels
  uint16_t **labels; // of each frame of a map of labels, row by row; NULL: it is none
};

// In segments_cut.c: 1 for each sample of a plane that lies in the segment, width ×
// height of them, row by row, into zeros. False: none does.
bool odl_segments_cut (const OdlSegments *segments,
                       int segment,
                       const OdlSegmentsPlane *plane,
                       uint8_t *mask);
