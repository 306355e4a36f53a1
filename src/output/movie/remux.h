// SPDX-License-Identifier: MIT
// Remuxing: copies an encoded Matroska stream into another container, or repairs an
// interrupted file.
#pragma once

#include "output/movie/codec.h"
#include "output/output.h"

// The last picture: when it comes, and how long it stays (0: unknown).
typedef struct {
  int64_t time_ns, duration_ns;
} OdlRemuxLast;

// Copies the stream of file `from`, possibly truncated, into `to`. Times and colour
// information are kept; `last` (may be NULL) says what Matroska cannot of streams without
// a rate. Initialises GStreamer. ODL_ERROR_IO; also for a file without a picture.
bool odl_remux (int from,
                OdlContainer container,
                const OdlRemuxLast *last,
                const OdlOutput *to,
                GError **error);
