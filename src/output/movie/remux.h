// SPDX-License-Identifier: MIT
// Remuxing: copies an encoded Matroska stream into another container, or repairs an
// interrupted file.
#pragma once

#include "output/movie/codec.h"
#include "output/output.h"

// Copies the stream of file `from`, possibly truncated, into `to`. Times and colour
// information are kept. Initialises GStreamer. ODL_ERROR_IO; also for a file without a
// picture.
bool odl_remux (int from, OdlContainer container, const OdlOutput *to, GError **error);
