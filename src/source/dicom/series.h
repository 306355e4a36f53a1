// SPDX-License-Identifier: MIT
// The series of a DICOM picture as a stack: the pictures in its folder that belong to it,
// in the order of their places, of their numbers, or of their times. "series:FILE"; of
// "series:FOLDER" the largest series.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_series_source;

// "series:…" for the DICOM file `path`. Transfer full.
char *odl_series_location (const char *path);

// Opens such a location; where its pictures are no volume only since some are missing or
// lie where others do, they become one: missing ones are frames that cannot be read, and
// of those at one place the first is kept, which the warning says.
OdlSource *
odl_series_open_filled (const char *location, GCancellable *cancellable, GError **error);

// The file or folder in such a location; NULL: it is another one.
const char *odl_series_path (const char *location);
