// SPDX-License-Identifier: MIT
// A header as text for people, in the lines of odl_dicom_read_header: depth, tag, kind of
// value, name and value between tabs. What is said of the pictures of a sequence stands
// below the number of each.
#pragma once

#include "decoder/picture.h"

typedef struct _OdlTold OdlTold;

OdlTold *odl_told_new (void);
void odl_told_free (OdlTold *told);

// Adds a line, or one of a picture (from 0). Names and values are made one valid line.
// What is beyond 16 MiB is left out, which a line says.
void odl_told_add (OdlTold *told, const char *name, const char *value);
void
odl_told_add_item (OdlTold *told, uint32_t item, const char *name, const char *value);

// Makes the text a grey picture of bytes, row by row, and zeros. ODL_ERROR_CORRUPT,
// _TOO_LARGE.
bool odl_told_finish (OdlTold *told, OdlPicture *picture, GError **error);
