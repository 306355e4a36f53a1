// SPDX-License-Identifier: MIT
// A volume that is filtered once and then shown as a slice or as three planes. Not
// locked.
#pragma once

#include "engine/grid_volume.h"
#include "session/player/frame.h"

// All zero at first.
typedef struct {
  OdlImage *volume; // the input
  OdlPlan *plan;
  OdlEngineChoice engine;
  uint64_t take; // what filters over time know of earlier ones
  OdlGridVolume filtered; // their result; zero: none yet
  char *sections; // that it was made in; NULL: as a whole
  OdlBody *body, *original_body; // of that, and of the input; NULL: none yet
} OdlVolumeView;

// Sets `input` and `result` of a frame with a volume, and its bodies if it wants them.
// Runs the engine, whose context is current if it needs GL, if volume, plan, take or
// engine are not those of the last call; in sections (engine/sections.h), which the frame
// then names, where the engine's memory is short. Errors: those of odl_engine_process,
// ODL_ERROR_TOO_LARGE where not even a section fits.
bool odl_volume_view_show (OdlVolumeView *view,
                           OdlEngine *engine,
                           OdlFrame *frame,
                           GError **error);

void odl_volume_view_clear (OdlVolumeView *view);
