// SPDX-License-Identifier: MIT
// What a camera's pictures come through:
// camera ! capsfilter [! decodebin] ! videoconvert ! appsink.
// One thread; only the tally is anybody's.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

#include "source/camera/format.h"

G_BEGIN_DECLS

// What is noted as pictures pass; atomic.
typedef struct {
  gint arrived; // pictures
  gint turn; // GstVideoOrientationMethod
} OdlCameraTally;

typedef struct {
  GstElement *whole; // owned; NULL: there is none
  GstElement *source, *sink; // of the whole
} OdlCameraPipeline;

// Takes `source`, a floating element, in any case. `format` NULL: what the camera
// chooses. `tally` lives as long as the pipeline. The sink keeps the latest picture
// alone. Error: ODL_ERROR_UNSUPPORTED where an element is not installed; `self` is empty
// then.
bool odl_camera_pipeline_init (OdlCameraPipeline *self,
                               GstElement *source,
                               const OdlCameraFormat *format,
                               GstBus *bus,
                               OdlCameraTally *tally,
                               GError **error);

// Stops it, which may wait for the device.
void odl_camera_pipeline_clear (OdlCameraPipeline *self);

// A source that waits for a device is told to stop that. No change of state and no event
// can do so: the thread that starts the pipeline holds the lock for both. Before READY
// there is nothing yet that could wait.
void odl_camera_pipeline_interrupt (OdlCameraPipeline *self);

G_END_DECLS
