// SPDX-License-Identifier: MIT
// Pictures side by side, each with a text below, in cells of one size. One thread at a
// time.
#pragma once

#include "image/image.h"

typedef struct _OdlContactSheet OdlContactSheet;

// Cells have room for pictures of width × height and two lines of text.
// ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED (no font installed).
OdlContactSheet *
odl_contact_sheet_new (int columns, int rows, int width, int height, GError **error);
void odl_contact_sheet_free (OdlContactSheet *sheet); // accepts NULL

// Puts `shown` (U8, interleaved, 1, 3 or 4 channels) into a cell, pixel by pixel: of
// larger pictures the part about (x, y), as far as that has room. `text` of at most two
// lines is ellipsised.
void odl_contact_sheet_put (OdlContactSheet *sheet,
                            int column,
                            int row,
                            const OdlImage *shown,
                            double x,
                            double y,
                            const char *text);

// The sheet as a U8 image of red, green and blue, valid as long as `sheet`.
OdlImage *odl_contact_sheet_image (OdlContactSheet *sheet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlContactSheet, odl_contact_sheet_free)
