// SPDX-License-Identifier: MIT
// A GStreamer source that reads an open file, since the helper may open none.
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

// A floating element. `fd` must stay open as long as it is.
GstElement *odl_file_src_new (int fd);

G_END_DECLS
