// SPDX-License-Identifier: MIT
// Writes the values of one frame as a TIFF file or, where the name says so, as a lossless
// JPEG 2000 file or the control points of a surface (OBJ), identical to those of the
// command line.
#pragma once

#include "session/player/frame.h"

// `result` is that of the frame. What stands at `path` is replaced. Errors: ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED for OBJ without control points, those of
// odl_jpeg2000_write. Any thread.
bool odl_values_save (const char *path,
                      const OdlFrame *frame,
                      OdlImage *result,
                      GError **error);
