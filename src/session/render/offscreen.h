// SPDX-License-Identifier: MIT
// A separate engine beside that of the canvas, which computes frames at full size to be
// saved. Belongs to the thread that opened it.
#pragma once

#include "engine/grid_volume.h"
#include "image/display/display.h"

typedef struct _OdlOffscreen OdlOffscreen;

// Falls back to the CPU where `engine` cannot run.
OdlOffscreen *odl_offscreen_open (OdlEngineChoice engine, GError **error);
const char *odl_offscreen_engine (const OdlOffscreen *offscreen); // its name
void odl_offscreen_close (OdlOffscreen *offscreen); // accepts NULL

// The result of odl_engine_process. `progress` may be looked at and stopped; NULL: nobody
// waits.
OdlImage *odl_offscreen_process (OdlOffscreen *offscreen,
                                 const OdlPlan *plan,
                                 OdlImage *input,
                                 OdlMoment moment,
                                 OdlProgress *progress,
                                 GError **error);

// Likewise of odl_grid_volume_process for a volume, as odl_engine_process_volume does.
bool odl_offscreen_process_volume (OdlOffscreen *offscreen,
                                   const OdlRecipe *recipe,
                                   const OdlPlan *plan,
                                   OdlImage *volume,
                                   OdlMoment moment,
                                   OdlProgress *progress,
                                   OdlGridVolume *made,
                                   GError **error);

// How a result of `plan` and its recipe on `input` is displayed with `window`, or with
// the window of its own that it has instead (plan/result_window.h). Any thread.
OdlDisplay odl_offscreen_display (const OdlImage *input,
                                  const OdlPlan *plan,
                                  const OdlRecipe *recipe,
                                  const OdlWindow *window);

// Such a result, displayed like that, U8 or U16. Any thread.
OdlImage *odl_offscreen_render (const OdlImage *result,
                                const OdlImage *input,
                                const OdlPlan *plan,
                                const OdlRecipe *recipe,
                                const OdlWindow *window,
                                int bits,
                                GError **error);

// A recipe and the engine that ran it, as text for a file's metadata; not translated.
// Transfer full. Any thread.
char *odl_offscreen_describe (const OdlRecipe *recipe, const char *engine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOffscreen, odl_offscreen_close)
