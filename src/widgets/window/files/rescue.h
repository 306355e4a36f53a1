// SPDX-License-Identifier: MIT
// Offers to complete videos that were being written when the program was killed. Main
// thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlRescue OdlRescue;

// Offers them, one by one, when the window appears.
OdlRescue *odl_rescue_new (const OdlWindowParts *parts);
void odl_rescue_stop (OdlRescue *rescue); // offers no more
