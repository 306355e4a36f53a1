// SPDX-License-Identifier: MIT
// The second pictures of a recipe, for the runner of a job.
#pragma once

#include <gio/gio.h>

#include "work/runner.h"

// Reads them, and hands them to the runner. ODL_ERROR_USAGE: a filter has none, or no
// code; errors of source/operand.h. Blocks; the thread of the runner.
bool odl_runner_read_operands (OdlRunner *runner,
                               const OdlRecipe *recipe,
                               GCancellable *cancellable,
                               GError **error);
