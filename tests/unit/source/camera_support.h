// SPDX-License-Identifier: MIT
// Cameras made by tests/helpers/camera_provider.c, and what to do to them.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct {
  GSubprocess *process; // NULL: unplugged
  int deaths; // by itself, see camera_deaths
} Camera;

#define RED_320 \
  "videotestsrc is-live=true pattern=red ! " \
  "video/x-raw,format=I420,width=320,height=240,framerate=25/1"
#define GREEN_640 \
  "videotestsrc is-live=true pattern=green ! " \
  "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1"

// Plugs a camera in and returns once it runs.
void
camera_plug (Camera *camera, const char *name, const char *shown, const char *pipeline);
// The same, of PipeWire's own test pictures (snow), in any size and rate. It runs when it
// is listed.
void camera_plug_flexible (Camera *camera, const char *name, const char *shown);
void camera_freeze (Camera *camera); // sends nothing any more, but stays
void camera_thaw (Camera *camera);
void camera_unplug (Camera *camera); // may be unplugged already

// How often the program behind it has died by itself, and been begun anew, since it was
// plugged in. What was measured meanwhile says nothing.
int camera_deaths (Camera *camera);

// Kills PipeWire and WirePlumber, which takes all cameras along (unplug them before), and
// starts them again; the second returns once PipeWire answers.
void servers_kill (void);
void servers_start (void);

// Exits with 77 where this is not the session of pipewire.sh.
void need_cameras (void);
