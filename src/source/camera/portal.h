// SPDX-License-Identifier: MIT
// The desktop's camera portal (org.freedesktop.portal.Camera), which asks the person in
// front of it and hands a sandboxed program a connection to PipeWire.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

// True in Flatpak and Snap, where cameras can only be had through the portal, and when
// ODL_DEBUG says "sandbox". Any thread.
bool odl_camera_needs_portal (void);

// Asks for access and waits for the answer, however long the person takes; `cancellable`
// takes the question back. A file descriptor for PipeWire, or −1. Errors:
// ODL_ERROR_DENIED, ODL_ERROR_NO_DEVICE, ODL_ERROR_UNSUPPORTED (no portal),
// ODL_ERROR_CANCELLED. Not the main thread.
int odl_camera_portal_open (GCancellable *cancellable, GError **error);

G_END_DECLS
