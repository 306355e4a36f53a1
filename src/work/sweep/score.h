// SPDX-License-Identifier: MIT
// What says how good a result is: one row each, for comparisons, sweeps and searches.
#pragma once

#include "image/compare.h"
#include "image/quality/regions.h"

typedef enum {
  ODL_SCORE_PSNR,
  ODL_SCORE_SSIM,
  ODL_SCORE_MSE,
  ODL_SCORE_EDGES,
  // Between two regions, from here on.
  ODL_SCORE_SNR,
  ODL_SCORE_CNR,
  ODL_SCORE_GCNR,
  ODL_SCORE_ENL,
  ODL_SCORE_SPECKLE_INDEX,
  ODL_N_SCORES,
} OdlScoreKind;

#define ODL_SCORE_FIRST_REGIONAL ODL_SCORE_SNR

typedef struct {
  const char *word; // for --metric
  const char *name; // of its column, in JSON and CSV
  const char *label; // for people, translatable
  const char *unit;
  const char *formula; // translatable
  const char *format; // for people
  bool smaller_is_better;
} OdlScoreRow;

extern const OdlScoreRow odl_scores[ODL_N_SCORES];

// Those that --region and --background name.
typedef struct {
  bool used;
  OdlAnnotation region, background;
} OdlScoreRegions;

// Both or neither are NULL. ODL_ERROR_USAGE.
bool odl_score_regions_parse (const char *region,
                              const char *background,
                              OdlScoreRegions *regions,
                              GError **error);

// ODL_ERROR_USAGE: they reach beyond a picture of that extent.
bool odl_score_regions_check (const OdlScoreRegions *regions,
                              const OdlExtent *extent,
                              GError **error);

// NaN: not measured, or without a value.
typedef struct {
  double values[ODL_N_SCORES];
} OdlScores;

// Without any value.
OdlScores odl_scores_none (void);

// Fills in what is measured against `reference`, whose comparison goes to *comparison.
bool odl_scores_compare (OdlScores *scores,
                         const OdlImage *result,
                         const OdlImage *reference,
                         OdlComparison *comparison,
                         GError **error);

// Fills in what is measured between regions, if these are used, of `result`, which is
// `image` itself or a result of it.
bool odl_scores_contrast (OdlScores *scores,
                          const OdlImage *image,
                          const OdlImage *result,
                          const OdlScoreRegions *regions,
                          GError **error);

// All of it; `reference` may be NULL.
bool odl_scores_measure (OdlScores *scores,
                         const OdlImage *image,
                         const OdlImage *result,
                         const OdlImage *reference,
                         const OdlScoreRegions *regions,
                         GError **error);

// For a cell of CSV: the shortest text that reads back as the same number, “inf” and
// “-inf”; nothing for NaN. Transfer full.
char *odl_score_to_cell (double value);
double odl_score_from_cell (const char *cell);
