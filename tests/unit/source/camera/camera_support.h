// SPDX-License-Identifier: MIT
// Simulated cameras (tests/helpers/camera_provider.c).
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct {
  GSubprocess *process; // NULL: unplugged
  int deaths; // unexpected exits, see camera_deaths
} Camera;

#define RED_320 \
  "videotestsrc is-live=true pattern=red ! " \
  "video/x-raw,format=I420,width=320,height=240,framerate=25/1"
#define GREEN_640 \
  "videotestsrc is-live=true pattern=green ! " \
  "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1"
// Its format is known, but no picture comes.
#define SILENT_320 RED_320 " ! valve drop=true drop-mode=forward-sticky-events"

// Plugs a camera in and returns when it runs.
void
camera_plug (Camera *camera, const char *name, const char *shown, const char *pipeline);
// Likewise with PipeWire's own test source (snow), in any size and rate. Returns at once:
// wait until it is listed.
void camera_plug_flexible (Camera *camera, const char *name, const char *shown);
void camera_freeze (Camera *camera); // stops sending but stays connected
void camera_thaw (Camera *camera);
void camera_unplug (Camera *camera); // no effect if unplugged

// How often the camera's program exited unexpectedly and was restarted since it was
// plugged in. Measurements of that time are invalid.
int camera_deaths (Camera *camera);

// Restarts the programs of all cameras that camera_plug plugged in; each counts as an
// exit.
void cameras_restart (void);

// Kills PipeWire and WirePlumber, including all cameras (unplug them before), and
// restarts them; the second function returns when PipeWire answers.
void servers_kill (void);
void servers_start (void);

// Stops and continues WirePlumber: cameras stay listed, but no client is connected.
void servers_freeze_manager (bool freeze);

// Exits with 77 outside a session of pipewire.sh.
void need_cameras (void);
