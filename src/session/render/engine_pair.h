// SPDX-License-Identifier: MIT
// Two engines of one kind: one runs the frames that are shown, the other one those of a
// lead-in, so that a lead-in does not change the history of what is shown. When the frame
// that the lead-in was for is to be shown, they change roles. Not locked; an engine with
// GL needs its context current.
#pragma once

#include "session/player/frame.h"

typedef struct {
  OdlEngine *engines[2]; // NULL: not opened yet
  const char *variant; // of both
  int shown; // index of the engine that ran the last frame to show
} OdlEnginePair;

// The engine for this frame, opened if needed, with `moment` set. Closes the other one
// when no step of the plan works over time.
OdlEngine *
odl_engine_pair_take (OdlEnginePair *pair, const OdlFrame *frame, GError **error);

// The engine of the last frame to show; NULL before the first.
OdlEngine *odl_engine_pair_shown (const OdlEnginePair *pair);

void odl_engine_pair_clear (OdlEnginePair *pair);
