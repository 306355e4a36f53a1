// SPDX-License-Identifier: MIT
// OdlOperands: second pictures, by the name of the file that a recipe gives them. Their
// number is small. Immutable once shared; references from any thread.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

typedef struct _OdlOperands OdlOperands;

// Without any.
OdlOperands *odl_operands_new (void);
OdlOperands *odl_operands_ref (OdlOperands *operands);
void odl_operands_unref (OdlOperands *operands); // accepts NULL

// Adds slice 0, frame 0 of `image` as `file`, in the place of what had that name: grey or
// red, green and blue. Alpha is left out, and luma and differences become colours: all
// others keep their samples where they are. Only before `operands` is shared.
// ODL_ERROR_TOO_LARGE.
bool odl_operands_add (OdlOperands *operands,
                       const char *file,
                       OdlImage *image,
                       GError **error);

// The picture of that name, borrowed; NULL: there is none. `operands` may be NULL.
OdlImage *odl_operands_find (const OdlOperands *operands, const char *file);

// The same names for some rows of each, as odl_image_some_rows cuts them; `operands` may
// be NULL, and the result then is. NULL and an error when memory is short.
bool odl_operands_some_rows (const OdlOperands *operands,
                             int from,
                             int to,
                             int tail,
                             OdlOperands **rows,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOperands, odl_operands_unref)

G_END_DECLS
