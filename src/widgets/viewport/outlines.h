// SPDX-License-Identifier: MIT
// What somebody outlined in the picture that is shown.
#pragma once

#include "image/display/outlines.h"
#include "session/player/frame.h"
#include "widgets/viewport/viewport.h"

// Draws outlines over that frame alone, and over no other one; image coordinates of what
// is shown, planes beside each other. NULL: none. Keeps a reference.
void odl_viewport_set_outlines (OdlViewport *viewport,
                                const OdlFrame *frame,
                                OdlOutlines *outlines);
