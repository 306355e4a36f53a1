// SPDX-License-Identifier: MIT
#include "image/quality/statistics.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

// Of a region; the others have their unit and need no formula.
static const struct {
  const char *name, *label, *formula;
} labels[] = {
  { "area", N_ ("Area"), "" },
  { "perimeter", N_ ("Perimeter"), "" },
  { "mean", N_ ("Mean"), N_ ("μ = Σ v / n") },
  { "sigma", N_ ("Standard deviation"), N_ ("σ = √(Σ (v − μ)² / n)") },
  { "min", N_ ("Smallest value"), "" },
  { "max", N_ ("Largest value"), "" },
  { "n", N_ ("Number of pixels"), N_ ("n") },
};

// Between two regions, as OdlContrast has them.
static const struct {
  const char *name, *label, *formula;
  size_t offset;
} contrasts[] = {
  { "snr", N_ ("SNR"), ODL_FORMULA_SNR, offsetof (OdlContrast, snr) },
  { "cnr", N_ ("CNR"), ODL_FORMULA_CNR, offsetof (OdlContrast, cnr) },
  { "gcnr", N_ ("gCNR"), ODL_FORMULA_GCNR, offsetof (OdlContrast, gcnr) },
  { "enl", N_ ("ENL"), ODL_FORMULA_ENL, offsetof (OdlContrast, enl) },
  { "speckle_index", N_ ("Speckle index"), ODL_FORMULA_SPECKLE,
    offsetof (OdlContrast, speckle_index) },
};

static void
add_region (GArray *rows,
            OdlStatisticGroup group,
            const OdlAnnotation *region,
            const OdlSubject *subject)
{
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (region, subject, measures);
  double mean[] = { NAN, NAN }, sigma[] = { NAN, NAN };

  for (int i = 0; i < n; i++) {
    OdlStatisticRow row = { .group = group,
                            .name = measures[i].name,
                            .label = measures[i].name,
                            .formula = "",
                            .unit = measures[i].unit ? measures[i].unit : "",
                            .before = measures[i].value,
                            .after = measures[i].after };
    for (size_t k = 0; k < G_N_ELEMENTS (labels); k++)
      if (g_str_equal (labels[k].name, row.name)) {
        row.label = _ (labels[k].label);
        row.formula = *labels[k].formula ? _ (labels[k].formula) : "";
      }
    double *kept = g_str_equal (row.name, "mean")    ? mean
                   : g_str_equal (row.name, "sigma") ? sigma
                                                     : NULL;
    if (kept) {
      kept[0] = row.before;
      kept[1] = row.after;
    }
    g_array_append_val (rows, row);
  }
  const OdlStatisticRow snr = { .group = group,
                                .name = "mean_to_sigma",
                                .label = _ ("SNR of the region alone"),
                                .formula = _ ("μ / σ"),
                                .unit = "",
                                .before = sigma[0] > 0 ? mean[0] / sigma[0] : NAN,
                                .after = sigma[1] > 0 ? mean[1] / sigma[1] : NAN };
  if (isfinite (mean[0]))
    g_array_append_val (rows, snr);
}

static void
add_contrast (GArray *rows,
              const OdlAnnotation *region,
              const OdlAnnotation *background,
              const OdlSubject *subject)
{
  OdlContrast before, after;

  if (!odl_contrast_of (region, background, subject->before, odl_subject_first (subject),
                        &before, NULL))
    return;
  const bool filtered = subject->filtered && subject->after
                        && odl_contrast_of (region, background, subject->before,
                                            subject->after, &after, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (contrasts); i++) {
    OdlStatisticRow row = { .group = ODL_STATISTIC_BOTH,
                            .name = contrasts[i].name,
                            .label = _ (contrasts[i].label),
                            .formula = _ (contrasts[i].formula),
                            .unit = "",
                            .after = NAN };
    memcpy (&row.before, (const char *) &before + contrasts[i].offset, sizeof row.before);
    if (filtered)
      memcpy (&row.after, (const char *) &after + contrasts[i].offset, sizeof row.after);
    g_array_append_val (rows, row);
  }
}

GArray *
odl_statistic_rows (const OdlAnnotation *region,
                    const OdlAnnotation *background,
                    const OdlSubject *subject)
{
  g_return_val_if_fail (region && region->kind->samples && subject->before, NULL);
  g_return_val_if_fail (!background || background->kind->samples, NULL);

  GArray *rows = g_array_new (FALSE, FALSE, sizeof (OdlStatisticRow));

  add_region (rows, ODL_STATISTIC_REGION, region, subject);
  if (background) {
    add_region (rows, ODL_STATISTIC_BACKGROUND, background, subject);
    add_contrast (rows, region, background, subject);
  }
  return rows;
}

// Sums of one width of points.
typedef struct {
  double before, after;
  guint n;
} Widths;

static void
add_width (Widths *widths, const OdlMeasurement *width, bool filtered)
{
  if (!isfinite (width->value) || (filtered && !isfinite (width->after)))
    return;
  widths->before += width->value;
  widths->after += filtered ? width->after : 0;
  widths->n++;
}

void
odl_statistic_rows_add_points (GArray *rows,
                               const OdlAnnotation *points,
                               guint n,
                               const OdlSubject *subject)
{
  // As odl_annotation_point measures them.
  static const struct {
    const char *name, *label;
  } widths[] = { { "lateral", N_ ("−6 dB width across the beam") },
                 { "axial", N_ ("−6 dB width along the beam") } };
  const bool filtered = subject->filtered && subject->after;
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  Widths sums[G_N_ELEMENTS (widths)] = { 0 };
  const char *unit = "";

  for (guint i = 0; i < n; i++) {
    const int measured = odl_annotation_measure (&points[i], subject, measures);
    for (int m = 0; m < measured && m < (int) G_N_ELEMENTS (sums); m++) {
      add_width (&sums[m], &measures[m], filtered);
      unit = measures[m].unit;
    }
  }
  for (size_t m = 0; m < G_N_ELEMENTS (widths); m++) {
    const OdlStatisticRow row
        = { .group = ODL_STATISTIC_POINTS,
            .name = widths[m].name,
            .label = _ (widths[m].label),
            .formula = sums[m].n > 1 ? _ ("mean of the points") : "",
            .unit = unit,
            .before = sums[m].before / sums[m].n,
            .after = filtered ? sums[m].after / sums[m].n : NAN };
    if (sums[m].n > 0)
      g_array_append_val (rows, row);
  }
}

void
odl_statistic_rows_add_reference (GArray *rows,
                                  const OdlComparison *before,
                                  const OdlComparison *after,
                                  const double edges[2])
{
  const OdlStatisticRow all[] = {
    { ODL_STATISTIC_REFERENCE, "psnr", _ ("PSNR"), _ (ODL_FORMULA_PSNR), "dB",
      before->psnr_db, after->psnr_db },
    { ODL_STATISTIC_REFERENCE, "ssim", _ ("SSIM"), _ (ODL_FORMULA_SSIM), "", before->ssim,
      after->ssim },
    { ODL_STATISTIC_REFERENCE, "mse", _ ("MSE"), _ (ODL_FORMULA_MSE), "",
      before->rms * before->rms, after->rms * after->rms },
    { ODL_STATISTIC_REFERENCE, "edges", _ ("Edge correlation"), _ (ODL_FORMULA_EDGES), "",
      edges[0], edges[1] },
  };

  g_array_append_vals (rows, all, G_N_ELEMENTS (all));
}

// As R and Python read them.
static void
add_number (GString *text, double value)
{
  if (isnan (value))
    return;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (text, g_ascii_formatd (number, sizeof number, "%.7g", value));
}

char *
odl_statistic_rows_to_text (const GArray *rows)
{
  static const char *const groups[ODL_N_STATISTIC_GROUPS]
      = { "region", "background", "both", "points", "reference" };
  GString *text = g_string_new ("of\tname\tbefore\tafter\tunit\tformula\n");

  for (guint i = 0; i < rows->len; i++) {
    const OdlStatisticRow *row = &g_array_index (rows, OdlStatisticRow, i);
    g_string_append_printf (text, "%s\t%s\t", groups[row->group], row->name);
    add_number (text, row->before);
    g_string_append_c (text, '\t');
    add_number (text, row->after);
    g_string_append_printf (text, "\t%s\t%s\n", row->unit, row->formula);
  }
  return g_string_free (text, FALSE);
}
