// SPDX-License-Identifier: MIT
// What a camera's failure means for the person who sits before it.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// An error of ODL_ERROR (BUSY, DENIED, NO_DEVICE, else IO) for what GStreamer said about
// the camera `name`; `details` may be NULL. Transfer full. Any thread.
GError *odl_camera_explain (const char *name, const GError *cause, const char *details);

G_END_DECLS
