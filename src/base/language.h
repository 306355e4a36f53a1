// SPDX-License-Identifier: MIT
// The user's language, in every executable.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// Sets the locale and binds the messages; the first call of main. In the build folder the
// messages are those just built. Where the user's locale is not installed, the language
// it names is used all the same, with C.UTF-8 for the rest; the environment is changed to
// say so, for GTK and for child processes. Main thread, before any other thread.
void odl_language_init (void);

// For helpers: the messages alone, since they write numbers as programs read them. The
// catalogue is open afterwards, when other files may be out of reach.
void odl_language_init_helper (void);

G_END_DECLS
