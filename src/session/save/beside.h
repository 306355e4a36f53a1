// SPDX-License-Identifier: MIT
// Writes what was measured in a file beside it (source/beside.h).
#pragma once

#include "image/annotation/annotations.h"
#include "source/source.h"

// Replaces what was kept there of the same source; without annotations that is removed.
// Anything else at that place stays: ODL_ERROR_IO, as where the place cannot be written.
// *path is the file's. Transfer full. Blocks.
bool odl_beside_save (const OdlSource *source,
                      const OdlAnnotations *annotations,
                      char **path,
                      GError **error);
