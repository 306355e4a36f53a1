// SPDX-License-Identifier: MIT
// Decompresses one frame with the codecs of DCMTK.
#pragma once

#include "decoder/dicom/codestream.h"

G_BEGIN_DECLS

typedef struct {
  const OdlDicomHeader *header;
  const OdlDicomSyntax *syntax;
  const uint8_t *data; // the frame's pieces in a row
  size_t size;
  bool cut_short; // the file ends inside of them
} OdlDicomCompressed;

typedef struct {
  uint8_t *samples; // pixel by pixel, in the machine's byte order; g_free
  size_t size;
  int sample_bytes; // 1 or 2
  int bits; // precision of the stream; 0: as the header says
  bool ycbcr; // three components that are luma and chroma
  bool filled; // part of it was made up
} OdlDicomFrame;

void odl_dicom_codec_init (void);

// Size in bytes that the samples will have, from the stream's own header. Checks it
// against the data set. ODL_ERROR_CORRUPT, ODL_ERROR_UNSUPPORTED.
bool odl_dicom_codec_measure (const OdlDicomCompressed *compressed,
                              OdlDicomFrame *frame,
                              GError **error);

// Fills in the rest of a measured frame.
bool odl_dicom_codec_decode (const OdlDicomCompressed *compressed,
                             OdlDicomFrame *frame,
                             GError **error);

G_END_DECLS
