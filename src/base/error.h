// SPDX-License-Identifier: MIT
// ODL_ERROR: errors with external causes (files, devices, memory, users), worded for the
// user.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// The code lets a caller choose a reaction (fall back, retry, stay silent after
// cancellation); the message says what failed, for which file, and what to do.
typedef enum {
  ODL_ERROR_UNSUPPORTED, // valid input that this build or machine cannot handle
  ODL_ERROR_CORRUPT, // the data is inconsistent or truncated
  ODL_ERROR_TOO_LARGE, // exceeds a limit of memory, time or texture size
  ODL_ERROR_IO, // the file system or a pipe reported an error
  ODL_ERROR_GPU, // OpenGL is missing, too old, or failed
  ODL_ERROR_CANCELLED, // the caller asked to stop
  ODL_ERROR_USAGE, // text typed by the user does not parse
  ODL_ERROR_END, // a stream of unknown length has no more frames
  ODL_ERROR_NO_DEVICE, // the camera is not connected, or was disconnected
  ODL_ERROR_DENIED, // the system or the user denied access
  ODL_ERROR_BUSY, // another program uses the camera
  ODL_ERROR_NO_SIGNAL, // the camera is connected but delivers nothing
  ODL_ERROR_PENDING, // not yet: the caller asks again
  ODL_ERROR_INSTALLATION, // a part of the program is missing or does not start
} OdlErrorCode;

#define ODL_ERROR (odl_error_quark ())

GQuark odl_error_quark (void);

// Sets *error, where `error` is not NULL, and returns false; `format` is translated.
bool odl_error_set (GError **error, OdlErrorCode code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
// Likewise, and returns NULL.
void *odl_error_null (GError **error, OdlErrorCode code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
#define odl_usage_error(error, ...) odl_error_set (error, ODL_ERROR_USAGE, __VA_ARGS__)

G_END_DECLS
