// SPDX-License-Identifier: MIT
// A volume that a registration deforms, with its grid apart from the voxels: a plane
// shows the lines in which the grid's surfaces cut it, which it could not tell from one
// that it lies in, and rays show the edges where surfaces meet, between which they see
// the volume.
#pragma once

#include "engine/engine.h"
#include "image/volume/planes.h"

G_BEGIN_DECLS

typedef struct {
  OdlImage *volume; // deformed, without the grid; F32, one channel
  uint8_t *surfaces; // of each voxel: bit 0, 1 and 2, those across x, y and z
  float low, high; // scaled values that are shown black and white, as far as it has them
} OdlGridVolume;

// What `plan` (of `recipe`) makes of `volume` if all it does last is to register that in
// three dimensions, with the grid. False: something else, of colours, or there is no
// memory or it was stopped (engine->progress); the engine then runs the plan as any
// other. As odl_engine_process_volume runs filters before that.
bool odl_grid_volume_make (OdlEngine *engine,
                           const OdlRecipe *recipe,
                           const OdlPlan *plan,
                           OdlImage *volume,
                           OdlGridVolume *made);

// A picture of that volume with the lines in which it cuts the grid: its three planes by
// `look`, or (NULL) slice z. ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_grid_volume_draw (const OdlGridVolume *grid,
                                OdlImage *picture,
                                const OdlPlanesLook *look,
                                int z,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The volume with the edges of the grid, as bright as the window.
// ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_grid_volume_edges (const OdlGridVolume *grid, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

void odl_grid_volume_clear (OdlGridVolume *grid);

G_END_DECLS
