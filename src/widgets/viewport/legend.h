// SPDX-License-Identifier: MIT
// What the shades of a result mean that are no values of the file.
#pragma once

#include "widgets/viewport/viewport.h"

// Whether the picture shows a structure tensor.
bool odl_viewport_shows_tensor (OdlViewport *viewport);

// Whether it shows one, or the result of a kernel whose sum is 0; a bar tells its window.
bool odl_viewport_has_own_window (OdlViewport *viewport);

// What the result of `frame` is shown in, see plan/result_window.h.
OdlWindow odl_viewport_result_window (OdlViewport *viewport, const OdlFrame *frame);
