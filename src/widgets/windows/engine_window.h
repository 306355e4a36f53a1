// SPDX-License-Identifier: MIT
// The window of the engines: the one in use, the times of all, and the choice. Main
// thread.
#pragma once

#include "widgets/window/window.h"

// Shows it above `parent`, whose actions “engine” and “measure-engines” it uses.
GtkWindow *odl_engine_window_present (OdlMainWindow *parent);
