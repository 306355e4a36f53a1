// SPDX-License-Identifier: MIT
// The pages of a TIFF file in a way that is asked for: "pages:WAY:FILE", with the ways
// stack, sequence and first, a level of its pyramid, "pages:level=N:FILE", or both,
// "pages:WAY,level=N:FILE".
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_pages_source;

// The file of such a location; NULL: it is another one.
const char *odl_pages_path (const char *location);

// Whether there is such a way, with or without a level.
bool odl_pages_is_way (const char *way);

// `location` with its pages taken in that way. Transfer full; NULL: it is no TIFF file.
char *odl_pages_location (const char *location, const char *way);
