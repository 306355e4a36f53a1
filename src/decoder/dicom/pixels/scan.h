// SPDX-License-Identifier: MIT
// Validates the structure of a DICOM file before it is parsed: checks every length
// against the file, limits nesting and number of elements, and locates the pixel data,
// complete or truncated.
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
  uint8_t *inflated; // owned; NULL if the file is not deflated
  const uint8_t *data; // the file, or `inflated`
  size_t size;
  OdlDicomSpan header; // the data set up to the pixels
  OdlDicomPixelKind kind;
  OdlDicomSpan pixels; // available native pixels; encapsulated: start of the items
  bool pixels_are_words; // VR is OW
  bool pixels_are_big; // big endian
  bool encapsulated;
  OdlDicomSpan extended_table; // (7fe0,0001): 64-bit offsets; size 0: none
} OdlDicomScan;

// Reads the file meta information and scans the data set. `memory` limits inflation.
// Messages complete "Cannot open FILE: …".
bool odl_dicom_scan (OdlDicomScan *scan,
                     const uint8_t *data,
                     size_t size,
                     size_t memory,
                     GError **error);
void odl_dicom_scan_clear (OdlDicomScan *scan);

// Whether a value is items of a sequence in implicit little endian, complete and not too
// deep, with `depth` sequences around it.
bool odl_dicom_scan_items (const uint8_t *value, size_t size, int depth);

// Unaligned little-endian numbers.
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
