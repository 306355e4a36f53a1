// SPDX-License-Identifier: MIT
// What is run for a result of BM3D of several frames (time.h), and what of it earlier
// results have left. Pure numbers, for whoever keeps the sums of groups: the processor
// (time.c) and a graphics card.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "image/bm3d/time.h"

typedef enum {
  ODL_BM3D_ENTER, // `frame` takes its place; its sums of both steps are 0
  ODL_BM3D_CLEAR, // the sums of `step` of frames first … last become 0
  ODL_BM3D_PASS, // `step` with the centre `frame`, which looks at frames first … last
  ODL_BM3D_GUIDES, // of frames first … last, by the sums of step one
} OdlBm3dActKind;

typedef struct {
  OdlBm3dActKind kind;
  int step; // 0: step one, 1: step two
  int64_t frame, first, last;
} OdlBm3dAct;

// All zero but for `frames` at first. Frames are numbered on, whatever the sequence calls
// them.
typedef struct {
  int frames; // as in OdlBm3dTime
  bool any; // something was run
  int64_t first; // frame of the sequence, or one before all that count
  int64_t now; // whose result was wanted last
  int64_t done; // the last time that was run
  int past, ahead; // of `now`
  guint64 seen[ODL_BM3D_MOST_SEEN]; // of what frames about it had in them
} OdlBm3dSchedule;

// Another result: of a frame with `past` before it and `ahead` after it; `seen` says of
// each what is in it. Where the same frames were seen for the last result, or the one
// before it in the sequence, what was run for that is of use, else all begins anew.
void odl_bm3d_schedule_move (OdlBm3dSchedule *schedule,
                             int past,
                             int ahead,
                             const guint64 *seen);

// What is to be run for it, in this order (OdlBm3dAct). It counts as done. Transfer full.
GArray *odl_bm3d_schedule_acts (OdlBm3dSchedule *schedule);

// Where frame `number` has its place among `frames`.
int odl_bm3d_schedule_place (const OdlBm3dSchedule *schedule, int64_t number);
