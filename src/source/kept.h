// SPDX-License-Identifier: MIT
// A capture whose latest frames are kept, so that several readers can have them by their
// number, counted from the first one on: filters that look at later frames wait for them,
// while the frames themselves are written.
#pragma once

#include "source/source.h"

// Keeps a reference to `capture`, whose frames nobody else may read, and its latest
// `count` frames. A frame that has not come is waited for, and so are those before it;
// one that was dropped is ODL_ERROR_IO. Frames may be read by several threads at a time.
OdlSource *odl_kept_source_new (OdlSource *capture, int count);

bool odl_source_is_kept (const OdlSource *source);
