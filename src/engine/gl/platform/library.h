// SPDX-License-Identifier: MIT
// Whether the functions of an API can be loaded. libepoxy aborts where an EGL context
// exists and they cannot: on machines with libEGL and a driver but without the library of
// the API, as in many containers. Any thread.
#pragma once

#include <stdbool.h>

#include "engine/gl/platform/headless.h"

// ODL_GL_API_DESKTOP or ODL_GL_API_ES.
bool odl_gl_library_exists (OdlGlApi api);
