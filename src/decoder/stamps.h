// SPDX-License-Identifier: MIT
// Time stamps that a file says for its frames.
#pragma once

#include "decoder/picture.h"

// Sets the times of the picture's frames, of which reply.n_frames is known, to stamps in
// seconds; the field `name` says them. Stamps that are missing, that are no numbers, do
// not ascend or lie days apart are ignored, which is said.
void
odl_stamps_set (OdlPicture *picture, const double *stamps_s, size_t n, const char *name);

// The same for volumes over time, whose number follows from n_frames and n_slices: tells
// how far they are apart, and where they are so unevenly.
void odl_stamps_set_volumes (OdlPicture *picture,
                             const double *stamps_s,
                             size_t n,
                             const char *name);
