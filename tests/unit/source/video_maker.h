// SPDX-License-Identifier: MIT
// Creates test videos with GStreamer's encoders.
#pragma once

#include <gst/gst.h>

#include "source/source.h"

G_BEGIN_DECLS

// Runs a pipeline to its end. False, and the test is skipped, if a plugin is missing.
bool odl_test_run_pipeline (const char *description);

// `folder`/`name` with `n_frames` different frames at 25 per second; `codec` encodes
// and muxes. NULL if a plugin is missing. Transfer full.
char *odl_test_make_moving (const char *folder,
                            const char *name,
                            const char *codec,
                            int width,
                            int height,
                            int n_frames);

// Opens a video; fails the test on errors.
OdlSource *odl_test_open_video (const char *path);

// A video from a gst_parse_launch description with one unlinked source pad, decoded in
// this process: for faults that no file has.
OdlSource *odl_test_open_described (const char *description,
                                    GCancellable *cancellable,
                                    GError **error);

// A checksum of everything that a frame displays.
guint64 odl_test_checksum (const OdlImage *image);

// Likewise of frame `index`; 0 if there is none.
guint64 odl_test_frame_checksum (OdlSource *source, int64_t index);

G_END_DECLS
