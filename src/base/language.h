// SPDX-License-Identifier: MIT
// Locale and translations of every executable.
#pragma once

#include <glib.h>

// Sets the locale and binds the message catalogue; must be the first call of main. In
// the build folder the catalogue is the one just built. If the user's locale is not
// installed, its language is used with C.UTF-8 for everything else, and the environment
// is changed accordingly for GTK and child processes. Main thread, before any other
// thread starts.
void odl_language_init (void);

// For helpers: binds messages only, since helpers write numbers in the C locale. Opens
// the catalogue at once, because the sandbox may deny it later.
void odl_language_init_helper (void);
