// SPDX-License-Identifier: MIT
// How somebody saved that a picture is to be looked at, found in the background. Main
// thread.
#pragma once

#include "source/dicom/presentation.h"

G_BEGIN_DECLS

// odl_presentations_find for the DICOM file `path`.
void odl_presentations_list (const char *path,
                             GCancellable *cancellable,
                             GAsyncReadyCallback cb,
                             void *data);
// OdlPresentation; transfer full. NULL: it was cancelled.
GPtrArray *odl_presentations_list_finish (GAsyncResult *result);

G_END_DECLS
