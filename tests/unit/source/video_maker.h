// SPDX-License-Identifier: MIT
// Videos for tests, made by GStreamer's own encoders.
#pragma once

#include <gst/gst.h>

#include "source/source.h"

G_BEGIN_DECLS

// Runs a pipeline to its end. False, and the test is skipped, where a plugin is missing.
bool odl_test_run_pipeline (const char *description);

// `folder`/`name` with `n_frames` of 25 per second, each of which differs from the
// others; `codec` encodes and muxes. NULL where a plugin is missing. Transfer full.
char *odl_test_make_moving (const char *folder,
                            const char *name,
                            const char *codec,
                            int width,
                            int height,
                            int n_frames);

// Opens; failure ends the test.
OdlSource *odl_test_open_video (const char *path);

// A video from a part of a pipeline in GStreamer's notation, with one free source pad,
// decoded in this process: for faults that no file has.
OdlSource *odl_test_open_described (const char *description,
                                    GCancellable *cancellable,
                                    GError **error);

// A checksum of all that a frame shows.
guint64 odl_test_checksum (const OdlImage *image);

// That of frame `index`; 0 when there is none.
guint64 odl_test_frame_checksum (OdlSource *source, int64_t index);

G_END_DECLS
