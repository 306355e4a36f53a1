// SPDX-License-Identifier: MIT
// Decompresses one frame with DCMTK's codecs or OpenJPEG.
#pragma once

#include "decoder/dicom/pixels/codestream.h"

G_BEGIN_DECLS

typedef struct {
  const OdlDicomHeader *header;
  const OdlDicomSyntax *syntax;
  const uint8_t *data; // the concatenated fragments of the frame
  size_t size;
  bool cut_short; // the file ends within them
} OdlDicomCompressed;

typedef struct {
  uint8_t *samples; // interleaved, native byte order; g_free
  size_t size;
  int sample_bytes; // 1, 2 or 4
  bool packed; // eight samples of 1 bit in a byte, the first in the lowest bit
  int bits; // precision of the stream; 0: as in the header
  bool ycbcr; // three components are luma and chroma
  bool limited; // as in the header
  bool filled; // part of it was reconstructed
  bool lossy; // according to the stream
  size_t working; // bytes that decoding takes besides
  const char *doubt; // where header and stream disagree; static, NULL for none
} OdlDicomFrame;

void odl_dicom_codec_init (void);

// Determines the size of the decoded samples from the stream's header and checks it
// against the data set. ODL_ERROR_CORRUPT, ODL_ERROR_UNSUPPORTED.
bool odl_dicom_codec_measure (const OdlDicomCompressed *compressed,
                              OdlDicomFrame *frame,
                              GError **error);

// Decodes a measured frame.
bool odl_dicom_codec_decode (const OdlDicomCompressed *compressed,
                             OdlDicomFrame *frame,
                             GError **error);

G_END_DECLS
