// SPDX-License-Identifier: MIT
// Detects stalled pipelines.
#pragma once

#include <gst/gst.h>
#include <stdbool.h>

// False once all streaming threads are idle. decodebin sometimes drops the error of an
// element that fails while it is being linked; then no end or error is ever reported.
bool odl_pipeline_is_running (GstBin *pipeline);
