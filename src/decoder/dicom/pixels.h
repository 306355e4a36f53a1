// SPDX-License-Identifier: MIT
// From the samples of one DICOM frame to those of the picture.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  const uint8_t *data;
  size_t size; // that is there; may be less than the frame needs
  int bits_allocated;
  int bits_stored;
  int high_bit;
  size_t first_bit; // for 1 and 12 bits, whose frames need not begin at a byte
  bool big_endian;
  bool swapped_bytes; // 8-bit samples in big-endian words
  bool by_plane;
  bool ycbcr; // three samples that are luma and chroma
  const double *range; // of values beyond 16 bits over all frames; NULL: of this one
  bool halved_chroma; // PS3.3 C.7.6.3.1.2: two luma, then one of each chroma
} OdlDicomSamples;

// Bytes of one frame of `samples` with the shape of `header`, rounded up.
size_t odl_dicom_frame_bits (const OdlDicomHeader *header,
                             const OdlDicomSamples *samples);

// Allocates the picture and fills it; whatever is not there stays at the smallest value,
// with the mark. `extra` as in odl_picture_allocate.
bool odl_dicom_pixels_convert (const OdlDicomHeader *header,
                               const OdlDicomSamples *samples,
                               size_t extra,
                               OdlPicture *picture,
                               GError **error);

// Bit number `bit` of sample `index` as it stands, of all that are allocated; false where
// there is none.
bool odl_dicom_pixels_bit (const OdlDicomSamples *samples, size_t index, int bit);

// Smallest and largest of the values beyond 16 bits in all of `samples`, so that frames
// share one scale. False: there is nothing to measure.
bool odl_dicom_measure_range (const OdlDicomHeader *header,
                              const OdlDicomSamples *samples,
                              double range[2]);

// Float Pixel Data and Double Float Pixel Data; `sample_bytes` 4 or 8.
bool odl_dicom_floats_convert (const OdlDicomHeader *header,
                               const OdlDicomSamples *samples,
                               OdlPicture *picture,
                               GError **error);

G_END_DECLS
