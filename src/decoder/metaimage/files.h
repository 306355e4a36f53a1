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

// The parts of it, for headers of other formats.

// Whether `value` is a name with a number in it, such as "slice%03d.raw 1 40 1".
bool odl_meta_files_is_pattern (const char *value);

// Adds the names that it stands for: `n_names` where it does not say the last number, at
// most `most`. A step below 0 leads down.
bool odl_meta_files_expand (GPtrArray *names,
                            const char *value,
                            uint32_t n_names,
                            int64_t most,
                            GError **error);

// Takes "./" off the name, and rejects one with folders: the file must be next to the
// header.
bool odl_meta_files_check (char *name, GError **error);
