// SPDX-License-Identifier: MIT
// Computes the points of a sweep that its table lacks.
#pragma once

#include "cli/sweep/table.h"

typedef struct {
  gint64 shard, shards; // only points whose number modulo `shards` is `shard`; 0, 1: all
  int jobs; // points that are computed at the same time; 0: as many as are worth it
} OdlGridParams;

// Rows are appended in the order of the points. Points that this recipe cannot be
// computed for get a row without scores, and are counted in *refused. Shows progress on a
// terminal. ODL_ERROR: nothing of what was written is lost.
bool odl_grid_run (const OdlTrial *trial,
                   OdlTable *table,
                   const OdlGridParams *params,
                   gint64 *refused,
                   GError **error);
