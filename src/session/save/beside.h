// SPDX-License-Identifier: MIT
// Writes what was measured in a file beside it (source/beside.h).
#pragma once

#include "image/annotation/annotations.h"
#include "source/source.h"

// Replaces what was kept there of the same source, of a stack by each of its files
// (source/holder.h); without annotations that is removed. Anything else at a place that
// is needed stays, and then nothing is written: ODL_ERROR_IO, as where one cannot be
// written. *path is a file of those. Transfer full. Blocks.
bool odl_beside_save (const OdlSource *source,
                      const OdlAnnotations *annotations,
                      char **path,
                      GError **error);
