// SPDX-License-Identifier: MIT
// What a region holds before and after the filters, and how well it stands out from
// another one, as rows for people and for tables. Any thread.
#pragma once

#include <glib/gi18n-lib.h>

#include "image/compare.h"
#include "image/quality/regions.h"

typedef enum {
  ODL_STATISTIC_REGION,
  ODL_STATISTIC_BACKGROUND,
  ODL_STATISTIC_BOTH, // between the two
  ODL_STATISTIC_POINTS, // how wide points are seen
  ODL_STATISTIC_REFERENCE, // of the whole picture, against a reference
  ODL_N_STATISTIC_GROUPS,
} OdlStatisticGroup;

typedef struct {
  OdlStatisticGroup group;
  const char *name; // in tables: "cnr"
  const char *label; // for people, translated
  const char *formula; // likewise; "": none is needed
  const char *unit; // the same in all languages; "": none
  double before;
  double after; // NAN: the same, or not known
} OdlStatisticRow;

// OdlStatisticRow of `region`, of `background` and between the two, in that order; of one
// alone where `background` is NULL. Both are of kinds with samples. `subject` has a
// picture. Cost: a few passes over the pixels. Transfer full.
GArray *odl_statistic_rows (const OdlAnnotation *region,
                            const OdlAnnotation *background,
                            const OdlSubject *subject);

// Of points, the means of their widths at −6 dB: of those that have one before and after
// the filters. Nothing where none has. Their kind is odl_annotation_point.
void odl_statistic_rows_add_points (GArray *rows,
                                    const OdlAnnotation *points,
                                    guint n,
                                    const OdlSubject *subject);

// Of a picture against a reference, before and after the filters. `edges`: before, after,
// by odl_edge_correlation.
void odl_statistic_rows_add_reference (GArray *rows,
                                       const OdlComparison *before,
                                       const OdlComparison *after,
                                       const double edges[2]);

// Rows with tabs between the cells, as spreadsheets and lab books take them, the names of
// the columns first; decimal points in all languages. Transfer full.
char *odl_statistic_rows_to_text (const GArray *rows);

// What the numbers of OdlContrast and OdlComparison are, for people; marked for
// translation. a is the result, b the reference, both from 0 to 1.

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
