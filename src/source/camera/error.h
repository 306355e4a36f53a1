// SPDX-License-Identifier: MIT
// Camera errors for users.
#pragma once

#include <glib.h>

// Translates an error of GStreamer about the camera `name` into ODL_ERROR (BUSY,
// DENIED, NO_DEVICE, else IO); `details` may be NULL. Transfer full. Any thread.
GError *odl_camera_explain (const char *name, const GError *cause, const char *details);
