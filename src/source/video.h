// SPDX-License-Identifier: MIT
// Video files, as sources.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

extern const OdlSourceClass odl_video_source;

// A video from a part of a pipeline in GStreamer's notation, with one free source pad:
// for tests, which make faults so. As odl_source_open else.
OdlSource *odl_video_source_open_pipeline (const char *description,
                                           GCancellable *cancellable,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
