// SPDX-License-Identifier: MIT
// What the markers of a JPEG or JPEG-LS stream say about it.
#pragma once

#include "decoder/dicom/header.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t width;
  uint32_t height;
  int precision; // bits
  int n_components;
  bool lossless; // JPEG process 14 or JPEG-LS
  // What the markers say of three components; neither: nothing.
  bool says_ycbcr;
  bool says_rgb;
} OdlCodestream;

// False when there is no frame header.
bool odl_codestream_read (const uint8_t *data, size_t size, OdlCodestream *stream);

G_END_DECLS
