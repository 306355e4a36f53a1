// SPDX-License-Identifier: MIT
// What people chose once for all windows: names of the settings, and their being in
// force. The window to choose is windows/preferences_window.h. Main thread.
#pragma once

#include "widgets/settings.h"
#include "widgets/viewport/viewport.h"

#define ODL_PREFERENCE_CACHE "frame-cache-mb"
#define ODL_PREFERENCE_MOST_MB 65536
#define ODL_PREFERENCE_MB ((size_t) 1 << 20)
#define ODL_PREFERENCE_RATE "sequence-rate"
#define ODL_PREFERENCE_SANDBOX "sandbox-optional"
#define ODL_PREFERENCE_KEEPS_VIEW "keep-view"
#define ODL_PREFERENCE_MEASURED "keep-measured"
#define ODL_PREFERENCE_MOUSE "mouse"
#define ODL_PREFERENCE_UNIT "number-unit"
#define ODL_PREFERENCE_SCREEN "screen-luminance"

// Puts the settings into force.
void
odl_preferences_apply (OdlSettings *settings, OdlSession *session, OdlViewport *viewport);
