// SPDX-License-Identifier: MIT
// Sends files to a DICOM node: the picture that is shown, its series, and files that were
// saved, such as reports and presentation states. Says whose they are, and whom the node
// has under that number, before anything goes. Main thread.
#pragma once

#include "widgets/window/window.h"

// One for each window. Borrowed.
GtkWindow *odl_send_window_present (OdlMainWindow *parent);
