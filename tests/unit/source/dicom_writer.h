// SPDX-License-Identifier: MIT
// Writes DICOM, explicit little endian, including invalid files.
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define ODL_DICOM_LE "1.2.840.10008.1.2.1"
#define ODL_DICOM_RLE_SYNTAX "1.2.840.10008.1.2.5"

// Preamble and file meta information. Transfer full.
GByteArray *odl_dicom_begin (const char *syntax);

void odl_dicom_put_u16 (GByteArray *out, unsigned value);
void odl_dicom_put_u32 (GByteArray *out, uint32_t value);
void odl_dicom_put_head (GByteArray *out, uint32_t tag, const char *vr, uint32_t length);
void odl_dicom_put_short (GByteArray *out, uint32_t tag, unsigned value);
// Rows, Columns and attributes for unsigned 8-bit samples.
void odl_dicom_put_bytes_of (GByteArray *out, int width, int height);
void odl_dicom_put_text (GByteArray *out, uint32_t tag, const char *vr, const char *text);
// A fragment of encapsulated pixel data.
void odl_dicom_put_item (GByteArray *out, const void *data, size_t size);
// A sequence of one item.
void odl_dicom_put_sequence (GByteArray *out, uint32_t tag, const GByteArray *item);
// A file below `folder`, with the folders above it.
void odl_dicom_write_in (const char *folder, const char *path, const GByteArray *bytes);

G_END_DECLS
