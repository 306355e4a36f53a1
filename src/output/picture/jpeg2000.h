// SPDX-License-Identifier: MIT
// JPEG 2000 files of a result: the values as they are stored, not as they are shown.
#pragma once

#include "image/rows.h"
#include "jpeg2000/jpeg2000.h"
#include "output/output.h"

typedef struct {
  OdlJpeg2000Goal goal;
  double value; // of OdlJpeg2000Params
} OdlJpeg2000Quality;

typedef struct {
  const OdlImage *source; // unprocessed: its samples define bits and range of the file's
  OdlRows *rows; // of the result; consumed
  bool coefficients; // the result is an analysis view, which no such file can hold
  const char *description; // recipe and engine, ASCII
  OdlJpeg2000Quality quality;
  bool boxes; // JP2; else the bare codestream
  OdlEngine *engine; // of OdlJpeg2000Params; may be NULL
} OdlJpeg2000Picture;

// The picture is held in memory as a whole. ODL_ERROR_IO, ODL_ERROR_TOO_LARGE,
// ODL_ERROR_UNSUPPORTED for coefficients; errors of the rows. Any thread.
bool
odl_jpeg2000_write (OdlOutput *output, const OdlJpeg2000Picture *picture, GError **error);

// Whether a file of that name is a JPEG 2000 file, and whether it has boxes: .jp2, or
// .j2k, .j2c and .jpc.
bool odl_jpeg2000_is_name (const char *path, bool *boxes);
