// SPDX-License-Identifier: MIT
// Numbered stills as a sequence of frames.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

extern const OdlSourceClass odl_sequence_source;

// "sequence:…" of the numbered files that the file `path` is one of, at `rate` frames per
// second (0: the player's default). NULL when its name holds no number. Looks at nothing
// but the name. Transfer full.
char *odl_sequence_location (const char *path, double rate);

// The files that a location names, in order: "sequence:FOLDER" all pictures of a folder,
// "sequence:FILE" all that differ from it by their last number only, a name with %d or
// %04d in it those that it stands for; each may end in ",rate=N". `missing` (may be NULL)
// becomes how many numbers are left out between the first and the last. ODL_ERROR_USAGE,
// ODL_ERROR_IO; cost: reads the folder. Transfer full.
GStrv odl_sequence_list (const char *location, int64_t *missing, GError **error);

G_END_DECLS
