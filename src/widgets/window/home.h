// SPDX-License-Identifier: MIT
// The state of the window before a presentation, and the way back to it. Main thread.
#pragma once

#include "widgets/window/window.h"

typedef struct _OdlHome OdlHome;

OdlHome *odl_home_new (const OdlWindowParts *parts);
void odl_home_free (OdlHome *home);

// Notes how the window is now. On the way back, the state that it goes back to stays.
void odl_home_leave (OdlHome *home);

// Restores it, at once or when the source from then has been opened again.
void odl_home_return (OdlHome *home);

// A source is in place: the end of the way back if it is the one from then.
void odl_home_opened (OdlHome *home);

// Another source was asked for, or the one from then cannot be opened.
void odl_home_forget (OdlHome *home);
