// SPDX-License-Identifier: MIT
// Errors that the world can cause, worded for the user.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// What kind of thing went wrong. The message says what, which file and what to do; the
// code lets a caller choose a reaction (fall back, retry, stay silent after a cancel).
typedef enum {
  ODL_ERROR_UNSUPPORTED, // a valid thing that this build or machine cannot handle
  ODL_ERROR_CORRUPT, // the data contradicts itself or ends too early
  ODL_ERROR_TOO_LARGE, // beyond a limit of memory, time or texture size
  ODL_ERROR_IO, // the file system or a pipe said no
  ODL_ERROR_GPU, // OpenGL is missing, too old, or failed
  ODL_ERROR_CANCELLED, // the caller asked to stop
  ODL_ERROR_USAGE, // a text that a person typed does not parse
  ODL_ERROR_END, // a stream of unknown length has no more frames
  ODL_ERROR_NO_DEVICE, // the camera is not there, or not any more
  ODL_ERROR_DENIED, // the system or a person does not allow it
  ODL_ERROR_BUSY, // somebody else uses the camera
  ODL_ERROR_NO_SIGNAL, // the camera is there but sends nothing
} OdlErrorCode;

#define ODL_ERROR (odl_error_quark ())

GQuark odl_error_quark (void);

G_END_DECLS
