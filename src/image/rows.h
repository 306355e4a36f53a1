// SPDX-License-Identifier: MIT
// Row-wise access: a picture whose rows become available in bands, from top to bottom;
// and crops of rows.
#pragma once

#include "image/image.h"

typedef struct _OdlRows OdlRows;

struct _OdlRows {
  int height; // of the whole picture
  OdlImage *image; // holds rows first … end − 1; otherwise describes the whole picture
  int first, end;
  int top; // row y of the whole is row y − top of the image
  bool (*next) (OdlRows *rows, GError **error); // advances to the rows from `end` on;
                                                // NULL: all rows are available
};

// All rows of an image, which is borrowed.
OdlRows odl_rows_of_image (OdlImage *image);

// Collects all scaled rows in one planar F32 image; if all rows are available already,
// returns their image. Consumes the rows. ODL_ERROR_TOO_LARGE; errors of `next`.
OdlImage *odl_rows_gather (OdlRows *rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Rows from … to − 1 of slice 0, frame 0, followed by the rows from `tail` on (0:
// none), without overlay. Without a tail the samples are shared. Any thread.
OdlImage *
odl_image_some_rows (OdlImage *image, int from, int to, int tail, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;
