// SPDX-License-Identifier: MIT
// Validation of the video helper's answers about streams and frames.
#pragma once

#include "source/video/blocks.h"
#include "source/video/pipeline.h"
#include "source/video/process.h"

// False if it is invalid.
bool odl_video_answer_stream (const OdlVideoAnswer *answer, OdlVideoStream *stream);

// Wraps the frame in `block` and takes ownership of the block. False if it is invalid;
// the caller then keeps the block.
bool odl_video_answer_frame (const OdlVideoAnswer *answer,
                             OdlVideoBlock *block,
                             OdlVideoFrame *frame);
