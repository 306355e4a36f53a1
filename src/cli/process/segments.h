// SPDX-License-Identifier: MIT
// Segments, structures and volumes of other files over the pictures that are written.
#pragma once

#include "cli/process/still.h"

// Reads the file that --segments names, into task->work.segments, and which of them
// --show-segments names. ODL_ERROR_USAGE: it does not suit what is written; errors of
// odl_segments_read.
bool odl_process_read_segments (const OdlProcessOptions *options,
                                OdlProcess *task,
                                GError **error);

// The same of the volume that --fuse lays over it; errors of odl_fusion_read.
bool odl_process_read_fusion (const OdlProcessOptions *options,
                              OdlProcess *task,
                              GError **error);

// What lies on a picture that was read, in still->outlines; without any nothing.
// ODL_ERROR_UNSUPPORTED: they are for other pictures. Any thread.
bool odl_process_outline (const OdlProcess *task,
                          const OdlJob *job,
                          OdlStill *still,
                          GError **error);

// Likewise on the plane of the task through the volume that `volume` describes. Transfer
// full, in *outlines.
bool odl_process_outline_plane (const OdlProcess *task,
                                const OdlJob *job,
                                const OdlSource *source,
                                const OdlImageInfo *volume,
                                OdlOutlines **outlines,
                                GError **error);
