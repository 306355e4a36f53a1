// SPDX-License-Identifier: MIT
// Live pictures of a camera, see odl_camera_request_parse for its locations. When it
// falls silent or is unplugged, read_frame says so within a second of the last picture,
// and goes on by itself as soon as pictures come again.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_camera_source;
