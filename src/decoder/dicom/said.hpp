// SPDX-License-Identifier: MIT
// DICOM objects without pixels of their own that say something of the picture at hand:
// what the parent wants to have said (protocol.h), and what all such objects begin with.
#pragma once

#include <vector>

#include "decoder/dicom/derive.hpp"
#include "decoder/dicom/space.hpp"

struct OdlSaidMark {
  const OdlDecoderMark *mark;
  const OdlDecoderMeasured *measured; // mark->n_measured of them
  const float *points; // two for each of mark->n_points
  OFString words; // UTF-8, lines apart by CR and LF
};

// The order, checked: marks lie in `bytes`.
struct OdlSaid {
  OdlDecoderSaid order = {};
  std::vector<char> bytes;
  std::vector<OdlSaidMark> marks;
  OFString recipe; // ASCII; empty: nothing was done to the picture
  bool has_letters = false; // there are words that are not ASCII
};

// What such an object refers to.
struct OdlSaidPicture {
  OFString sop_class, instance, series, study;
  uint32_t frame; // from 1; 0: the file has only one
};

// Asks the parent. ODL_ERROR_CORRUPT.
bool odl_said_take_order (OdlSaid *said, GError **error);

// The picture, whose frames are shown in the order of `space`, and an object of that
// class about it in `into`, which is empty: who the patient is and which study, as the
// file says, in its character set; a new series, new identifiers, the program and the
// time. ODL_ERROR_CORRUPT: it is another picture than that of the order;
// ODL_ERROR_UNSUPPORTED: it has no identifier, or no study has.
bool odl_said_begin (const OdlDicomHeader *header,
                     const OdlDicomSpace *space,
                     DcmDataset &dataset,
                     OdlSaid *said,
                     const char *sop_class,
                     const char *modality,
                     const char *description,
                     OdlSaidPicture *picture,
                     DcmDataset *into,
                     GError **error);

// Appends an item that names the picture to a sequence.
void
odl_said_refer (DcmItem *item, const DcmTag &sequence, const OdlSaidPicture *picture);

// The file of an object. Asks the parent for its order. Errors: those above. The caller
// frees the bytes.
typedef GByteArray *OdlSay (const OdlDicomHeader *header,
                            const OdlDicomSpace *space,
                            DcmDataset &dataset,
                            GError **error);
OdlSay odl_dicom_report; // a structured report of all marks
OdlSay odl_dicom_state; // a presentation state with all marks
OdlSay odl_dicom_keys; // a key object selection of the pictures that the marks name
