// SPDX-License-Identifier: MIT
// The socket by which programs of the same user show arrays in the window and get back
// what its filters make of them; README.md has its messages. Main thread; nothing blocks.
#pragma once

#include "session/session.h"

typedef struct _OdlArrayServer OdlArrayServer;

typedef struct {
  // The session that shows or opens that location; with NULL the one that people look at,
  // which may be empty. NULL: there is none. Borrowed.
  OdlSession *(*find) (const char *location, void *data);
  // Opens a location where people look. False: there is no window for it.
  bool (*open) (const char *location, void *data);
} OdlArrayServerClass;

// Makes the socket PID.socket in the folder “ondelette” of $XDG_RUNTIME_DIR. Errors:
// ODL_ERROR_IO, a sentence.
OdlArrayServer *
odl_array_server_new (const OdlArrayServerClass *klass, void *data, GError **error);
// Closes and removes it.
void odl_array_server_free (OdlArrayServer *server);

// People look at a window of this program: the link “latest” beside the socket leads to
// it from now on.
void odl_array_server_point (OdlArrayServer *server);

const char *odl_array_server_path (const OdlArrayServer *server);
