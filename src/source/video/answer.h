// SPDX-License-Identifier: MIT
// What the video helper said of streams and frames, checked before it is believed.
#pragma once

#include "source/video/blocks.h"
#include "source/video/pipeline.h"
#include "source/video/process.h"

G_BEGIN_DECLS

// False: it makes no sense.
bool odl_video_answer_stream (const OdlVideoAnswer *answer, OdlVideoStream *stream);

// The frame that lies in `block`, which is its own then. False, and the block is the
// caller's still: it makes no sense.
bool odl_video_answer_frame (const OdlVideoAnswer *answer,
                             OdlVideoBlock *block,
                             OdlVideoFrame *frame);

G_END_DECLS
