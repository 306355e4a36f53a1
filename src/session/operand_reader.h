// SPDX-License-Identifier: MIT
// Reads the second pictures of a recipe on a worker thread.
#pragma once

#include "filter/recipe.h"
#include "image/operands.h"
#include "session/opener.h"

G_BEGIN_DECLS

// Whether all that the recipe's filters read is there. `operands` may be NULL.
bool odl_operands_suffice (const OdlOperands *operands, const OdlRecipe *recipe);

// Those of the recipe and no others: what `known` (may be NULL) has is not read again.
// `cb` comes in the caller's main context, with no source object. Errors name the file:
// those of odl_operand_read; a cancelled call fails with G_IO_ERROR_CANCELLED or
// ODL_ERROR_CANCELLED.
void odl_operand_reader_read (const OdlRecipe *recipe,
                              OdlOperands *known,
                              OdlGate *gate,
                              GCancellable *cancellable,
                              GAsyncReadyCallback cb,
                              void *data);

// Transfer full.
OdlOperands *odl_operand_reader_finish (GAsyncResult *result, GError **error);

G_END_DECLS
