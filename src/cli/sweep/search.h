// SPDX-License-Identifier: MIT
// Finds the best point of a grid without computing all of it.
#pragma once

#include "cli/sweep/trial.h"

typedef struct {
  guint indices[ODL_AXES_MOST];
  OdlScores scores;
  gint64 evaluated; // points that were computed
} OdlSearchResult;

// First a coarse grid: of each range at most five values, ends included, and every word.
// Then coordinate descent from the best of these, and from up to seven more, no two of
// which differ in one range alone: along one parameter after the other, by golden-section
// search (Kiefer, Proc. AMS 4, 1953) between the neighbours in the coarse grid, until a
// round changes nothing. The result is a point that no neighbour along a parameter
// betters; a better one may lie elsewhere. ODL_ERROR: no point can be computed, or a
// picture failed.
bool odl_search_run (const OdlTrial *trial,
                     OdlRunner *runner,
                     OdlSearchResult *result,
                     GError **error);
