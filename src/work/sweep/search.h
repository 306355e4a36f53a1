// SPDX-License-Identifier: MIT
// Finds the best point of a trial without computing all of them.
#pragma once

#include "work/sweep/grid.h"

#define ODL_SEARCH_MOST_POINTS 1e15 // are told apart

typedef struct {
  guint indices[ODL_AXES_MOST];
  OdlScores scores;
  gint64 evaluated; // points that were computed
} OdlSearchResult;

typedef struct {
  const OdlTrial *trial;
  OdlRunner *runner;
  // Each point that was computed, in the thread of odl_search_run. NULL: nobody listens.
  void (*found) (const OdlGridResult *result, void *data);
  void *data;
} OdlSearchParams;

// Of each filter that stands in the place of another by itself: first a coarse grid: of
// each range at most five values, ends included, and every word. Then coordinate descent
// from the best of these, and from up to seven more, no two of which differ in one range
// alone: along one parameter after the other, by golden-section search (Kiefer, Proc. AMS
// 4, 1953) between the neighbours in the coarse grid, until a round changes nothing. The
// result is a point that no neighbour along a parameter betters; a better one may lie
// elsewhere. ODL_ERROR: no point can be computed, a picture failed, or there are too many
// points; ODL_ERROR_CANCELLED once the trial's cancellable is. Blocks; the thread of the
// runner.
bool
odl_search_run (const OdlSearchParams *params, OdlSearchResult *result, GError **error);
