// SPDX-License-Identifier: MIT
// One picture or several that follow each other, what their results are compared with,
// and the recipe whose parameters vary: what sweeps and searches share.
#pragma once

#include <gio/gio.h>

#include "filter/recipe.h"
#include "image/quality/noise_model.h"
#include "work/runner.h"
#include "work/sweep/score.h"
#include "work/sweep/axes.h"

// What is asked; all of it is borrowed for as long as the trial is there.
typedef struct {
  const char *input; // path or specification; "sequence:FOLDER": the pictures of a folder
  OdlRecipe recipe; // before anything is varied; its view is the result
  char **vary; // as OdlAxesParams.texts
  char **titles; // likewise; NULL: those of the command line
  int divisions; // likewise
  const char *noise; // as odl_noise_model_parse has it; NULL: none
  const char *reference; // a clean picture, or as many as are measured; NULL: none
  const char *region, *background; // as odl_score_regions_parse has them; both or neither
  const char *metric; // OdlScoreRow.word; NULL: PSNR, or of two regions CNR
  const char *engine; // as odl_runner_new has it
  gint64 frame; // from 1; 0: not said
  const char *frames; // "FIRST-LAST" or "all"; NULL: frame `frame`, of 0 the first one,
                      // or all slices where the recipe sees these together
  // What is to be said of an input, translated; from any thread. NULL: nobody listens.
  void (*note) (const char *input, const char *message, void *data);
  void *data;
  GCancellable *cancellable; // of reading; NULL: nobody gives up
} OdlTrialParams;

// The frames, or the slices of a volume, that a trial filters and measures. With noise
// the pictures before it are the reference, else those of the reference, which has as
// many or a single one. Where the recipe looks at earlier frames, these are read too, as
// far as the memory for frames goes, 1 GiB.
typedef struct {
  GPtrArray *images; // OdlImage, with noise, one after the other; the first ones are only
                     // there for filters over time
  GPtrArray *references; // of each; NULL: regions alone are measured
  guint first, last; // of the images that are measured
  OdlImage *volume; // of all images, for filters over slices; NULL: each by itself
  char *range; // what is measured, for a table: "1", "3-8"
} OdlTrialPictures;

typedef struct {
  const OdlTrialParams *params;
  OdlAxes *axes;
  OdlNoiseModel noise;
  OdlScoreRegions regions;
  bool compares; // with clean pictures
  OdlTrialPictures pictures;
  OdlImage *image; // the first that is measured, with noise; borrowed
  OdlImage *reference; // of it; NULL: regions alone are measured; borrowed
  int metric; // OdlScoreKind
  OdlScores before; // of the pictures as they come; none before they are read
} OdlTrial;

// Everything but the pictures. ODL_ERROR_USAGE. To be cleared in any case.
bool odl_trial_plan (OdlTrial *trial, const OdlTrialParams *params, GError **error);

// The pictures of a trial that was planned, once. ODL_ERROR_USAGE, ODL_ERROR_UNSUPPORTED
// and those of reading. Blocks; any thread.
bool odl_trial_read (OdlTrial *trial, GError **error);

// Gives up the pictures; what was said of them stays, for tables.
void odl_trial_drop_pictures (OdlTrial *trial);

// Both. To be cleared in any case.
bool odl_trial_init (OdlTrial *trial, const OdlTrialParams *params, GError **error);
void odl_trial_clear (OdlTrial *trial);

// The files that a trial reads, as source/source_files.h has them. Transfer full.
GHashTable *odl_trial_files (const OdlTrial *trial);

// A runner for the recipes of the trial, to be used by the calling thread.
OdlRunner *odl_trial_runner (const OdlTrial *trial, GError **error);

// The recipe of a point.
OdlRecipe odl_trial_recipe (const OdlTrial *trial, const guint *indices);

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
