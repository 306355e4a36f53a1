// SPDX-License-Identifier: MIT
// A connection to a camera. All operations that may block on the user, a server or a
// device (portal, enumeration, pipeline state changes) run on its own thread, so that
// closing never blocks.
#pragma once

#include <glib.h>
#include <gst/gst.h>

#include "source/camera/format.h"

typedef struct _OdlCameraLink OdlCameraLink;

// Known once the first frame has arrived.
typedef struct {
  char *id;
  char *name;
  char *format; // for display
  char *offered; // all formats, for display; "" if unknown
  bool suits; // the format satisfies the request
  OdlCameraFormat chosen; // width 0: chosen by the camera
} OdlCameraReport;

// Starts connecting and returns at once. `patient`: wait until the requested camera is
// plugged in; otherwise its absence is an error.
OdlCameraLink *odl_camera_link_open (const OdlCameraRequest *request, bool patient);

// Closes the link at once; the device is released soon after. `wait_us` > 0: wait up
// to that time for the release, never on a thread that runs a window.
void odl_camera_link_close (OdlCameraLink *link, int64_t wait_us);

// The next frame; older frames that were not taken are dropped. NULL without `error`:
// none within `timeout_us`. NULL with `error` (any of ODL_ERROR except CORRUPT): the
// link has failed permanently. One thread at a time.
GstSample *odl_camera_link_pull (OdlCameraLink *link, int64_t timeout_us, GError **error);

// NULL until the camera is known; valid as long as the link.
const OdlCameraReport *odl_camera_link_report (OdlCameraLink *link);

// True while the user is being asked for permission: time-outs are suspended.
bool odl_camera_link_is_asking (OdlCameraLink *link);

// True while a patient link waits for its camera.
bool odl_camera_link_is_absent (OdlCameraLink *link);

// Monotonic time from which the camera is expected to answer: when the link was opened,
// or when it last stopped waiting for permission or for its camera.
int64_t odl_camera_link_since (OdlCameraLink *link);

// True once the camera has negotiated a format. PipeWire keeps clients waiting while
// another program uses the camera exclusively.
bool odl_camera_link_is_negotiated (OdlCameraLink *link);

// Orientation of its frames, a GstVideoOrientationMethod; 0: unknown.
int odl_camera_link_turn (OdlCameraLink *link);

// Frames sent by the camera but not taken, since the last call.
unsigned odl_camera_link_take_dropped (OdlCameraLink *link);

// Camera errors for users.

// Translates an error of GStreamer about the camera `name` into ODL_ERROR (BUSY,
// DENIED, NO_DEVICE, else IO); `details` may be NULL. Transfer full. Any thread.
GError *odl_camera_explain (const char *name, const GError *cause, const char *details);
