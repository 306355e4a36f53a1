// SPDX-License-Identifier: MIT
// A private PipeWire connection for enumerating cameras, which detects when the server
// goes and reconnects when it returns.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

struct _GstDeviceProvider;

// The device provider of the current server, shared by all callers; never stop it.
// Outside a sandbox it connects to PipeWire's socket; NULL without an error: no
// server. In a sandbox it asks the portal, unless there is a connection already or
// `asks` is false; then NULL without an error means no connection. `cancellable` (may
// be NULL) withdraws the request. Transfer full. Not the main thread. Errors of
// odl_camera_portal_open; ODL_ERROR_UNSUPPORTED if the plugin is not installed.
struct _GstDeviceProvider *
odl_camera_server_provider (bool asks, GCancellable *cancellable, GError **error);

// False once its server has gone; its devices are then invalid. Any thread; does not
// block.
bool odl_camera_server_is_there (struct _GstDeviceProvider *provider);
