// SPDX-License-Identifier: MIT
// What PipeWire knows of cameras, on a connection of our own, so that one can see when
// its server goes, and make another one when it has come back.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

struct _GstDeviceProvider;

// The provider for the server that there is; all who ask while it is there get the same
// one, which must never be stopped. Outside of a sandbox PipeWire's socket is taken; NULL
// without an error: nobody listens there. In a sandbox the portal is asked for a
// connection, unless there is one already or `asks` is false, when NULL without an error
// says that there is none; `cancellable` (may be NULL) takes the question back. Transfer
// full. Not the main thread. Errors: those of odl_camera_portal_open,
// ODL_ERROR_UNSUPPORTED where the plugin is not installed.
struct _GstDeviceProvider *
odl_camera_server_provider (bool asks, GCancellable *cancellable, GError **error);

// False once its server has gone: what it lists is not there any more. Any thread, at
// once.
bool odl_camera_server_is_there (struct _GstDeviceProvider *provider);

G_END_DECLS
