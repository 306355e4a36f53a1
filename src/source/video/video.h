// SPDX-License-Identifier: MIT
// Video files as sources.
#pragma once

#include "source/source.h"
#include "source/video/pipeline.h"

extern const OdlSourceClass odl_video_source;

// A video source on an open file, which it owns from then on, also on failure; `location`
// names it. Errors: any of ODL_ERROR, without the name.
OdlSource *odl_video_source_open_fd (const char *location,
                                     int fd,
                                     GCancellable *cancellable,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The first frame of a video file, without reading the rest to count frames. Errors: any
// of ODL_ERROR, without the name. Blocks.
OdlImage *odl_video_source_glance (const char *location,
                                   GCancellable *cancellable,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

// A video source on a given pipeline, for tests that inject faults. Takes ownership of
// `pipeline`, also on failure; NULL gives NULL.
OdlSource *odl_video_source_new (OdlVideoPipeline *pipeline,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
