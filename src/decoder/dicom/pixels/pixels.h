// SPDX-License-Identifier: MIT
// Converts the samples of one DICOM frame.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  const uint8_t *data;
  size_t size; // available; may be less than the frame needs
  int bits_allocated;
  int bits_stored;
  int high_bit;
  size_t first_bit; // of 1 and 12 bits: frames may start within a byte; of bytes in
                    // words: within a word
  bool big_endian;
  bool swapped_bytes; // big-endian words that hold samples of up to 12 bits
  bool by_plane;
  bool ycbcr; // three samples that are luma and chroma
  bool floats; // Float Pixel Data, or with 64 bits Double Float Pixel Data
  const OdlNumberRange *range; // common one of all frames for floats and values beyond 16
                               // bits; NULL: from this frame
  int chroma_shift[2]; // as in the header: Y Y Cb Cr for two pixels of each row that has
                       // chroma (PS3.3 C.7.6.3.1.2), Y Y for those of a row without
  bool limited; // as in the header
} OdlDicomSamples;

// Bytes of one frame with the shape of `header`, rounded up.
size_t odl_dicom_frame_bits (const OdlDicomHeader *header,
                             const OdlDicomSamples *samples);

// Allocates and fills the picture; missing samples get the smallest value and the
// picture a mark. `extra` as in odl_picture_allocate.
bool odl_dicom_pixels_convert (const OdlDicomHeader *header,
                               const OdlDicomSamples *samples,
                               size_t extra,
                               OdlPicture *picture,
                               GError **error);

// Bit number `bit` of allocated sample `index`; false if there is none.
bool odl_dicom_pixels_bit (const OdlDicomSamples *samples, size_t index, int bit);

// Adds all of `samples`, which are floats or of more than 16 bits, so that frames share a
// scale.
void odl_dicom_measure_range (const OdlDicomHeader *header,
                              const OdlDicomSamples *samples,
                              OdlNumberRange *range);

// Float Pixel Data and Double Float Pixel Data.
bool odl_dicom_floats_convert (const OdlDicomHeader *header,
                               const OdlDicomSamples *samples,
                               OdlPicture *picture,
                               GError **error);

G_END_DECLS
