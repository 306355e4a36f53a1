// SPDX-License-Identifier: MIT
// Files without a name (memfd) in which arrays travel. Nobody can make them shorter, and
// they are read and written but never mapped. Any thread.
#pragma once

#include "source/array.h"

// Whether it is a file that is sealed against shrinking, of that many bytes at least.
// Errors: ODL_ERROR_USAGE, a sentence.
bool odl_array_file_check (int fd, size_t bytes, GError **error);

// Its samples.
OdlArray *odl_array_file_read (int fd, const OdlArrayShape *shape, GError **error);

// All slices of an image as floats, so that scaled 0 and 1 become `minimum` and
// `maximum`.
bool odl_array_file_write (int fd,
                           const OdlImage *image,
                           double minimum,
                           double maximum,
                           GError **error);
