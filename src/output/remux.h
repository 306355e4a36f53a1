// SPDX-License-Identifier: MIT
// The stream of a Matroska file in another container, or in a whole one, without being
// encoded again.
#pragma once

#include "output/codec.h"
#include "output/output.h"

// Copies what the file `from` holds, which may have been cut off anywhere, into `to`, a
// file. The times and all words about colours and pixels stay. Starts GStreamer. Errors:
// ODL_ERROR_IO, for a file without a picture too.
bool odl_remux (int from, OdlContainer container, const OdlOutput *to, GError **error);
