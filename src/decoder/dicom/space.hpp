// SPDX-License-Identifier: MIT
// Whether the frames of one file are the slices of a volume, or of volumes over time: by
// the positions that each of them has (PS3.3 C.7.6.16), or by vectors of the header: the
// offsets of a grid of doses (C.8.8.3), the slices of nuclear medicine (C.8.4.15).
#pragma once

#include <vector>

#include "decoder/dicom/item.hpp"
#include "image/volume/stack.h"

struct OdlDicomSpace {
  std::vector<uint32_t> order; // the file's frame for each one shown; empty: as they are
  uint32_t slices = 0; // of each volume; 0: frames are no slices
  uint32_t volumes = 1;
  uint32_t frames = 0; // that have a place
  OdlStack stack = {};
  double place[3] = {}; // first pixel of the first slice, mm
  double direction[6] = {};
  bool in_patient = false; // place and direction are the patient's (LPS), not a
                           // transducer's
  bool in_time = false; // several frames of a place have times
  double interval_s = 0; // from volume to volume; 0: unknown
  bool uneven_times = false; // they do not follow at that interval
  bool placeless = false; // an enhanced picture whose frames have none
  bool unlike = false; // they are not all turned alike, or not of one pixel size
  bool unequal_count = false; // there are more at some places than at others
  bool unordered = false; // listed places go to and fro
  bool tiles = false; // of one picture, beside each other
  const char *not_understood
      = NULL; // attribute of slices that does not say where they lie
  uint32_t part = 0, parts = 0; // of a concatenation; 0: it is none, or does not say
};

// Of a data set that was just parsed; puts the items of its frames in the order of the
// volumes. Frames without places, or of a file that has one frame, are left as they are.
void odl_dicom_space_find (OdlDicomSpace *space, DcmItem *dataset);

// The file's frame for frame `frame` shown.
uint32_t odl_dicom_space_frame (const OdlDicomSpace *space, uint32_t frame);

// Says so in the answer for a picture whose number of frames is set.
void odl_dicom_space_apply (const OdlDicomSpace *space, OdlPicture *picture);
