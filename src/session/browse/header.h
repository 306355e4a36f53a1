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

// The arrays of an HDF5 file that can be pictures, read in the background: of FILE, or of
// the file of FILE:/NAME. Main thread.
void odl_arrays_load (const char *location,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);
// Their names, each followed by its sides and type. Transfer full; NULL: there are none,
// it is no HDF5 file, or it was cancelled.
GStrv odl_arrays_load_finish (GAsyncResult *result);

// A report of DICOM, read in the background. Main thread.

// odl_report_read for the file `path`.
void odl_report_load (const char *path,
                      bool hides_names,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);
// Transfer full; NULL: it was cancelled, or cannot be read.
OdlReport *odl_report_load_finish (GAsyncResult *result, GError **error);
