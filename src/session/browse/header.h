// SPDX-License-Identifier: MIT
// The header of a file, read without blocking.
#pragma once

#include <gio/gio.h>

// `kind` as odl_header_text_kind has it.
void odl_header_read (const char *path,
                      const char *kind,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);

// The text as odl_header_text_read has it. Transfer full. Any of ODL_ERROR.
char *odl_header_read_finish (GAsyncResult *result, GError **error);
