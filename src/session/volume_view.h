// SPDX-License-Identifier: MIT
// A volume, filtered once, from which the pictures of a slice or of three planes are
// made. Not locked.
#pragma once

#include "session/player/frame.h"

G_BEGIN_DECLS

// All zero at first.
typedef struct {
  OdlImage *volume; // that was filtered
  OdlPlan *plan; // with this
  const OdlEngineClass *engine;
  OdlImage *filtered; // NULL: nothing
} OdlVolumeView;

// Fills in `input` and `result` of a frame that has a volume; runs the engine, which
// needs no GL, where another volume, plan or engine comes. Errors: those of
// odl_engine_process.
bool odl_volume_view_show (OdlVolumeView *view,
                           OdlEngine *engine,
                           OdlFrame *frame,
                           GError **error);

void odl_volume_view_clear (OdlVolumeView *view);

G_END_DECLS
