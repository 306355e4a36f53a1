// SPDX-License-Identifier: MIT
// The menu of filters that can be added, by what they are for. Main thread.
#pragma once

#include <gio/gio.h>

// A submenu for each purpose, then the filters that have none yet; all activate
// “panel.add-filter” with the filter's name. Transfer full.
GMenu *odl_add_menu_new (void);
