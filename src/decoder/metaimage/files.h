// SPDX-License-Identifier: MIT
// Which files hold the samples of a MetaImage.
#pragma once

#include "decoder/metaimage/header.h"

G_BEGIN_DECLS

// Finishes `header` after ElementDataFile = `value`: one name, a pattern with a first and
// a last number and a step (which fills `files`), or LIST with the names in `files`
// already. A file holds all frames, or what lies below the last axis, or as LIST says. A
// name with a folder in it is refused. ODL_ERROR_CORRUPT, _UNSUPPORTED.
bool odl_meta_files_settle (OdlMetaHeader *header,
                            const uint64_t *extent,
                            size_t n_extents,
                            const char *value,
                            GError **error);

G_END_DECLS
