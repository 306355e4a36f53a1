// SPDX-License-Identifier: MIT
// Compressed frames of DICOM files, without loss: RLE (PS3.5, annex G) and JPEG 2000 of
// our own coder.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_DICOM_PLAIN, // not compressed
  ODL_DICOM_RLE,
  ODL_DICOM_JPEG_2000,
  ODL_DICOM_N_COMPRESSIONS,
} OdlDicomCompression;

// As users type it: "none", "rle", "jpeg2000".
const char *odl_dicom_compression_name (OdlDicomCompression compression);

typedef struct {
  int width, height, channels; // 1, 3
  int bits; // of a sample, 2 … 16
  bool is_signed;
} OdlDicomFrameShape;

// The stream of one frame, of an even number of bytes; `samples` are interleaved.
// Transfer full. ODL_ERROR_TOO_LARGE. Any thread.
GByteArray *odl_dicom_frame_rle (const OdlDicomFrameShape *shape, const gint32 *samples);
GByteArray *odl_dicom_frame_jpeg2000 (const OdlDicomFrameShape *shape,
                                      const gint32 *samples,
                                      GError **error);
