// SPDX-License-Identifier: MIT
// A volume that is laid over another one, read in the background. Main thread.
#pragma once

#include "source/dicom/fusion.h"

void odl_fusion_load (const char *location,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);
// Transfer full; errors of odl_fusion_read.
OdlFusion *odl_fusion_load_finish (GAsyncResult *result, GError **error);
