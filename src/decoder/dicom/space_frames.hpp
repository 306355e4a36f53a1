// SPDX-License-Identifier: MIT
// Where single frames of a file lie, before they are a volume (space.cpp,
// space_listed.cpp).
#pragma once

#include "decoder/dicom/space.hpp"

struct OdlDicomFramePlace {
  uint32_t index; // in the file
  double place[3];
  double along; // the normal, in whole steps of what is one place
  double time; // in its unit; NaN: none
  double taken_s; // since some day; NaN: unknown
};

// Places that differ by less are the same (mm).
#define ODL_DICOM_SAME_PLACE 1e-3

// The first `n` numbers of an element; false unless all are there, and places could be
// made of them.
bool
odl_dicom_read_places (DcmItem *item, const DcmTagKey &tag, unsigned n, double *values);

// Frames of a file whose header lists their places in vectors, one number for each:
// doses, reconstructions of nuclear medicine, secondary captures. False: it does not.
// Sets what is known of their space, and the unit of their times in seconds (0: an order
// alone).
bool odl_dicom_listed_read (OdlDicomSpace *space,
                            DcmItem *dataset,
                            std::vector<OdlDicomFramePlace> &frames,
                            double *unit_s);
