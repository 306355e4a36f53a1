// SPDX-License-Identifier: MIT
// Stops a pipeline before it decodes frames that are too large: what an element is told
// or says of its stream is seen before any frame is allocated.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct _OdlSizeGuard OdlSizeGuard;

// Watches all that will be put into `pipeline`.
OdlSizeGuard *odl_size_guard_new (GstBin *pipeline);

// True, and ODL_ERROR_TOO_LARGE, once a frame was too large. The thread of the pipeline
// that found it stands still from then on.
bool odl_size_guard_check (OdlSizeGuard *guard, GError **error);

// Lets that thread go, so that the pipeline can be stopped. NULL is fine, here and below.
void odl_size_guard_release (OdlSizeGuard *guard);

// After the pipeline was freed.
void odl_size_guard_free (OdlSizeGuard *guard);

G_END_DECLS
