// SPDX-License-Identifier: MIT
// Whether anything can still come from a pipeline.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

// False once all its threads have come to rest. decodebin now and then swallows the error
// of an element that fails while it is being plugged in; then nobody ever says that
// nothing will come.
bool odl_pipeline_is_running (GstBin *pipeline);
