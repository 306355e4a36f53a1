// SPDX-License-Identifier: MIT
// What the numbers of OdlContrast and OdlComparison are, for people; marked for
// translation. a is the result, b the reference, both from 0 to 1.
#pragma once

#include <glib/gi18n-lib.h>

#define ODL_FORMULA_PSNR N_ ("PSNR = 10 log10 (1 / MSE), full scale being 1")
#define ODL_FORMULA_MSE N_ ("MSE = mean of (a − b)²")
#define ODL_FORMULA_EDGES \
  N_ ("edge correlation = correlation of a − G a and b − G b, G a Gaussian of σ = 2")
#define ODL_FORMULA_SSIM \
  N_ ("SSIM = mean of (2 μa μb + C1) (2 σab + C2) / ((μa² + μb² + C1) (σa² + σb² + " \
      "C2)) over Gaussian windows of 11 × 11, σ = 1.5, C1 = 0.01², C2 = 0.03² (Wang " \
      "et al. 2004)")
#define ODL_FORMULA_SNR N_ ("SNR = μ(region) / σ(background)")
#define ODL_FORMULA_CNR \
  N_ ("CNR = |μ(region) − μ(background)| / √(σ²(region) + σ²(background))")
#define ODL_FORMULA_GCNR \
  N_ ("gCNR = 1 − Σ min (p(region), p(background)) over histograms of 256 bins " \
      "(Rodriguez-Molares et al. 2020)")
#define ODL_FORMULA_ENL N_ ("ENL = μ²(background) / σ²(background)")
#define ODL_FORMULA_SPECKLE N_ ("speckle index = σ(background) / μ(background)")
