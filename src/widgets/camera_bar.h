// SPDX-License-Identifier: MIT
// Below the sources: the format of the camera that runs, where it offers several. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/browse/cameras.h"
#include "session/session.h"

#define ODL_TYPE_CAMERA_BAR (odl_camera_bar_get_type ())
G_DECLARE_FINAL_TYPE (OdlCameraBar, odl_camera_bar, ODL, CAMERA_BAR, GtkWidget)

GtkWidget *odl_camera_bar_new (OdlSession *session);

void odl_camera_bar_set_session (OdlCameraBar *bar, OdlSession *session);

// `camera` is the current one; NULL: none, or its formats are unknown.
void odl_camera_bar_set_camera (OdlCameraBar *bar, const OdlCamera *camera);
