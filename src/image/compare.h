// SPDX-License-Identifier: MIT
// How far two images differ.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// Differences in scaled values (each image scaled by its own stored range, so that the
// same picture in 8 and 16 bits is equal) over the channels that both have: alpha only if
// it is in both, and a grey picture counts as one whose red, green and blue are alike.
typedef struct {
  int channels; // that were compared: 1 grey, 3 without alpha, 4
  double max_abs; // largest |a − b|
  double rms; // √ mean (a − b)²
  double psnr_db; // 20 log10 (1 / rms); infinite for equal images
  double ssim; // mean structural similarity, 1 for equal images
  int max_x, max_y, max_channel; // where the largest difference lies
  size_t differing; // samples that are not equal
  size_t samples;
} OdlComparison;

// Compares slice 0, frame 0. SSIM as in Wang, Bovik, Sheikh, Simoncelli, IEEE Trans.
// Image Processing 13(4), 2004: 11 × 11 Gaussian window of σ 1.5, K1 = 0.01, K2 = 0.03,
// dynamic range 1, mean over the positions where the window lies inside; images smaller
// than the window use one window of equal weights over the whole. Channels are averaged.
// Fails with ODL_ERROR_UNSUPPORTED when the size differs. Any thread.
bool
odl_compare (const OdlImage *a, const OdlImage *b, OdlComparison *result, GError **error);

// "PSNR 31.20 dB · SSIM 0.9123", translated, with the decimal sign of the locale; of
// equal pictures that they are. Transfer full.
char *odl_comparison_to_text (const OdlComparison *comparison);

G_END_DECLS
