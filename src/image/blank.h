// SPDX-License-Identifier: MIT
// Parts of pictures that are made black, since a name may be written there. Any thread.
#pragma once

#include "image/image.h"

// In pixels from the left and the top; what lies beyond the picture does not matter.
typedef struct {
  int x, y, width, height;
} OdlBlank;

// Replaces *image by a copy with its rectangles (OdlBlank) as black as the picture gets,
// for grey samples the darkest one that there is; without rectangles it stays. False,
// with *image as it was: ODL_ERROR_TOO_LARGE.
bool odl_blank_image (OdlImage **image, const GArray *blanks, GError **error);

// Appends rectangles that cover all that lies outside the parts of an ultrasound picture
// that hold a picture, a curve or a spectrum, and nothing of these. False: the file names
// no such parts.
bool odl_blank_add_outside (const OdlImageInfo *info, GArray *blanks);

// Appends rectangles that cover all that lies outside the sector that is found in the
// picture (area.c), and outside the two-dimensional pictures that its file names, if it
// does; rows that are alike share one. False: no sector is found.
bool odl_blank_add_outside_sector (OdlImage *image, GArray *blanks);

// From “X,Y,WIDTH,HEIGHT”, as people type it. False: it is none.
bool odl_blank_parse (const char *text, OdlBlank *blank);
