// SPDX-License-Identifier: MIT
// Stops a pipeline before it decodes oversized frames: inspects the caps that elements
// receive and announce, before frames are allocated, and what frames of Motion JPEG say.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

typedef struct _OdlSizeGuard OdlSizeGuard;

// Watches all elements that will be added to `pipeline`.
OdlSizeGuard *odl_size_guard_new (GstBin *pipeline);

// True, with ODL_ERROR_TOO_LARGE, once an oversized frame was found. The streaming
// thread that found it is blocked from then on.
bool odl_size_guard_check (OdlSizeGuard *guard, GError **error);

// Unblocks that thread so that the pipeline can be stopped. Accepts NULL, as below.
void odl_size_guard_release (OdlSizeGuard *guard);

// Call it after the pipeline was freed.
void odl_size_guard_free (OdlSizeGuard *guard);
