// SPDX-License-Identifier: MIT
// How well a region stands out from another one, without a clean picture.
#pragma once

#include "image/annotation/annotation.h"

// μ and σ are mean and standard deviation (Σ (v − μ)² / n) of the values of the region
// (r) and of the background (b): in the unit of the file, or of the luma of colours.
// NaN where a divisor is 0.
typedef struct {
  OdlStatistics region, background;
  double snr; // μ_r / σ_b
  double cnr; // |μ_r − μ_b| / √(σ_r² + σ_b²)
  double gcnr; // 1 − Σ min (p_r, p_b): Rodriguez-Molares et al., IEEE Trans. Ultrasonics
               // 67(4), 2020, of histograms of ODL_GCNR_BINS equal bins from the least to
               // the largest value of both
  double enl; // μ_b² / σ_b², equivalent number of looks
  double speckle_index; // σ_b / μ_b
} OdlContrast;

#define ODL_GCNR_BINS 256

// `region` and `background` are of kinds with samples; `scaled` as in odl_statistics_of.
// False, with ODL_ERROR_USAGE, where one of them has no pixel. Any thread.
bool odl_contrast_of (const OdlAnnotation *region,
                      const OdlAnnotation *background,
                      const OdlImage *image,
                      const OdlImage *scaled,
                      OdlContrast *contrast,
                      GError **error);
