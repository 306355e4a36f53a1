// SPDX-License-Identifier: MIT
// The desktop's camera portal (org.freedesktop.portal.Camera), which asks the user and
// gives sandboxed programs a connection to PipeWire.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

// True in Flatpak and Snap, where cameras are only available through the portal, and
// with ODL_DEBUG=sandbox. Any thread.
bool odl_camera_needs_portal (void);

// Asks for access and waits for the user; `cancellable` withdraws the request. Returns
// a descriptor for PipeWire, or −1. ODL_ERROR_DENIED, ODL_ERROR_NO_DEVICE,
// ODL_ERROR_UNSUPPORTED (no portal), ODL_ERROR_CANCELLED. Not the main thread.
int odl_camera_portal_open (GCancellable *cancellable, GError **error);
