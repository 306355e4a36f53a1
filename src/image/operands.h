// SPDX-License-Identifier: MIT
// OdlOperands: the second pictures of a recipe, keyed by file name. There are only a
// few. Immutable once shared; reference counting from any thread.
#pragma once

#include "image/image.h"

typedef struct _OdlOperands OdlOperands;

// An empty set.
OdlOperands *odl_operands_new (void);
OdlOperands *odl_operands_ref (OdlOperands *operands);
void odl_operands_unref (OdlOperands *operands); // accepts NULL

// A set that is not shared yet, with the same pictures; `operands` may be NULL.
OdlOperands *odl_operands_copy (const OdlOperands *operands);

// Adds slice 0, frame 0 of `image` under the name `file`, replacing any other of that
// name. The operand is grey or RGB: alpha is dropped and YCbCr is converted; otherwise
// the samples are shared. Not after `operands` was shared. ODL_ERROR_TOO_LARGE.
bool odl_operands_add (OdlOperands *operands,
                       const char *file,
                       OdlImage *image,
                       GError **error);

// The operand of that name, borrowed; NULL if there is none. `operands` may be NULL.
OdlImage *odl_operands_find (const OdlOperands *operands, const char *file);

// Sets *rows to the same operands, each cropped as by odl_image_some_rows if it has
// `height` rows as the picture has, and whole if it is a kernel; NULL if `operands` is
// NULL. False with an error when memory is short.
bool odl_operands_some_rows (const OdlOperands *operands,
                             int height,
                             int from,
                             int to,
                             int tail,
                             OdlOperands **rows,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOperands, odl_operands_unref)
