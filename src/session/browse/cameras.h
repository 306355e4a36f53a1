// SPDX-License-Identifier: MIT
// The list of this machine's cameras, kept up to date by a thread of its own. Main
// thread, nothing blocks.
#pragma once

#include "source/camera/devices.h"

typedef struct _OdlCameras OdlCameras;

// Called in the main context of odl_cameras_new when the list is different.
typedef void (*OdlCamerasCb) (void *data);

// Begins to watch. In a sandbox the list stays empty until odl_cameras_allow, because
// listing would make the portal ask the user.
OdlCameras *odl_cameras_new (OdlCamerasCb cb, void *data);

// No callback comes after this; the thread ends by itself.
void odl_cameras_free (OdlCameras *cameras);

// The user has allowed a camera, so the portal answers without asking.
void odl_cameras_allow (OdlCameras *cameras);

// The cameras there are: OdlCamera. Borrowed until the next callback; never NULL.
const GPtrArray *odl_cameras_list (OdlCameras *cameras);

// The one with that id, or NULL.
const OdlCamera *odl_cameras_find (OdlCameras *cameras, const char *id);
