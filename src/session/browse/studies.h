// SPDX-License-Identifier: MIT
// Patients, studies and series of a folder or a disc, for a list. Main thread.
#pragma once

#include "source/dicom/studies.h"

// odl_studies_read in the background.
void odl_studies_list (const char *path,
                       GCancellable *cancellable,
                       GAsyncReadyCallback cb,
                       void *data);
// OdlSeries; transfer full. The note of odl_studies_read belongs to the result.
GPtrArray *
odl_studies_list_finish (GAsyncResult *result, const char **note, GError **error);
