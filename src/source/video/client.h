// SPDX-License-Identifier: MIT
// Video pipeline that decodes in a helper process.
#pragma once

#include "source/video/pipeline.h"

// Starts a helper for the open file `fd`, which the caller keeps open, and decodes the
// first frame to verify that there is one. If the helper dies later, `next` fails with
// ODL_ERROR_IO or ODL_ERROR_TOO_LARGE; seeking or starting over then starts another
// helper. Errors: any of ODL_ERROR, without the file name.
OdlVideoPipeline *
odl_video_client_open (int fd, GCancellable *cancellable, GError **error);

// Whether a helper recognises an open file as video. False also on errors.
bool odl_video_client_recognise (int fd, GCancellable *cancellable);
