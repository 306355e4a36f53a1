// SPDX-License-Identifier: MIT
// The window of the engines: which one works, what the others would need, and another
// choice. Main thread.
#pragma once

#include "widgets/window/window.h"

G_BEGIN_DECLS

// Shows it above `parent`, whose actions “engine” and “measure-engines” it uses.
GtkWindow *odl_engine_window_present (OdlMainWindow *parent);

G_END_DECLS
