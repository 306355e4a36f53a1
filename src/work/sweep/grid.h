// SPDX-License-Identifier: MIT
// All points of a trial, or a part of them, computed and measured by several threads.
#pragma once

#include "work/sweep/trial.h"

typedef struct {
  gint64 point;
  OdlScores scores; // none where it was refused
  double seconds; // that it took, by the clock
  const char *refusal; // why this recipe cannot be computed, translated; NULL: it was
} OdlGridResult;

typedef struct {
  const OdlTrial *trial;
  gint64 shard, shards; // only points whose number modulo `shards` is `shard`; 0, 1: all
  int jobs; // points that are computed at the same time; 0: as many as are worth it
  // Whether a point is to be computed. Asked once for each, by any thread, before its
  // result comes and without regard to those of other points. NULL: all are.
  bool (*wants) (gint64 point, void *data);
  // Takes the results, in the order of the points, in the thread of odl_grid_run. False,
  // with an error: that is the end.
  bool (*take) (const OdlGridResult *result, void *data, GError **error);
  void *data;
} OdlGridParams;

// How many points are to be computed.
gint64 odl_grid_count (const OdlGridParams *params);

// Computes them. ODL_ERROR_CANCELLED once the trial's cancellable is; points at work are
// given up then. Errors of `take`, and of pictures that cannot be filtered at all; what
// was taken before stays. Blocks; any thread.
bool odl_grid_run (const OdlGridParams *params, GError **error);
