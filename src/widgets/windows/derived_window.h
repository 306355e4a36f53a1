// SPDX-License-Identifier: MIT
// Asks how the picture becomes a derived DICOM file: which frames, whether it still says
// who the patient is, what is made black in it; and says before it is written what it
// will tell. Main thread.
#pragma once

#include "widgets/window/window.h"

// Whether what is shown comes from a DICOM file.
bool odl_derived_window_is_possible (const OdlWindowParts *parts);

// save-dicom, and save-dicom-to with a path.
void odl_derived_window_add_actions (const OdlWindowParts *parts);

// `path`: where the file goes; NULL: that is asked at the end.
void odl_derived_window_present (const OdlWindowParts *parts, const char *path);
