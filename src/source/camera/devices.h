// SPDX-License-Identifier: MIT
// The cameras of this machine: those that PipeWire has, and those of Video4Linux that it
// has not. (What both list is taken from PipeWire, which shares it between programs.)
// GstDeviceMonitor's providers are used without the monitor itself, whose filter
// complains about each PipeWire node that has no formats.
#pragma once

#include <gio/gio.h>

#include "source/camera/format.h"

G_BEGIN_DECLS

struct _GstElement;

typedef struct {
  char *id; // as PipeWire or the kernel names it; stays when it is plugged in again
  char *path; // of its device file; NULL: it is none
  char *name; // for people; no two in a list have the same
  GArray *formats; // OdlCameraFormat
  struct _GstDevice *device;
} OdlCamera;

typedef struct _OdlCameraDevices OdlCameraDevices;

// Says that a camera came or went. Any thread; must return at once.
typedef void (*OdlCameraDevicesCb) (void *data);

// Starts to watch, which may take a moment: not on the main thread. In a sandbox asks the
// portal first and shows the cameras that it allows; it is asked once as long as its
// connection holds, and `cancellable` (may be NULL) takes the question back. Errors:
// those of odl_camera_portal_open, ODL_ERROR_UNSUPPORTED where a plugin is missing. No
// server to ask is no error: then there are no cameras.
OdlCameraDevices *odl_camera_devices_open (GCancellable *cancellable,
                                           OdlCameraDevicesCb cb,
                                           void *data,
                                           GError **error);

// No call of `cb` comes after this. Not the main thread.
void odl_camera_devices_close (OdlCameraDevices *devices);

// The cameras there are now: OdlCamera; of a server that has gone, none. Transfer full.
// Not the main thread.
GPtrArray *odl_camera_devices_list (OdlCameraDevices *devices);

// The cameras among `devices` (GstDevice), in their order; a device file that comes again
// is a camera that is there already. Transfer full. Any thread.
GPtrArray *odl_camera_list_new (GList *devices);

// Looks for a server that was not there, or has gone, again; to be called every few
// seconds. In a sandbox that is one that the portal has handed out to somebody meanwhile.
// Not the main thread.
void odl_camera_devices_refresh (OdlCameraDevices *devices);

// True where only the portal can give another connection: to open the devices anew asks
// for one. Not the main thread.
bool odl_camera_devices_are_cut_off (OdlCameraDevices *devices);

// The camera that `name` means: its id, its name, or the only one whose name holds it,
// whatever the case. NULL name: the first. ODL_ERROR_NO_DEVICE says what there is.
const OdlCamera *
odl_camera_find (const GPtrArray *cameras, const char *name, GError **error);

// An element that delivers its pictures; floating. NULL: it is gone.
struct _GstElement *odl_camera_make_element (const OdlCamera *camera);

// Puts an element that reads from PipeWire into the mode that cameras need here; others
// stay as they are.
void odl_camera_set_up_element (struct _GstElement *element);

G_END_DECLS
