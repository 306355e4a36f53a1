// SPDX-License-Identifier: MIT
// The camera's GStreamer pipeline:
// camera ! capsfilter [! decodebin] ! videoconvert ! appsink.
// One thread, except for the tally.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

#include "source/camera/format.h"

// Counters updated from the streaming thread; atomic.
typedef struct {
  gint arrived; // frames
  gint turn; // GstVideoOrientationMethod
} OdlCameraTally;

typedef struct {
  GstElement *whole; // owned; NULL: no pipeline
  GstElement *source, *sink; // elements of the pipeline
} OdlCameraPipeline;

// Consumes `source`, a floating element, even on failure. `format` NULL: the camera's
// default. `tally` must outlive the pipeline. The sink keeps only the latest frame.
// ODL_ERROR_UNSUPPORTED if an element is not installed; `self` is then empty.
bool odl_camera_pipeline_init (OdlCameraPipeline *self,
                               GstElement *source,
                               const OdlCameraFormat *format,
                               GstBus *bus,
                               OdlCameraTally *tally,
                               GError **error);

// Stops the pipeline; may wait for the device.
void odl_camera_pipeline_clear (OdlCameraPipeline *self);

// Interrupts a source element that is waiting for its device. State changes and events
// cannot do that, since the starting thread holds the lock for both. Before READY
// nothing can be waiting.
void odl_camera_pipeline_interrupt (OdlCameraPipeline *self);
