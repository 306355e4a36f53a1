// SPDX-License-Identifier: MIT
// OdlVolumeFrames: the frames of an export whose filters see more than one of them: all
// slices of a volume, volumes one after the other, or later frames. One thread at a time.
#pragma once

#include "session/render/offscreen.h"
#include "source/source.h"

typedef struct _OdlVolumeFrames OdlVolumeFrames;

// Reads `location` by a source of its own. NULL without an error: `recipe`, kept by the
// caller with `operands`, filters the frames of this source one by one. `whole`: all
// slices go together into a volume, and not into pictures (engine/grid_volume.h).
OdlVolumeFrames *odl_volume_frames_new (const char *location,
                                        const OdlRecipe *recipe,
                                        OdlOperands *operands,
                                        bool whole,
                                        GCancellable *cancellable,
                                        GError **error);
void odl_volume_frames_free (OdlVolumeFrames *frames); // accepts NULL

// Frames of one volume; 1 for sources without.
int odl_volume_frames_unit (const OdlVolumeFrames *frames);

// The result of frame `index`, with the plan that made it (transfer full). *frame, that
// frame as it came, is replaced where its stored numbers mean other values than those of
// the result, and marked as its volume is. Volumes are filtered when their first frame is
// asked for, in sections where memory is short; odl_progress_stop ends that with
// ODL_ERROR_CANCELLED. Other errors: odl_neighbours_read, odl_engine_process_fitting.
OdlImage *odl_volume_frames_take (OdlVolumeFrames *frames,
                                  OdlOffscreen *offscreen,
                                  int64_t index,
                                  OdlImage **frame,
                                  OdlPlan **plan,
                                  OdlProgress *progress,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlVolumeFrames, odl_volume_frames_free)
