// SPDX-License-Identifier: MIT
// What the shades of a result mean that are no values of the file.
#pragma once

#include "widgets/viewport/viewport.h"

// Whether the picture shows a structure tensor.
bool odl_viewport_shows_tensor (OdlViewport *viewport);

// What the result of `frame` is shown in: of a structure tensor not the file's window,
// unless somebody has set another one.
OdlWindow odl_viewport_result_window (OdlViewport *viewport, const OdlFrame *frame);
