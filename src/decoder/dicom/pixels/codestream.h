// SPDX-License-Identifier: MIT
// Properties of a JPEG, JPEG-LS or JPEG 2000 stream from its markers.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t width;
  uint32_t height;
  int precision; // bits
  int n_components;
  bool lossless; // JPEG process 14, JPEG-LS, or a reversible wavelet
  // Colour space according to the markers; neither set: unknown.
  bool says_ycbcr;
  bool says_rgb;
  // Of JPEG 2000:
  bool transformed; // RGB went through the component transform
  bool is_signed;
  bool uneven; // components differ in size, bits or sign
} OdlCodestream;

// Of JPEG and JPEG-LS. False if there is no frame header.
bool odl_codestream_read (const uint8_t *data, size_t size, OdlCodestream *stream);

// Whether the bytes begin a codestream, or a JP2 file around one.
bool odl_jpeg2000_begins (const uint8_t *data, size_t size);

// Reads the main header of a codestream, or of the one in a JP2 file, which `data` and
// `size` then bound. False if it is damaged, or announces more tiles than its bytes can
// hold.
bool odl_jpeg2000_read (const uint8_t **data, size_t *size, OdlCodestream *stream);

G_END_DECLS
