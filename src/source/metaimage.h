// SPDX-License-Identifier: MIT
// MetaImage files: pictures, volumes and sequences, decoded by the helper.
#pragma once

#include "source/source.h"

// Adds the files beside `location` that a header's text stands for: a plain name, which
// may contain spaces and per cent signs, or a pattern such as "slice%03d.raw 1 40 1", of
// which those are added that are there.
void odl_metaimage_add_files (GPtrArray *files, const char *location, const char *value);

extern const OdlSourceClass odl_metaimage_source;
