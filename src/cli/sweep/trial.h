// SPDX-License-Identifier: MIT
// One picture or several that follow each other, what their results are compared with,
// and the recipe whose parameters vary: what `sweep` and `optimise` share.
#pragma once

#include "cli/process/options.h"
#include "cli/process/process.h"

#include "cli/sweep/score.h"
#include "cli/sweep/vary.h"
#include "filter/recipe.h"
#include "image/quality/noise_model.h"

// The frames, or the slices of a volume, that a trial filters and measures.

typedef struct {
  GPtrArray *images; // OdlImage, with noise, one after the other; the first ones are only
                     // there for filters over time
  GPtrArray *references; // of each; NULL: regions alone are measured
  guint first, last; // of the images that are measured
  OdlImage *volume; // of all images, for filters over slices; NULL: each by itself
  char *range; // what is measured, for a table: "1", "3-8"
} OdlTrialPictures;

// Reads them. `range`: "FIRST-LAST" or "all", NULL: frame `frame` (from 1; 0: the first
// one, or all slices where `recipe` sees these together). With noise the pictures before
// it are the reference, else those of `reference`, which has as many or a single one.
// Where `recipe` looks at earlier frames, these are read too, as far as the memory for
// frames goes, 1 GiB. ODL_ERROR_USAGE, ODL_ERROR_UNSUPPORTED and those of reading. To be
// cleared in any case.
bool odl_trial_pictures_read (OdlTrialPictures *pictures,
                              const OdlProcessOptions *options,
                              const char *range,
                              const OdlRecipe *recipe,
                              const OdlNoiseModel *noise,
                              GError **error);
void odl_trial_pictures_clear (OdlTrialPictures *pictures);

#define ODL_TRIAL_N_OPTIONS 16

// As it was typed. Of `process` only inputs, filters, recipe, colour, precision, border,
// engine, frame, noise, reference, jobs and force.
typedef struct {
  OdlProcessOptions process;
  char **vary;
  char *region, *background;
  char *metric;
  char *frames; // as odl_trial_pictures_read has it
} OdlTrialOptions;

typedef struct {
  const OdlTrialOptions *options;
  OdlRecipe recipe; // as typed, before anything is varied
  GPtrArray *axes; // OdlVaried
  OdlNoiseModel noise;
  OdlScoreRegions regions;
  bool compares; // with clean pictures
  OdlTrialPictures pictures;
  OdlImage *image; // the first that is measured, with noise; borrowed
  OdlImage *reference; // of it; NULL: regions alone are measured; borrowed
  int metric; // OdlScoreKind
} OdlTrial;

// The entries that both verbs have, ODL_TRIAL_N_OPTIONS of them, into `entries`.
void odl_trial_options_fill (OdlTrialOptions *options, GOptionEntry *entries);
void odl_trial_options_clear (OdlTrialOptions *options);

// Everything but the pictures. `divisions` as in odl_axes_new. To be cleared in any case.
bool odl_trial_plan (OdlTrial *trial,
                     const OdlTrialOptions *options,
                     int divisions,
                     GError **error);

// The pictures of a trial that was planned, once.
bool odl_trial_read (OdlTrial *trial, GError **error);

// Both. To be cleared in any case.
bool odl_trial_init (OdlTrial *trial,
                     const OdlTrialOptions *options,
                     int divisions,
                     GError **error);
void odl_trial_clear (OdlTrial *trial);

// The files that a trial reads, as source/source_files.h has them. Transfer full.
GHashTable *odl_trial_files (const OdlTrial *trial);

// A runner for the recipes of the trial, to be used by the calling thread.
OdlRunner *odl_trial_runner (const OdlTrial *trial, GError **error);

// Filters the pictures and measures the results: of several the mean of each score, PSNR
// by the mean of the squares. The first that is measured is returned in *result unless
// that is NULL. ODL_ERROR_UNSUPPORTED, ODL_ERROR_USAGE: this recipe cannot be computed.
bool odl_trial_run (const OdlTrial *trial,
                    OdlRunner *runner,
                    const OdlRecipe *recipe,
                    OdlScores *scores,
                    OdlImage **result,
                    GError **error);

// Whether the trial measures that score at all.
bool odl_trial_has (const OdlTrial *trial, int score);

// Whether `value` is better than `other`, by the metric; NaN is never better, and
// everything else is better than NaN.
bool odl_trial_better (const OdlTrial *trial, double value, double other);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlTrial, odl_trial_clear)
