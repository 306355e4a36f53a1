// SPDX-License-Identifier: MIT
// TIFF files with values, as odl_values_form has them: a picture, or pages one after the
// other; or of the numbers that the input stores, in 16 bits.
#pragma once

#include "output/output.h"
#include "output/values.h"

// Writes values. ODL_ERROR_IO, ODL_ERROR_TOO_LARGE; errors of
// the rows. Any thread.
bool odl_tiff_encode (OdlOutput *output, const OdlValues *values, GError **error);

// Writes the numbers that `values->source` stores, rounded, signed where its range begins
// below 0, and how they become values. Errors as of odl_tiff_encode;
// ODL_ERROR_UNSUPPORTED: coefficients, or numbers that do not fit 16 bits. Any thread.
bool odl_tiff_encode_stored (OdlOutput *output, const OdlValues *values, GError **error);

// The same in 8 bits.
bool
odl_tiff_encode_stored_8 (OdlOutput *output, const OdlValues *values, GError **error);

// Whether `path` names a file of odl_tiff_encode_stored: it ends with .16.tif or
// .16.tiff.
bool odl_tiff_is_stored_name (const char *path);

typedef struct _OdlTiffStack OdlTiffStack;

// The type of the numbers of pages like that one.
OdlNumberType odl_tiff_number_type (const OdlValues *page, OdlSure sure);

// Pages of `bytes` in total, which decide between TIFF and BigTIFF. `head` are the lines
// of ImageJ, which stand before the description of the first page, or XML, which stands
// alone; NULL: nothing. `output` is borrowed. ODL_ERROR_IO.
OdlTiffStack *odl_tiff_stack_new (OdlOutput *output,
                                  guint64 bytes,
                                  const char *head,
                                  OdlSure sure,
                                  GError **error);

// Appends a page, which may have any size. Errors as of odl_tiff_encode, and of
// odl_values_refuse; after one only odl_tiff_stack_close may be called.
bool odl_tiff_stack_write (OdlTiffStack *stack, const OdlValues *page, GError **error);

// How sure all pages have to be: more than was said if the last one was refused since its
// numbers are not of the form of the first one's.
OdlSure odl_tiff_stack_wanted (const OdlTiffStack *stack);

// Writes what is left; frees it, also on failure. NULL is fine.
bool odl_tiff_stack_close (OdlTiffStack *stack, GError **error);
