// SPDX-License-Identifier: MIT
// Cameras; locations as in odl_camera_request_parse. If a camera stops or is
// unplugged, read_frame fails within a second of its last frame; it recovers when
// frames arrive again.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_camera_source;
