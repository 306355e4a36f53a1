// SPDX-License-Identifier: MIT
// The table of transfer syntaxes of DICOM PS3.5: encodings of data set and pixels.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ODL_DICOM_NATIVE, // uncompressed
  ODL_DICOM_FRAMED, // uncompressed, with each frame in a fragment
  ODL_DICOM_RLE,
  ODL_DICOM_JPEG, // lossy and lossless
  ODL_DICOM_JPEG_LS,
  ODL_DICOM_JPEG_2000, // high-throughput, too
  ODL_DICOM_VIDEO, // a stream of frames, which the helper for videos plays
  ODL_DICOM_REFUSED, // recognised but not supported
} OdlDicomCodec;

typedef struct {
  const char *uid;
  const char *name;
  OdlDicomCodec codec;
  bool implicit_vr;
  bool big_endian;
  bool deflated;
  bool lossy;
} OdlDicomSyntax;

extern const OdlDicomSyntax odl_dicom_syntaxes[];
extern const size_t odl_dicom_n_syntaxes;

// NULL for an unknown UID.
const OdlDicomSyntax *odl_dicom_syntax_find (const char *uid);

#ifdef __cplusplus
}
#endif
