// SPDX-License-Identifier: MIT
// A look at the skeleton of a DICOM file before any parser builds objects from it: every
// length is checked against the file, nesting and number of elements are limited, and the
// pixels are found, whole or cut short.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "decoder/dicom/syntax.h"

G_BEGIN_DECLS

#define ODL_DICOM_MAX_NESTING 64
#define ODL_DICOM_MAX_ELEMENTS 400000

typedef struct {
  size_t offset; // from the start of the data
  size_t size;
} OdlDicomSpan;

typedef enum {
  ODL_DICOM_NO_PIXELS,
  ODL_DICOM_PIXELS, // (7fe0,0010)
  ODL_DICOM_FLOAT_PIXELS, // (7fe0,0008)
  ODL_DICOM_DOUBLE_PIXELS, // (7fe0,0009)
} OdlDicomPixelKind;

typedef struct {
  const OdlDicomSyntax *syntax;
  uint8_t *inflated; // owned; NULL when the file is not deflated
  const uint8_t *data; // the file, or `inflated`
  size_t size;
  OdlDicomSpan header; // of the data set: what comes before the pixels
  OdlDicomPixelKind kind;
  OdlDicomSpan pixels; // native pixels that are there; else where the items begin
  bool pixels_are_words; // VR is OW
  bool encapsulated;
  OdlDicomSpan extended_table; // (7fe0,0001): offsets of 64 bits; size 0: none
} OdlDicomScan;

// Reads the file meta information and walks the data set. `memory` limits inflation.
// Messages complete "Cannot open FILE: …".
bool odl_dicom_scan (OdlDicomScan *scan,
                     const uint8_t *data,
                     size_t size,
                     size_t memory,
                     GError **error);
void odl_dicom_scan_clear (OdlDicomScan *scan);

// Little-endian numbers at any address.
static inline uint16_t
odl_read_u16 (const uint8_t *at)
{
  return (uint16_t) (at[0] | at[1] << 8);
}

static inline uint32_t
odl_read_u32 (const uint8_t *at)
{
  return odl_read_u16 (at) | (uint32_t) odl_read_u16 (at + 2) << 16;
}

G_END_DECLS
