// SPDX-License-Identifier: MIT
// RLE (PS3.5 G) of samples that DCMTK does not decode: of 1 and of 32 bits.
#pragma once

#include "decoder/dicom/pixels/codec.h"

G_BEGIN_DECLS

// Whether it is for samples of so many bits.
static inline bool
odl_dicom_rle_takes (uint32_t bits_allocated)
{
  return bits_allocated == 1 || bits_allocated == 32;
}

// Bytes of a frame: of 1 bit eight samples a byte, the first in the lowest bit.
size_t odl_dicom_rle_frame_bytes (const OdlDicomHeader *header);

// Decodes the segments, whose header has been checked, into `frame->samples`, native byte
// order. False: a segment is damaged; of a stream that was cut what is there is decoded.
bool odl_dicom_rle_decode (const OdlDicomCompressed *compressed, OdlDicomFrame *frame);

G_END_DECLS
