// SPDX-License-Identifier: MIT
// Which camera was used last, and what happens when one fails. Main thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlLastCamera OdlLastCamera;

OdlLastCamera *odl_last_camera_new (const OdlWindowParts *parts);

// What to open for a location: “webcam” stands for the camera that was used last, all
// others for themselves. Transfer full.
char *odl_last_camera_resolve (OdlLastCamera *camera, const char *location);

// Another source is in place: it is the last camera, if it is one.
void odl_last_camera_opened (OdlLastCamera *camera);

// Opens any other camera when the one that was used last, which “webcam” stood for, is
// not there. False: this is not so.
bool odl_last_camera_opens_another (OdlLastCamera *camera,
                                    const char *location,
                                    const GError *error);

// The same, else shows the failure page. False: `location` is no camera.
bool
odl_last_camera_failed (OdlLastCamera *camera, const char *location, const GError *error);
