// SPDX-License-Identifier: MIT
// The header of a file, read without blocking.
#pragma once

#include <gio/gio.h>

#include "source/dicom/report_text.h"

// `kind` as odl_header_text_kind has it.
void odl_header_read (const char *path,
                      const char *kind,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);

// The text as odl_header_text_read has it. Transfer full. Any of ODL_ERROR.
char *odl_header_read_finish (GAsyncResult *result, GError **error);

// A report of DICOM, read in the background. Main thread.

// odl_report_read for the file `path`.
void odl_report_load (const char *path,
                      bool hides_names,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);
// Transfer full; NULL: it was cancelled, or cannot be read.
OdlReport *odl_report_load_finish (GAsyncResult *result, GError **error);
