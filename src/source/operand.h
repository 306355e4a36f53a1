// SPDX-License-Identifier: MIT
// Second pictures: stills from files, for filters that take one and for comparing.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

// The picture in `file`, in whatever format a source knows, read by the sandboxed helper
// as any other. Blocks. Refused, naming the file: what is no file (a folder, a
// specification such as phantom:…), what moves, and what could be read in part only.
// Errors: any of ODL_ERROR.
OdlImage *odl_operand_read (const char *file, GCancellable *cancellable, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
