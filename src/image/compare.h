// SPDX-License-Identifier: MIT
// Image comparison: PSNR, SSIM and differences.
#pragma once

#include "image/image.h"

// Differences of scaled values (each image scaled by its own stored range, so 8-bit
// and 16-bit versions of a picture are equal) over the common channels: alpha only if
// both have it; a grey image counts as one with equal red, green and blue.
typedef struct {
  int channels; // compared: 1 grey, 3 without alpha, 4
  double max_abs; // largest |a − b|
  double rms; // √ mean (a − b)²
  double psnr_db; // 20 log10 (1 / rms); infinite for equal images
  double ssim; // mean structural similarity, 1 for equal images
  int max_x, max_y, max_channel; // position of the largest difference
  size_t differing; // samples that are not equal
  size_t samples;
} OdlComparison;

// Compares slice 0, frame 0. SSIM as in Wang, Bovik, Sheikh, Simoncelli, IEEE Trans.
// Image Processing 13(4), 2004: 11 × 11 Gaussian window with σ 1.5, K1 = 0.01, K2 =
// 0.03, dynamic range 1, mean over all positions inside the image; images smaller than
// the window use one uniform window over the whole image. Averaged over channels.
// ODL_ERROR_UNSUPPORTED if the sizes differ. Any thread.
bool
odl_compare (const OdlImage *a, const OdlImage *b, OdlComparison *result, GError **error);

// How many channels odl_compare compares.
int odl_compare_channels (const OdlImage *a, const OdlImage *b);

// ODL_ERROR_UNSUPPORTED if the sizes differ.
bool odl_compare_sizes (const OdlImage *a, const OdlImage *b, GError **error);

// "PSNR 31.20 dB · SSIM 0.9123", or that the images are equal; translated, with the
// locale's decimal separator. Transfer full.
char *odl_comparison_to_text (const OdlComparison *comparison);
