// SPDX-License-Identifier: MIT
// The X-ray phantom: a generated radiograph of a foot, with what such pictures have
// beside bone: soft tissue, text, a lead marker, one or two backgrounds, noise. Its truth
// is known.
#pragma once

#include "image/image.h"

#define ODL_XRAY_MAX_SIDE 16384

typedef struct {
  int width; // 1 … ODL_XRAY_MAX_SIDE
  int height;
  unsigned seed; // of the noise
  int bits; // 12 or 16, of unsigned samples of 16
  int monochrome; // as in DICOM: 1, bone has low values, or 2, high ones
  int backgrounds; // 1, or 2: another exposure in the right part
  double salt; // share of pixels that are white or black, 0 … 0.5
  bool clean; // without noise, text and marker
  bool truth; // the bones alone: white, all else black; 8 bits
} OdlXrayParams;

// Parses "phantom:xray[:WIDTHxHEIGHT][,seed=N][,bits=12|16][,monochrome=1|2]
// [,backgrounds=1|2][,salt=SHARE][,clean][,truth]". ODL_ERROR_USAGE. Any thread.
bool odl_xray_parse (const char *text, OdlXrayParams *params, GError **error);

// The picture; the same for any number of threads. The truth is that of the same
// parameters: 255 where the centre of a pixel lies in bone. Any thread.
OdlImage *odl_xray_image (const OdlXrayParams *params, GError **error);
