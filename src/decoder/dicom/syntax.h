// SPDX-License-Identifier: MIT
// The transfer syntaxes of DICOM PS3.5 as a table: how the data set and its pixels are
// encoded.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  ODL_DICOM_NATIVE, // pixels as they are
  ODL_DICOM_RLE,
  ODL_DICOM_JPEG, // lossy and lossless
  ODL_DICOM_JPEG_LS,
  ODL_DICOM_REFUSED, // known by name only
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

// NULL when the UID is not in the table.
const OdlDicomSyntax *odl_dicom_syntax_find (const char *uid);

#ifdef __cplusplus
}
#endif
