// SPDX-License-Identifier: MIT
// The data files of a MetaImage.
#pragma once

#include "decoder/metaimage/header.h"

// Completes `header` for ElementDataFile = `value`: a name; a pattern with first and
// last number and step, expanded into `files`; or LIST, with the names in `files`
// already. A file holds all frames, one slice along the last axis, or what LIST
// specifies. Names with folders are rejected. ODL_ERROR_CORRUPT, _UNSUPPORTED.
bool odl_meta_files_find (OdlMetaHeader *header,
                          const uint64_t *extent,
                          size_t n_extents,
                          const char *value,
                          GError **error);
