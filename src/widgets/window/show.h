// SPDX-License-Identifier: MIT
// Presentation mode: sources and recipes in turn, full screen, with a moving divider and
// large numbers. What the presentation changes is restored at its end. Main thread.
#pragma once

#include "session/save/workspace.h"
#include "widgets/window/window.h"

typedef struct _OdlShow OdlShow;

OdlShow *odl_show_new (const OdlWindowParts *parts);

// Shows each source for `dwell_s` seconds (0: the default) with each recipe in turn;
// without recipes with built-in ones. `locations` ends with NULL and has one at least.
void odl_show_begin (OdlShow *show,
                     const char *const *locations,
                     const OdlRecipe *recipes,
                     int n_recipes,
                     double dwell_s);
void odl_show_end (OdlShow *show);

// The list of a presentation that was left, for F5 to go on with, in a workspace and
// back: there it begins with its first source.
void odl_show_save (const OdlShow *show, OdlWorkspace *workspace);
void odl_show_restore (OdlShow *show, const OdlWorkspace *workspace);

// At the end of the window: ends without going back.
void odl_show_stop (OdlShow *show);

// These do nothing, and say false, while there is no presentation.
bool odl_show_step (OdlShow *show, int sources);
bool odl_show_pause (OdlShow *show);
// A frame, or the camera; what is said of another source than that in turn is passed
// over.
bool odl_show_failed (OdlShow *show, const GError *error);
void odl_show_recovered (OdlShow *show); // the camera

// A source is in place, or could not be opened; also after the presentation, when the
// source from before comes back. True: the presentation tells of the failure.
void odl_show_opened (OdlShow *show);
bool odl_show_open_failed (OdlShow *show, const char *location, const GError *error);

// Hides names, or shows that of the source again.
void odl_show_names_changed (OdlShow *show);
