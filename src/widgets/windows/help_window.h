// SPDX-License-Identifier: MIT
// What filters and the program do, to look up: a list of pages that can be searched, and
// the page chosen. Main thread.
#pragma once

#include "widgets/window/window.h"

// Shows the help window of `parent` with page "filters/NAME" or "help/NAME"; with "", or
// where there is no such page, with the one that it showed, at first the first topic.
GtkWindow *odl_help_window_present (OdlMainWindow *parent, const char *page);
