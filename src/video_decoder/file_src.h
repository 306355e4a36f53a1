// SPDX-License-Identifier: MIT
// A GStreamer source element for an open file, since the helper cannot open files.
#pragma once

#include <gst/gst.h>

// A floating element. `fd` must stay open during its lifetime.
GstElement *odl_file_src_new (int fd);
