// SPDX-License-Identifier: MIT
// The media files of a folder, listed without blocking.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

// Files listed at most; a list of this length may be incomplete.
#define ODL_FOLDER_MAX_FILES 5000

// Lists the files of `folder` whose names look like something that a source can open.
// `finds_dicom`: and reads how they begin, up to the first one that is DICOM.
void odl_folder_list (const char *folder,
                      bool finds_dicom,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);

// Full paths, sorted with numbers by value ("a2" before "a10"); transfer full. Errors:
// ODL_ERROR_IO. `has_dicom`: one of them was found to be a DICOM file, or the table of a
// disc; or NULL.
GStrv odl_folder_list_finish (GAsyncResult *result, bool *has_dicom, GError **error);

// Orders two paths as the list does, like strcmp.
int odl_folder_compare (const char *path, const char *other);

// The specification that plays the numbered pictures of which `path` is one. NULL when
// its name has no number. Transfer full.
char *odl_folder_sequence_of (const char *path);

// The specification of the series, as a stack, that the DICOM file `path` belongs to.
// Transfer full.
char *odl_folder_series_of (const char *path);
// The file in such a specification; NULL: it is another one.
const char *odl_folder_file_of_series (const char *location);
