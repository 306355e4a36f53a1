// SPDX-License-Identifier: MIT
// A picture whose rows come some at a time, from the top to the bottom; and rows of a
// picture as a picture of their own.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct _OdlRows OdlRows;

struct _OdlRows {
  int height; // of the whole
  OdlImage *image; // where rows first … end − 1 of it are; else as the whole picture
  int first, end;
  int top; // row y of the whole is row y − top of the image
  bool (*next) (OdlRows *rows, GError **error); // moves on to the rows from `end` on;
                                                // NULL: all rows are here
};

// All rows of an image, which is borrowed.
OdlRows odl_rows_of_image (OdlImage *image);

// All rows in one F32 image, planes apart, of scaled samples; that of the rows itself
// where they are all there. Uses the rows up. Errors: ODL_ERROR_TOO_LARGE, and those of
// `next`.
OdlImage *odl_rows_gather (OdlRows *rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Rows from … to − 1 of slice 0, frame 0, and below them those from `tail` on (0: none),
// without what is drawn over them. Without a tail the samples stay where they are. Any
// thread.
OdlImage *
odl_image_some_rows (OdlImage *image, int from, int to, int tail, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
