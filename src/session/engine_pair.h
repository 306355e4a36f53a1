// SPDX-License-Identifier: MIT
// Two engines of one kind, so that a lead-in leaves alone what is on screen: frames that
// are shown run in the one, those of a lead-in in the other. When the frame that the
// lead-in was for comes to be shown, the engine that knows its take is the one that
// shows. Not locked; where the engine needs GL, with its context current.
#pragma once

#include "session/player/frame.h"

G_BEGIN_DECLS

typedef struct {
  OdlEngine *engines[2]; // NULL: not opened yet
  const char *variant; // that they were opened with
  int shown; // which of them ran the last frame that was to be shown
} OdlEnginePair;

// The engine for this frame, opened if need be, with `moment` set. Closes the other one
// when nothing in the frame's plan looks back.
OdlEngine *
odl_engine_pair_take (OdlEnginePair *pair, const OdlFrame *frame, GError **error);

// The engine of the last frame that was to be shown; NULL before the first.
OdlEngine *odl_engine_pair_shown (const OdlEnginePair *pair);

void odl_engine_pair_clear (OdlEnginePair *pair);

G_END_DECLS
