// SPDX-License-Identifier: MIT
// Camera enumeration: cameras of PipeWire, and those of Video4Linux that PipeWire does
// not list. (PipeWire is preferred because it shares cameras between programs.) Uses
// the providers of GstDeviceMonitor without the monitor, whose filter warns about
// every PipeWire node without formats.
#pragma once

#include <gio/gio.h>

#include "source/camera/format.h"

struct _GstElement;

typedef struct {
  char *id; // from PipeWire or the kernel; stable across reconnection
  char *path; // device file; NULL: none
  char *name; // display name, unique within a list
  GArray *formats; // OdlCameraFormat
  struct _GstDevice *device;
} OdlCamera;

typedef struct _OdlCameraDevices OdlCameraDevices;

// Called when a camera was added or removed. On any thread; must return at once.
typedef void (*OdlCameraDevicesCb) (void *data);

// Starts watching; may be slow: not on the main thread. In a sandbox it asks the
// portal first and lists the cameras it allows; once per connection; `cancellable`
// (may be NULL) withdraws the request. Errors of odl_camera_portal_open;
// ODL_ERROR_UNSUPPORTED for a missing plugin. A missing server is no error: the list
// is then empty.
OdlCameraDevices *odl_camera_devices_open (GCancellable *cancellable,
                                           OdlCameraDevicesCb cb,
                                           void *data,
                                           GError **error);

// Stops watching; `cb` is not called afterwards. Not the main thread.
void odl_camera_devices_close (OdlCameraDevices *devices);

// The cameras present: OdlCamera; none of a server that has gone. Transfer full. Not
// the main thread.
GPtrArray *odl_camera_devices_list (OdlCameraDevices *devices);

// The cameras among `devices` (GstDevice), in order, without duplicates of a device
// file. Transfer full. Any thread.
GPtrArray *odl_camera_list_new (GList *devices);

// Reconnects to a server that was missing or has gone; call it every few seconds. In a
// sandbox it uses a connection that the portal has granted meanwhile. Not the main
// thread.
void odl_camera_devices_refresh (OdlCameraDevices *devices);

// True if only the portal can provide a new connection, so that restarting would
// prompt the user. Not the main thread.
bool odl_camera_devices_need_permission (OdlCameraDevices *devices);

// Finds a camera by id, by name, or by a part of its name that matches only one,
// ignoring case; NULL: the first. ODL_ERROR_NO_DEVICE lists the cameras.
const OdlCamera *
odl_camera_find (const GPtrArray *cameras, const char *name, GError **error);

// A source element for the camera; floating. NULL: it has gone.
struct _GstElement *odl_camera_make_element (const OdlCamera *camera);
