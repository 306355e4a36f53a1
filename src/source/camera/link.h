// SPDX-License-Identifier: MIT
// One connection to a camera. Everything that may wait for a person, a server or a
// device (the portal's question, listing, each change of a pipeline's state) happens on a
// thread of its own, so that closing never waits.
#pragma once

#include <gst/gst.h>

#include "source/camera/format.h"

G_BEGIN_DECLS

typedef struct _OdlCameraLink OdlCameraLink;

// What the camera turned out to be; there as soon as a picture came.
typedef struct {
  char *id;
  char *name;
  char *format; // for people
  char *offered; // all formats for people; "" where it tells none
  bool suits; // the format is one of those that were asked for
  OdlCameraFormat chosen; // width 0: the camera's own choice
} OdlCameraReport;

// Begins to connect. With `patient` it waits until the camera that `request` names is
// plugged in, else its absence is an error. Returns at once.
OdlCameraLink *odl_camera_link_open (const OdlCameraRequest *request, bool patient);

// Closes it at once; the device is released soon after. With `wait_us` more than 0 waits
// so long for that: never on a thread that runs a window.
void odl_camera_link_close (OdlCameraLink *link, int64_t wait_us);

// The next picture; the latest wins when nobody took one for a while. NULL without
// `error`: none came within `timeout_us`. NULL with `error`, any of ODL_ERROR but
// CORRUPT: the connection has failed for good. One thread at a time.
GstSample *odl_camera_link_pull (OdlCameraLink *link, int64_t timeout_us, GError **error);

// NULL as long as it is not known which camera that is; valid as long as the link.
const OdlCameraReport *odl_camera_link_report (OdlCameraLink *link);

// True while a person is asked for permission: there is no hurry then.
bool odl_camera_link_is_asking (OdlCameraLink *link);

// True while a patient link waits for its camera.
bool odl_camera_link_is_absent (OdlCameraLink *link);

// True once the camera has agreed on a format: PipeWire leaves those waiting that may not
// have it because somebody else does.
bool odl_camera_link_is_agreed (OdlCameraLink *link);

// How its pictures have to be turned to stand upright, a GstVideoOrientationMethod: 0
// where it does not say so.
int odl_camera_link_turn (OdlCameraLink *link);

// Pictures that the camera sent and nobody took, since the last call.
unsigned odl_camera_link_take_dropped (OdlCameraLink *link);

G_END_DECLS
