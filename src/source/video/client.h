// SPDX-License-Identifier: MIT
// Video pipeline that decodes in a helper process.
#pragma once

#include "source/video/pipeline.h"

G_BEGIN_DECLS

// Starts a helper on the open file `fd`, which stays the caller's and must stay open. It
// decodes the first frame, so that it is known that there is one. A helper that dies
// later is an ODL_ERROR_IO or ODL_ERROR_TOO_LARGE of `next`; seeking or starting over
// then takes another one. Errors: any of ODL_ERROR, without name of the file.
OdlVideoPipeline *
odl_video_client_open (int fd, GCancellable *cancellable, GError **error);

// Whether a helper recognises an open file as video. False also on errors.
bool odl_video_client_recognise (int fd);

G_END_DECLS
