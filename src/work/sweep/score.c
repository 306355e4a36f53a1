// SPDX-License-Identifier: MIT
#include "work/sweep/score.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "image/quality/edges.h"
#include "image/quality/statistics.h"

// a is the result, b the reference, both from 0 to 1; (r) is the region, (b) what is
// named as background.
const OdlScoreRow odl_scores[ODL_N_SCORES] = {
  [ODL_SCORE_PSNR] = { "psnr", "psnr_db", N_ ("PSNR"), "dB", ODL_FORMULA_PSNR, "%.2f" },
  [ODL_SCORE_SSIM] = { "ssim", "ssim", N_ ("SSIM"), "", ODL_FORMULA_SSIM, "%.5f" },
  [ODL_SCORE_MSE] = { "mse", "mse", N_ ("MSE"), "", ODL_FORMULA_MSE, "%.6g", true },
  [ODL_SCORE_EDGES]
  = { "edges", "edges", N_ ("edge correlation"), "", ODL_FORMULA_EDGES, "%.5f" },
  [ODL_SCORE_SNR] = { "snr", "snr", N_ ("SNR"), "", ODL_FORMULA_SNR, "%.5g" },
  [ODL_SCORE_CNR] = { "cnr", "cnr", N_ ("CNR"), "", ODL_FORMULA_CNR, "%.5g" },
  [ODL_SCORE_GCNR] = { "gcnr", "gcnr", N_ ("gCNR"), "", ODL_FORMULA_GCNR, "%.5f" },
  [ODL_SCORE_ENL] = { "enl", "enl", N_ ("ENL"), "", ODL_FORMULA_ENL, "%.5g" },
  [ODL_SCORE_SPECKLE_INDEX] = { "speckle-index", "speckle_index", N_ ("speckle index"),
                                "", ODL_FORMULA_SPECKLE, "%.5g", true },
};

static bool
parse_ellipse (const char *option,
               const char *text,
               OdlAnnotation *annotation,
               GError **error)
{
  if (odl_annotation_from_text (&odl_annotation_ellipse, text, annotation)
      && !odl_annotation_is_empty (annotation))
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("%s “%s” is no ellipse. Write X,Y,WIDTH,HEIGHT of the "
                           "rectangle around it, in pixels."),
                        option, text);
}

bool
odl_score_regions_parse (const char *region,
                         const char *background,
                         OdlScoreRegions *regions,
                         GError **error)
{
  *regions = (OdlScoreRegions){ 0 };
  if (region == NULL && background == NULL)
    return true;
  if (region == NULL || background == NULL)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--region and --background belong together; name both."));
  regions->used = true;
  return parse_ellipse ("--region", region, &regions->region, error)
         && parse_ellipse ("--background", background, &regions->background, error);
}

bool
odl_score_regions_check (const OdlScoreRegions *regions,
                         const OdlExtent *extent,
                         GError **error)
{
  const OdlAnnotation *both[] = { &regions->region, &regions->background };

  for (gsize i = 0; regions->used && i < G_N_ELEMENTS (both); i++)
    for (int p = 0; p < 2; p++) {
      const OdlPoint at = both[i]->points[p];
      if (at.x >= 0 && at.x <= extent->x && at.y >= 0 && at.y <= extent->y)
        continue;
      return odl_error_set (error, ODL_ERROR_USAGE,
                            _ ("%s lies beyond the picture, which has %d×%d pixels."),
                            i == 0 ? "--region" : "--background", extent->x, extent->y);
    }
  return true;
}

OdlScores
odl_scores_none (void)
{
  OdlScores scores;

  for (int i = 0; i < ODL_N_SCORES; i++)
    scores.values[i] = NAN;
  return scores;
}

bool
odl_scores_compare (OdlScores *scores,
                    const OdlImage *result,
                    const OdlImage *reference,
                    OdlComparison *comparison,
                    GError **error)
{
  if (!odl_compare (result, reference, comparison, error)
      || !odl_edge_correlation (result, reference, &scores->values[ODL_SCORE_EDGES],
                                error))
    return false;
  scores->values[ODL_SCORE_PSNR] = comparison->psnr_db;
  scores->values[ODL_SCORE_SSIM] = comparison->ssim;
  scores->values[ODL_SCORE_MSE] = comparison->rms * comparison->rms;
  return true;
}

bool
odl_scores_contrast (OdlScores *scores,
                     const OdlImage *image,
                     const OdlImage *result,
                     const OdlScoreRegions *regions,
                     GError **error)
{
  OdlContrast contrast;

  if (!regions->used)
    return true;
  if (!odl_contrast_of (&regions->region, &regions->background, image, result, &contrast,
                        error))
    return false;
  scores->values[ODL_SCORE_SNR] = contrast.snr;
  scores->values[ODL_SCORE_CNR] = contrast.cnr;
  scores->values[ODL_SCORE_GCNR] = contrast.gcnr;
  scores->values[ODL_SCORE_ENL] = contrast.enl;
  scores->values[ODL_SCORE_SPECKLE_INDEX] = contrast.speckle_index;
  return true;
}

bool
odl_scores_measure (OdlScores *scores,
                    const OdlImage *image,
                    const OdlImage *result,
                    const OdlImage *reference,
                    const OdlScoreRegions *regions,
                    GError **error)
{
  OdlComparison comparison;

  *scores = odl_scores_none ();
  return (reference == NULL
          || odl_scores_compare (scores, result, reference, &comparison, error))
         && odl_scores_contrast (scores, image, result, regions, error);
}

char *
odl_score_to_cell (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("");
  if (isinf (value))
    return g_strdup (value > 0 ? "inf" : "-inf");
  for (int digits = 6; digits < 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    if (g_ascii_strtod (g_ascii_formatd (buffer, sizeof buffer, format, value), NULL)
        == value)
      return g_strdup (buffer);
  }
  return g_strdup (g_ascii_dtostr (buffer, sizeof buffer, value));
}

double
odl_score_from_cell (const char *cell)
{
  double value;

  if (g_str_equal (cell, "inf"))
    return INFINITY;
  if (g_str_equal (cell, "-inf"))
    return -INFINITY;
  return odl_number_from_text (cell, &value) ? value : NAN;
}
