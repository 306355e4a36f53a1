// SPDX-License-Identifier: MIT
// Edits the grey levels by name of one modality. Main thread.
#pragma once

#include "widgets/window/window.h"

// Of the modality of what is shown.
void odl_presets_window_present (const OdlWindowParts *parts);
