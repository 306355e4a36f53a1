// SPDX-License-Identifier: MIT
// The frames, or the slices of a volume, that a trial filters and measures.
#pragma once

#include "cli/process/options.h"
#include "filter/recipe.h"
#include "image/quality/noise_model.h"

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
