// SPDX-License-Identifier: MIT
// What GTK's tooltips lack.
#pragma once

// Once per process, before the first window; further calls do nothing. Tooltips then show
// nothing while a menu lies over their widget, and let the pointer through to what they
// cover. Main thread.
void odl_tooltips_init (void);
