// SPDX-License-Identifier: MIT
// What a DICOM node has: asked for by name, number, date, modality and description,
// listed by studies and series, and got from there. Main thread.
#pragma once

#include "widgets/window/window.h"

// One for each window. Borrowed.
GtkWindow *odl_find_window_present (OdlMainWindow *parent);

// The same, with the other studies of the patient whose picture is shown. NULL: the
// picture names nobody; it was said.
GtkWindow *odl_find_window_present_priors (OdlMainWindow *parent);
