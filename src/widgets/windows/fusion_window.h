// SPDX-License-Identifier: MIT
// The window of the volume that is laid in colours over the picture: which one, how much
// of it is seen, its colours. Main thread.
#pragma once

#include "widgets/window/window.h"

// The actions that open it, and lay a volume over the picture (“fuse”, its location).
void odl_fusion_window_add_actions (const OdlWindowParts *parts);
