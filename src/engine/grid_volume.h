// SPDX-License-Identifier: MIT
// What filters make of a volume. If the last one registers it with its grid, that lies
// apart from the voxels: a plane shows the lines in which the grid's surfaces cut it,
// which it could not tell from one that it lies in, and rays and files have the edges
// where surfaces meet, between which the volume is seen.
#pragma once

#include "engine/sections.h"
#include "image/annotation/on_plane.h"
#include "image/volume/planes.h"

typedef struct {
  OdlImage *volume; // filtered, without the grid, then F32
  uint8_t *surfaces; // of each voxel: bit 0, 1 and 2, those across x, y and z; NULL: none
  float low, high; // scaled values that are shown black and white, as far as it has them
} OdlGridVolume;

// As odl_engine_process_fitting, into `made`, which is cleared first. What follows the
// registration in a recipe sees the edges in its voxels, as the engines draw them, and so
// does the luma of colours. False: its errors.
bool odl_grid_volume_process (OdlEngine *engine,
                              const OdlRecipe *recipe,
                              const OdlPlan *plan,
                              OdlImage *volume,
                              OdlProcessWhole whole,
                              OdlGridVolume *made,
                              char **cut,
                              GError **error);

// A picture of that volume with the lines in which it cuts the grid: its three planes by
// `look`, or (NULL) slice z; or one plane. ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_grid_volume_look (const OdlGridVolume *grid,
                                const OdlPlanesLook *look,
                                int z,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
OdlImage *odl_grid_volume_on_plane (const OdlGridVolume *grid,
                                    const OdlOnPlane *on,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The volume with the edges of the grid, as bright as the window.
// ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_grid_volume_whole (const OdlGridVolume *grid, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Makes it that volume, for those who have no pictures to draw lines in.
bool odl_grid_volume_settle (OdlGridVolume *grid, GError **error);

void odl_grid_volume_clear (OdlGridVolume *grid);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlGridVolume, odl_grid_volume_clear)
