// SPDX-License-Identifier: MIT
// The header of a DICOM file, read without blocking.
#pragma once

#include <gio/gio.h>

void odl_header_read (const char *path,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);

// The text as odl_dicom_read_header has it. Transfer full. Any of ODL_ERROR.
char *odl_header_read_finish (GAsyncResult *result, GError **error);
