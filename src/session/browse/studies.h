// SPDX-License-Identifier: MIT
// Patients, studies and series of a folder or a disc, for a list. Main thread.
#pragma once

#include "source/dicom/studies.h"

// What is known while more is read; the list is borrowed. `cancellable` is that of the
// listing; never called after `cb`, nor once that was cancelled.
typedef void (*OdlStudiesGrown) (const OdlStudiesSoFar *so_far,
                                 GCancellable *cancellable,
                                 void *data);

// odl_studies_read in the background. `grown` may be NULL.
void odl_studies_list (const char *path,
                       OdlStudiesGrown grown,
                       GCancellable *cancellable,
                       GAsyncReadyCallback cb,
                       void *data);
// OdlSeries; transfer full. The note of odl_studies_read belongs to the result.
GPtrArray *
odl_studies_list_finish (GAsyncResult *result, const char **note, GError **error);
