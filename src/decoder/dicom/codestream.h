// SPDX-License-Identifier: MIT
// Properties of a JPEG or JPEG-LS stream from its markers.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t width;
  uint32_t height;
  int precision; // bits
  int n_components;
  bool lossless; // JPEG process 14 or JPEG-LS
  // Colour space according to the markers; neither set: unknown.
  bool says_ycbcr;
  bool says_rgb;
} OdlCodestream;

// False if there is no frame header.
bool odl_codestream_read (const uint8_t *data, size_t size, OdlCodestream *stream);

G_END_DECLS
