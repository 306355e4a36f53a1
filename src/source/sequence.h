// SPDX-License-Identifier: MIT
// Numbered still pictures as a sequence of frames, in the order of their numbers.
// Locations: "sequence:FOLDER" means all pictures of a folder, "sequence:FILE" all files
// that differ only in their last number, a pattern with %d or %04d all matching files;
// each may end in ",rate=N".
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_sequence_source;

// "sequence:…" for the numbered files that `path` belongs to, at `rate` frames per
// second (0: the player's default). NULL if the name contains no number. Only examines
// the name. Transfer full.
char *odl_sequence_location (const char *path, double rate);

// By which names are sorted, that of the file alone: “a2” before “a10”, whatever the
// case. Transfer full.
char *odl_sequence_sort_key (const char *name);
